"""Histories a1 sin w1 t + a2 sin w2 t, from one turning point straight to the next."""

import numpy as np
from scipy.optimize import brentq


class Sines:
    """u(t) of amplitudes and frequencies."""

    def __init__(self, *pairs):
        self.pairs = pairs

    def __call__(self, t):
        return sum(a * np.sin(w * t) for a, w in self.pairs)

    def rate(self, t):
        return sum(a * w * np.cos(w * t) for a, w in self.pairs)

    def turns(self, begin, end, grid=4001):
        """When it turns."""
        t = np.linspace(begin, end, grid)
        sign = np.sign(self.rate(t))
        changes = np.nonzero(sign[:-1] * sign[1:] < 0)[0]
        return [brentq(self.rate, t[i], t[i + 1], xtol=1e-15, rtol=8.9e-16) for i in changes]


def along(law, motion, stops):
    """The law's history through all turning points and the stops, and where in it the stops are."""
    times, at, begin = [], [], 0.0
    for stop in stops:
        times += [*motion.turns(begin, stop), stop]
        at.append(len(times) - 1)
        begin = stop
    return law.follow(motion(np.array(times))), np.array(at)


def per_window(total, at):
    """What a total grew by from stop to stop."""
    return np.diff(total[at], prepend=0)


def areas(history):
    """Int f du up to every point by the trapezoid rule, from rest."""
    u, f = np.r_[0, history.u], np.r_[0, history.f]
    return np.cumsum((f[1:] + f[:-1]) * np.diff(u)) / 2
