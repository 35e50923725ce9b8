"""Laws written in Python that several tests use."""

import numpy as np

import faying


class Slider(faying.PythonLaw):
    """A spring in series with friction: Jenkins."""

    key = "slider"
    title = "a spring in series with friction"
    table = {"k": faying.Parameter("N/m", "stiffness", search=(1e8, 1e14)),
             "fs": faying.Parameter("N", "slip force", search=(1e4, 1e8))}
    memory = 4
    masing = return_point = True

    def find_macroslip(self):
        return self.fs / self.k

    def step(self, u, z):
        u0, f0, work, lost = z.T
        trial = f0 + self.k * (u - u0)
        f = np.clip(trial, -self.fs, self.fs)
        slip = (trial - f) / self.k
        lost = lost + f * slip
        work = work + (f * f - f0 * f0) / (2 * self.k) + f * slip
        return faying.Step(f, np.where(trial == f, self.k, 0.0), work, lost, np.column_stack([u, f, work, lost]))


class Softening(faying.PythonLaw):
    """A spring that claims to be odd and is not, with a tangent that is wrong."""

    key = "softening"
    table = {"k": faying.Parameter("N/m", "stiffness")}
    memory = 0

    def step(self, u, z):
        return faying.Step(self.k * (u + 0.1 * u**2), self.k, 0.5 * self.k * u**2, 0.0, z)


class Growing(faying.PythonLaw):
    """A slider whose friction grows with the way slipped: its loops never close."""

    key = "growing"
    table = {"k": faying.Parameter("N/m", "stiffness"), "fs": faying.Parameter("N", "slip force"),
             "wear": faying.Parameter("N/m", "growth of the slip force per metre slipped")}
    memory = 5

    def step(self, u, z):
        u0, f0, work, lost, way = z.T
        side = np.sign(u - u0)
        stick = np.minimum(np.abs(u - u0), (self.fs + self.wear * way - side * f0) / self.k)
        slip = np.abs(u - u0) - stick
        reached = f0 + side * self.k * stick
        f = reached + side * self.wear * slip
        lost = lost + side * 0.5 * (reached + f) * slip
        work = work + 0.5 * (f0 + reached) * side * stick + side * 0.5 * (reached + f) * slip
        return faying.Step(f, np.where(slip > 0, self.wear, self.k), work, lost, np.column_stack([u, f, work, lost, way + slip]))


class Breaking(Slider):
    """A slider that has no answer beyond a displacement of 1."""

    key = "breaking"

    def step(self, u, z):
        answer = super().step(u, z)
        return answer._replace(force=np.where(np.abs(u) > 1, np.nan, answer.force))
