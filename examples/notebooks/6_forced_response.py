# %% [markdown]
# # 6. Forced response and nonlinear modes
#
# Harmonic balance with exact joint forces: the response to a harmonic force at several levels, through its turning points, and the
# nonlinear mode (EPMC) that its peaks follow.
# %%
import matplotlib.pyplot as plt
import numpy as np
import faying

model = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], damping=2e-3)
model.add_joint(faying.law("jenkins", kt=1, fs=1), dofs=(1, 2), name="lap")
model.modes()
# %%
_, axes = plt.subplots(figsize=(6, 4), layout="constrained")
peaks = []
for force in (0.1, 0.4, 1.0):
    branch = model.response(2, force, (1.17, 1.25), harmonics=[0, 1, 3])
    branch.plot(axes)
    top = int(np.argmax(branch.a))
    peaks.append((branch.omega[top], branch.a[top]))
a = np.geomspace(min(p[1] for p in peaks) / 2, max(p[1] for p in peaks) * 1.5, 30)
bones = model.backbone(2, a, method="epmc", harmonics=[0, 1, 3])
axes.plot(bones.frequency, bones.q, "k--", label="nonlinear mode")
axes.legend(frameon=False)
# %% [markdown]
# Each peak lies on the nonlinear mode: same frequency at the same amplitude.
# %%
for omega, amplitude in peaks:
    on_mode = np.interp(amplitude, bones.q, bones.omega)
    print(f"peak {omega:.5f} rad/s, mode {on_mode:.5f} rad/s")
    assert abs(omega / on_mode - 1) < 5e-3
# %% [markdown]
# Four ways to the same mode: quasi-static (RQNMA, QSMA), its loops traced, and harmonic balance.
# %%
q = [0.5, 3.0, 10.0]
for name, options in (("rqnma", {}), ("qsma", dict(method="qsma")), ("loops", dict(framework="loops")), ("epmc", dict(method="epmc", harmonics=7))):
    bones = model.backbone(2, q, **options)
    print(f"{name:>6}  omega {bones.omega.round(6)}  zeta {bones.zeta.round(6)}")
# %% [markdown]
# What moves in the joint within one period, at the largest force's peak.
# %%
motion = branch.motion([0, -1, 1])[top]
loop = model.joints[0].law.follow(np.tile(motion, 3))
n = len(motion)
_, axes = plt.subplots(figsize=(4.8, 3.6), layout="constrained")
axes.plot(loop.u[-n:], loop.f[-n:])
axes.set(xlabel="displacement of the joint / m", ylabel="force / N")
