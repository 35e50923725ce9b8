# %% [markdown]
# # 5. Your own law in Python, in a structure
#
# A law is a class with a table of parameters and a function `step` on arrays of sites: where they go, and what they remember. Here a
# slider whose friction grows with the way it has slipped, which no law of the catalogue has.
# %%
import numpy as np
import faying


class WearingSlider(faying.PythonLaw):
    key = "wearing-slider"
    title = "a spring in series with friction that grows with the way slipped"
    table = {"k": faying.Parameter("N/m", "stiffness"), "fs": faying.Parameter("N", "slip force of the virgin slider"),
             "wear": faying.Parameter("N/m", "growth of the slip force per metre slipped", lower_open=False)}
    memory = 5  # u, f, work, dissipated, way slipped

    def step(self, u, z):
        u0, f0, work, lost, way = z.T
        limit = self.fs + self.wear * way
        run = u - u0
        side = np.sign(run)
        stick = np.minimum(np.abs(run), (limit - side * f0) / self.k)       # sticks so far ..
        slip = np.abs(run) - stick                                          # .. and slips the rest
        reached = f0 + side * self.k * stick
        f = reached + side * self.wear * slip                               # friction grows on the way
        mean = 0.5 * (reached + f)
        lost = lost + side * mean * slip
        work = work + 0.5 * (f0 + reached) * side * stick + side * mean * slip
        tangent = np.where(slip > 0, self.wear, self.k)
        return faying.Step(f, tangent, work, lost, np.column_stack([u, f, work, lost, way + slip]))


law = WearingSlider(k=1, fs=0.5, wear=0.02)
law
# %% [markdown]
# Is it a law? `check_law` drives it along random walks and holds it to what it promises: exact steps, a tangent that is the slope,
# work that is the integral of the force, dissipation that never decreases.
# %%
faying.check_law(law, amplitude=3)
# %%
t = np.linspace(0, 5, 800)
law.follow(2 * np.sin(2 * np.pi * t)).plot()
# %% [markdown]
# In a structure, beside a law of the catalogue. The memory never closes (friction grows for ever), so a steady state does not exist: a
# time history shows how a hit beam-like chain rings down, with a joint that wears.
# %%
def chain(law):
    model = faying.Model(np.eye(4), np.array([[2, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 1.0]]), damping=1e-3)
    return model.add_joint(law, dofs=(1, 2), name="lap")


axes = None
for one in (law, faying.law("jenkins", kt=1, fs=0.5)):
    run = chain(one).simulate(v=[0, 0, 0, 3.0], duration=60, step=0.02)
    axes = run.plot(axes, dofs=[3], label=one.key if isinstance(one, faying.PythonLaw) else one.name)
    print(f"{one.name}: {run.joint_dissipated[-1]:.4f} J dissipated in the joint, balance to {run.energy_error:.1e}")
# %% [markdown]
# Registered under its key, it is found by name: in `faying.law`, in model files, in `identify`.
# %%
faying.register(WearingSlider)
loop = law.follow(2 * np.sin(np.linspace(0, 9, 120)))
faying.identify(loop.u, loop.f, "wearing-slider", start=dict(k=2, fs=1, wear=0.1), memory="virgin")
