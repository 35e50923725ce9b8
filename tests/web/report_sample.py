"""A small study's report data, made with the tool: three masses with an Iwan joint are "measured", and two laws with a
few parameter sets each stand for fronts. Mode 1 counts as fitted, mode 2 as predicted."""

import math

TITLE = 'Three masses </script><b>&amp; "joints"'
MODEL = """[structure]
mass      = [[10, 0, 0], [0, 10, 0], [0, 0, 10]]
stiffness = [[18, -9, 0], [-9, 18, -9], [0, -9, 9]]
damping   = {{ ratio = 1e-4 }}
[[joint]]
law = "{law}"
parameters = {{ {parameters} }}
dofs = [2, 3]
"""
AMPLITUDES = "1:1000:16"
LAWS = {"iwan4": [("FS", "F_S", "N"), ("KT", "K_T", "N/m"), ("chi", "\u03c7", ""), ("beta", "\u03b2", "")],
        "jenkins": [("fs", "f_s", "N"), ("kt", "k_t", "N/m")]}
SETS = {"iwan4": [(10, 0.97, -0.5, 5), (10.5, 1, -0.45, 5), (11, 1.04, -0.4, 5), (11, 1.1, -0.3, 4)],
        "jenkins": [(5, 0.9), (7, 1.0), (10, 1.1)]}


def backbone(faying, folder, law, values, mode):
    """amplitude, frequency in Hz, damping, converged"""
    pairs = ", ".join(f"{key} = {value}" for (key, _, _), value in zip(LAWS[law], values))
    (folder / "model.toml").write_text(MODEL.format(law=law, parameters=pairs))
    points = faying("backbone", "model.toml", "--mode", str(mode), "--amplitudes", AMPLITUDES, cwd=folder)["points"]
    assert all(p["status"] == "converged" for p in points)
    return {"amplitude": [p["q"] for p in points], "frequency": [p["omega"] / (2 * math.pi) for p in points],
            "damping": [p["zeta"] for p in points], "converged": [True] * len(points)}


def errors(data, model):
    """[S0] Eq. 41"""
    def rms(values):
        return math.sqrt(sum(v * v for v in values) / len(values))
    return [rms([m / d - 1 for m, d in zip(model["frequency"], data["frequency"])]),
            rms([math.log(m) / math.log(d) - 1 for m, d in zip(model["damping"], data["damping"])])]


def point(faying, folder, law, values, data):
    backbones = [backbone(faying, folder, law, values, mode) for mode in (1, 2)]
    loop = faying("loop", law, *[f"{key}={value}" for (key, _, _), value in zip(LAWS[law], values)], "--path",
                  "0,20,-20,20,-20")
    return {"x": list(values), "errors": [errors(d, b) for d, b in zip(data, backbones)], "residual": 1e-14, "kind": "front",
            "backbones": backbones, "loops": [{"joint": "2-3", "mode": 1, "amplitude": 1000, "u": loop["u"], "f": loop["f"]}],
            "slip": {"mode": 1, "amplitude": 1000, "x": [0, 0.01], "y": [0, 0], "area": [1e-4, 1e-4], "slip": [1e-6, 3e-6], "closure_error": [0, 2e-3]}}


def variant(faying, folder, law, data):
    front = [point(faying, folder, law, values, data) for values in SETS[law]]
    front.sort(key=lambda p: p["errors"][0])
    front[1]["kind"] = "knee"
    columns = list(zip(*SETS[law]))
    return {"name": law, "title": law + " <i>law</i>", "law": law, "joint": "whole", "framework": "masing", "viscous": True,
            "method": "NSGA-II", "status": "finished", "counts": {"evaluations": 1000, "unconverged": 7, "certified": len(front)},
            "seconds": 2.5, "front": front, "convergence": {"evaluations": [10, 100, 1000], "area": [0.5, 0.2, 0.1]},
            "parameters": [{"key": key, "symbol": symbol, "unit": unit, "low": min(c) - 1, "high": max(c) + 1, "log": False}
                           for (key, symbol, unit), c in zip(LAWS[law], columns)]}


def sample(faying, folder):
    data = [backbone(faying, folder, "iwan4", (10, 1, -0.5, 5), mode) for mode in (1, 2)]
    variants = [variant(faying, folder, law, data) for law in ("jenkins", "iwan4")]
    for v in variants:  # stand-ins: the area measure is tested where it is computed
        v["area"] = [min(sum(p["errors"][j]) for p in v["front"]) for j in (0, 1)]
        v["score"] = v["area"][1]
    variants.append({"name": "broken", "title": "broken", "status": "failed", "message": "nothing converged",
                     "area": [None, None], "score": None, "parameters": [], "front": []})
    for rank, v in enumerate(sorted((v for v in variants if v["front"]), key=lambda v: v["score"]), 1):
        v["rank"] = rank
    modes = [{"mode": j + 1, "fitted": j == 0, "variability": [2e-3, 5e-2],
              "measured": {**{key: d[key] for key in ("amplitude", "frequency", "damping")}, "amplitude_unit": "m kg^(1/2)",
                           "frequency_low": [0.997 * f for f in d["frequency"]], "frequency_high": [1.003 * f for f in d["frequency"]],
                           "damping_low": [0.7 * z for z in d["damping"]], "damping_high": [1.4 * z for z in d["damping"]]},
              "box": {"lower": [1e-5, 1e-3], "upper": [0.17, 0.5]}} for j, d in enumerate(data)]
    return {"format": 1, "title": TITLE, "virtual": True, "seed": 7, "code_version": "test", "command": "faying study three.toml",
            "compared": "errors at the measured amplitudes (mode 1: 16, mode 2: 16)",
            "inputs": [{"name": "three.toml", "text": "seed = 7 # <b>\n"}], "modes": modes, "variants": variants}
