# %% [markdown]
# # 4. Fit and rank laws, with uncertainty
#
# Part one: which law describes a measured loop? Part two: which parameters of a joint describe measured backbones, and how well are
# they known? The measurements are made here, with noise, so that the truth is known.
# %%
import numpy as np
import faying

dice = np.random.default_rng(3)
truth = faying.law("iwan4+kp", FS=1, KT=4, chi=-0.4, beta=0.5, kp=0.3)
u = 0.8 * np.sin(np.linspace(0, 4 * np.pi, 301))
loop = truth.follow(u)
force = loop.f + 0.005 * dice.standard_normal(len(u))
# %%
found = [faying.identify(u, force, name) for name in ("jenkins-prager", "bouc-wen", "valanis", "iwan4+kp")]
for one in sorted(found, key=lambda one: one.rms):
    print(f"{one.law.name:>15}  misfit {100 * one.relative_rms:6.2f} %   {len(one.standard_errors)} parameters")
# %%
best = min(found, key=lambda one: one.rms)
print(best)
best.plot()
# %% [markdown]
# Part two. `Calibration` is the posterior density of joint parameters given backbones, with its gradient: scipy finds its summit,
# and the curvature there gives the uncertainty (Laplace's approximation).
# %%
model = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], damping=1e-4)
model.add_joint(faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), dofs=(1, 2), name="lap")
q = np.geomspace(1, 100, 10)
task = faying.Calibration(model, [faying.Unknown("lap", "FS", 2, 50), faying.Unknown("lap", "KT", 0.2, 5),
                                  faying.Unknown("lap", "chi", -0.95, -0.05, "linear")], omega_error=1e-5, zeta_error=0.03)
for mode in (1, 2):
    bones = model.backbone(mode, q)
    task.measured(mode, q, bones.omega * np.exp(1e-5 * dice.standard_normal(len(q))), bones.zeta * np.exp(0.03 * dice.standard_normal(len(q))))
# %%
from scipy.optimize import minimize

answer = minimize(lambda x: tuple(-y for y in task.log_density_gradient(x)), [np.log(15), np.log(0.8), -0.4], jac=True, bounds=task.bounds)
h = 1e-4
curvature = np.array([(task.log_density_gradient(answer.x + h * e)[1] - task.log_density_gradient(answer.x - h * e)[1]) / (2 * h)
                      for e in np.eye(3)])
spread = np.sqrt(np.diag(np.linalg.inv(-curvature)))
for (joint, key), value, s, one in zip(task.parameters(answer.x), task.parameters(answer.x).values(), spread, task.unknowns):
    print(f"{key:>4} = {value:7.4f} +- {s * (value if one.scale == 'log' else 1):.4f}")
# %% [markdown]
# The same density goes to a sampler, where one is installed: `emcee.EnsembleSampler(12, 3, task.log_density)`, or a `pm.Potential`
# with `log_density_gradient`. A plain random walk shows the idea:
# %%
x, here, kept = answer.x.copy(), task.log_density(answer.x), []
for _ in range(400):
    trial = x + 1.2 * spread * dice.standard_normal(3)
    there = task.log_density(trial)
    if np.log(dice.random()) < there - here:
        x, here = trial, there
    kept.append(x)
kept = np.array(kept)
print("FS between", np.exp(np.quantile(kept[:, 0], [0.05, 0.95])).round(2), "with 90 %")
assert abs(answer.x[0] - np.log(10)) < 5 * spread[0]
