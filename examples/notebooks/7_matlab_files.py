# %% [markdown]
# # 7. For MATLAB and Octave users: .mat in and out
#
# Matrices come in from .mat files (version 5 and 7.3), results go out to them. In Octave or MATLAB: `save -v7 model.mat M K`, and
# `load backbone.mat` afterwards.
# %%
import os
import tempfile
import numpy as np
import scipy.io
import faying

folder = tempfile.mkdtemp()
scipy.io.savemat(os.path.join(folder, "chain.mat"), {"M": 10 * np.eye(3), "K": np.array([[18, -9, 0], [-9, 18, -9], [0, -9, 9.0]])})
# %% [markdown]
# A model file names the variables:
# %%
text = """
[structure]
file = "chain.mat"
mass = "M"
stiffness = "K"
damping = { ratio = 1e-4 }
[[joint]]
name = "lap"
law = "iwan4"
parameters = { FS = 10, KT = 1, chi = -0.5, beta = 5 }
dofs = [2, 3]
"""
with open(os.path.join(folder, "model.toml"), "w") as file:
    file.write(text)
model = faying.read_model(os.path.join(folder, "model.toml"))
model
# %%
bones = model.backbone(1, np.geomspace(1, 200, 20))
scipy.io.savemat(os.path.join(folder, "backbone.mat"), {**bones.columns(), "shapes": bones.shapes})
sorted(name for name in scipy.io.loadmat(os.path.join(folder, "backbone.mat")) if not name.startswith("__"))
# %% [markdown]
# The command line does the same without Python. This is a script for Octave or MATLAB, `examples/notebooks/7_octave.m`, which the tests
# run in Octave:
# %%
print(open("examples/notebooks/7_octave.m").read())
# %% [markdown]
# Reduced models are written as .mat by `Reduced.write("rom.mat")`:
# %%
reduced = faying.Reduced.read("data/brake_reuss/whole_joint.h5")
reduced.write(os.path.join(folder, "rom.mat"))
rom = scipy.io.loadmat(os.path.join(folder, "rom.mat"))
print([name for name in rom if not name.startswith("__")])
assert faying.Reduced.read(os.path.join(folder, "rom.mat")).patches == reduced.patches
