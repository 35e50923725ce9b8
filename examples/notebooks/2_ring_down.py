# %% [markdown]
# # 2. From a measured ring-down to a backbone and a modal Iwan model
#
# A structure is hit; frequency and damping are read out of how it rings, and one oscillator with an Iwan element is fitted to them.
# The "measurement" is a simulation of three masses with noise on it, so that the truth is known.
# %%
import numpy as np
import faying

model = faying.read_model("examples/three_masses/model.toml")
shapes = model.modes(about="stuck").shapes
model
# %%
run = model.simulate(faying.Load(model.mode_load(2), faying.half_sine(9, 1.2157)), duration=4000, step=0.05)
dice = np.random.default_rng(1)
measured = shapes[:, 1] @ model.mass @ run.u.T                 # the second modal coordinate
measured = measured + 1e-4 * abs(measured).max() * dice.standard_normal(len(measured))
print(f"{len(run)} samples, energy balance to {run.energy_error:.1e}")
# %% [markdown]
# The envelope: amplitude from the Hilbert transform, frequency and damping from line fits in segments.
# %%
ring = faying.envelope(run.t, measured, drop_start=0.02)
ring
# %%
ring.plot()
# %% [markdown]
# One mode as one oscillator: a spring, a dashpot and an Iwan element. Six parameters, with standard errors.
# %%
fit = faying.fit_modal_iwan(ring.amplitude, ring.omega, ring.zeta)
for key, value in fit.parameters.items():
    print(f"{key:>10} = {value:10.5g} +- {fit.standard_errors[key]:.2g}")
fit.plot()
# %% [markdown]
# Is it the mode's own backbone? The quasi-static backbone of the whole structure says the same about damping, without a simulation.
# %%
q = np.geomspace(ring.amplitude.min(), ring.amplitude.max(), 12)
bones = model.backbone(2, q)
omega, zeta = fit.at(q)
print(f"damping differs by at most {100 * abs(zeta / bones.zeta - 1).max():.1f} %")
assert abs(omega / bones.omega - 1).max() < 2e-3
