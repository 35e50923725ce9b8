# %% [markdown]
# # 1. Laws and loops
#
# A law says what a joint does: force against displacement, with memory. Here one displacement history is followed by three laws, and
# their damping is compared over four decades of amplitude.
# %%
import numpy as np
import faying

laws = [faying.law("jenkins", kt=1, fs=0.6),
        faying.law("iwan4", FS=0.6, KT=1, chi=-0.5, beta=0.1),
        faying.law("bouc-wen", A=1, alpha=1.5, beta=-0.2, n=1.5)]
laws[1]
# %% [markdown]
# Parameters know their units and bounds; what is out of bounds is refused, with a message that says what is allowed.
# %%
try:
    laws[1].replace(chi=0.5)
except faying.BadInput as error:
    print(error)
# %% [markdown]
# One history, three laws. Paths are straight between the points, however far apart those are: a law's step is exact.
# %%
t = np.linspace(0, 1.25, 1501)
u = 1.2 * np.sin(2 * np.pi * t) - 1.1 * np.sin(6 * np.pi * t)
axes = None
for law in laws:
    axes = law.follow(u).plot(axes)
axes.legend(frameon=False)
# %% [markdown]
# Steady cycles: what a vibration feels. At small amplitude an Iwan law dissipates like a power of the amplitude, chi + 3; Jenkins'
# element does not dissipate at all until it slips.
# %%
A = np.geomspace(1e-3, 10, 60)
axes = None
for law in laws:
    axes = law.cycle(A).plot(axes)
axes[0].legend(frameon=False)
# %%
small = laws[1].cycle(np.array([1e-4, 1e-3]))
slope = np.diff(np.log(small.dissipation)) / np.diff(np.log(small.amplitude))
print(f"slope of dissipation: {slope[0]:.4f}, chi + 3 = {laws[1].parameters['chi'] + 3}")
# %% [markdown]
# Derivatives to the parameters are exact (dual numbers through the same code), so that fits need no differences.
# %%
slopes = laws[1].cycle_derivatives(0.3)
{key: round(one.dissipation, 5) for key, one in slopes.items()}
