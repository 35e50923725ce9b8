# %% [markdown]
# # 3. A reduced beam with a bolted joint
#
# The Brake-Reuss beam, reduced to its joint: `faying mesh brake-reuss --out beam.inp` made the deck, and
# `faying.Reduced.reduce("whole_joint.toml")` (or `faying reduce`) this file of 43 degrees of freedom.
# %%
import numpy as np
import faying

reduced = faying.Reduced.read("data/brake_reuss/whole_joint.h5")
reduced
# %% [markdown]
# An Iwan law on every patch of the joint, along both tangents, and a normal spring; their parameters are per square metre. The bolts'
# preload is a named load.
# %%
model = reduced.model(static={"preload": 12845}, damping=1e-4)
model.add_joint(faying.law("iwan4", FS=2e6, KT=1e12, chi=-0.3, beta=0.5), patches="all", along="tangential", per_area=True, name="lap")
model.add_joint(faying.law("polynomial", k1=1e13), patches="all", along="normal", per_area=True, name="contact")
model.modes(6)
# %% [markdown]
# How the first three bending modes soften and damp as the joint slips.
# %%
axes = None
for mode in (1, 2, 3):
    bones = model.backbone(mode, np.geomspace(1e-6, 1e-2, 25))
    axes = bones.plot(axes)
    print(bones)
axes[1].legend(frameon=False)
# %% [markdown]
# Derivatives to the law's parameters come along, by implicit differentiation. Here: which parameter moves the damping, in per cent per
# per cent?
# %%
bones = model.backbone(1, [1e-5, 1e-4, 1e-3], derivatives=True)
for key, value in model.joints[0].law.parameters.items():
    print(f"{key:>5}", (bones.slope("zeta", "lap", key) * value / bones.zeta).round(3))
# %% [markdown]
# The same model with another law costs no new reduction.
# %%
softer = model.replace(lap={"FS": 1e6})
print("at q = 1e-3:", model.backbone(1, [1e-3]).frequency.round(3), softer.backbone(1, [1e-3]).frequency.round(3), "Hz")
