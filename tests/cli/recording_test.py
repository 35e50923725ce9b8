"""Records as instruments write them, universal files and WAV: the same numbers as from CSV; damaged ones name the place."""

import json
import math
import os
import struct
import tempfile
import unittest

import h5py
import numpy
import scipy.io

from envelope_test import linear
from faying import result, run

RATE = 5120


def heading(n, kind=2, even=1, abscissa=17, start=0.0, step=1 / RATE, name="acc1", node=12, direction=-3, unit="m/s^2", function=1):
    """The eleven lines of data set 58, in its columns."""
    return [name, "NONE", "16-Nov-26 12:00:00", "NONE", "NONE",
            "%5d%10d%5d%10d %-10s%10d%4d %-10s%10d%4d" % (function, 1, 0, 0, "NONE", node, direction, "NONE", 0, 0),
            "%10d%10d%10d%13.5e%13.5e%13.5e" % (kind, n, even, start, step, 0),
            "%10d%5d%5d%5d %-20s %-20s" % (abscissa, 0, 0, 0, "Time", "s"),
            "%10d%5d%5d%5d %-20s %-20s" % (12, 1, 0, 0, "Acceleration", unit),
            "%10d%5d%5d%5d %-20s %-20s" % (0, 0, 0, 0, "NONE", "NONE"),
            "%10d%5d%5d%5d %-20s %-20s" % (0, 0, 0, 0, "NONE", "NONE")]


def data_set(kind, lines, end="\n"):
    return end.join(["    -1", "%6s" % kind, *lines, "    -1", ""])


def in_columns(values, width, form):
    return ["".join(form % x for x in values[i:i + width]) for i in range(0, len(values), width)]


def binary(values, order="<", double=False, **more):
    data = struct.pack("%s%d%s" % (order, len(values), "d" if double else "f"), *values)
    head = "%6d%c%6d%6d%12d%12d%6d%6d%12d%12d" % (58, "b", 1 if order == "<" else 2, 2, 11, len(data), 0, 0, 0, 0)
    lines = heading(len(values), kind=4 if double else 2, **more)
    return "\n".join(["    -1", head, *lines, ""]).encode() + data + b"\n    -1\n"


def wav(path, values, bits, channels=1, floating=False, extensible=False, junk=b"", rate=RATE):
    if floating:
        data = struct.pack("<%d%s" % (len(values), "d" if bits == 64 else "f"), *values)
    elif bits == 8:
        data = bytes(int(round(x * 127)) + 128 for x in values)
    else:
        data = b"".join(int(round(x * (2 ** (bits - 1) - 1))).to_bytes(bits // 8, "little", signed=True) for x in values)
    tag = 3 if floating else 1
    fmt = struct.pack("<HHIIHH", 0xFFFE if extensible else tag, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    if extensible:
        fmt += struct.pack("<HHIH", 22, bits, 0, tag) + b"\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
    chunks = b"WAVE" + b"fmt " + struct.pack("<I", len(fmt)) + fmt + junk + b"data" + struct.pack("<I", len(data)) + data
    with open(path, "wb") as f:
        f.write(b"RIFF" + struct.pack("<I", len(chunks)) + chunks)


class Recording(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        cls.record = linear(amplitude=0.8, rate=RATE, n=4096)
        cls.values = [x for _, x in cls.record]
        cls.write("r.csv", "t,x\n" + "".join("%r,%r\n" % row for row in cls.record))
        cls.plain = result("envelope", cls.path("r.csv"))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, content):
        with open(cls.path(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def check_same(self, name, *words, digits=4):
        r = result("envelope", self.path(name), *words)
        self.assertEqual(len(r["t"]), len(self.plain["t"]), name)
        for key in ("amplitude", "omega", "zeta"):
            for a, b in zip(r[key], self.plain[key]):
                self.assertAlmostEqual(a / b, 1, places=digits - (key == "zeta"), msg="%s %s" % (name, key))

    def test_universal_files(self):
        v, n = self.values, len(self.values)
        single, double = in_columns(v, 6, "%13.5e"), in_columns(v, 4, "%20.12e")
        pairs = [x for row in self.record for x in row]
        spectrum = data_set(58, heading(3, abscissa=18, function=4, kind=5) + in_columns([1, 0, 2, 0, 3, 0], 6, "%13.5e"))
        units = data_set(164, ["         5mm/mN                   2", "  1.0D+03  1.0D+03  1.0D+00", "  0.0D+00"])
        files = {
            "single.uff": data_set(151, ["beam", "x", "y"]) + units + data_set(58, heading(n) + single),
            "double.UNV": data_set(58, heading(n, kind=4) + double),
            "fortran.uff": data_set(58, heading(n, kind=4) + [line.replace("e", "D") for line in double]),
            "crlf.uff": data_set(58, heading(n, kind=4) + double, "\r\n"),
            "words.uff": data_set(58, heading(n)[:6] + ["2 %d 1 0.0 %.7e 0.0" % (n, 1 / RATE)] + heading(n)[7:] + in_columns(v, 6, " %.9g")),
            "uneven.uff": data_set(58, heading(n, kind=4, even=0) + in_columns(pairs, 2, "%20.12e")),
            "touching.uff": data_set(58, heading(n) + [line.replace(" -", "-") for line in single]),
            "spectra.uff": spectrum + data_set(58, heading(n, kind=4) + double) + spectrum,
            "little.uff": binary(v, double=True), "big.uff": binary(v, ">", double=True), "float.uff": binary(v),
            "after.uff": spectrum.encode() + binary(v, double=True) + data_set(58, heading(3, abscissa=18, kind=2) + in_columns([1, 2, 3], 6, "%13.5e")).encode(),
        }
        for name, content in files.items():
            self.write(name, content)
            self.check_same(name)

    def test_names_and_units_of_channels(self):
        v, n = self.values, len(self.values)
        two = lambda **b: binary(v, double=True) + binary([-x for x in v], double=True, **b)
        for name, content, channels in (("ids.uff", two(name="tip", unit="g"), "acc1 (m/s^2), tip (g)"),
                                        ("nodes.uff", two(node=4, direction=1), "12-Z (m/s^2), 4+X (m/s^2)"), ("same.uff", two(), "channel1 (m/s^2), channel2")):
            self.write(name, content)
            status, _, err = run("envelope", self.path(name))
            self.assertEqual((status, err.count("\n")), (2, 1))
            self.assertIn("one of: " + channels, err)
        self.check_same("ids.uff", "--channel", "tip")
        self.check_same("nodes.uff", "--channel", "4+X")
        self.write("code.uff", data_set(164, ["         7"]).encode() + two(name="tip", unit="NONE"))
        self.assertIn("tip (in/s^2)", run("envelope", self.path("code.uff"))[2])

    def test_wav(self):
        v = self.values
        for name, digits, form in (("a.wav", 6, dict(bits=64, floating=True)), ("b.wav", 5, dict(bits=32, floating=True)), ("c.WAV", 5, dict(bits=32)),
                                   ("d.wav", 4, dict(bits=24)), ("e.wav", 3, dict(bits=16, junk=b"LIST" + struct.pack("<I", 3) + b"abc\0")),
                                   ("f.wav", 3, dict(bits=16, extensible=True))):
            wav(self.path(name), v, **form)
            self.check_same(name, digits=digits)
        wav(self.path("two.wav"), [x for value in v for x in (0.1, value)], 32, channels=2, floating=True)
        self.check_same("two.wav", "--channel", "channel2")
        wav(self.path("eight.wav"), v, 8)
        self.assertAlmostEqual(result("envelope", self.path("eight.wav"))["omega"][0] / self.plain["omega"][0], 1, places=3)

    def test_what_is_damaged_names_the_place(self):
        v, n = self.values[:200], 200
        good = data_set(58, heading(n) + in_columns(v, 6, "%13.5e"))
        whole = binary(v)
        wav(self.path("good.wav"), v, 16)
        with open(self.path("good.wav"), "rb") as f:
            sound = f.read()
        for name, content, message in (
                ("none.uff", "t,x\n0,1\n", "is no universal file"), ("cut.uff", good[:1500], "data set 58 that begins at byte 7"),
                ("short.uff", data_set(58, heading(n) + in_columns(v[:60], 6, "%13.5e")), "ends before its 200 numbers, of which 60 are there"),
                ("word.uff", good.replace(in_columns(v, 6, "%13.5e")[5], "  1.0 oops"), "'oops' is not a number, at byte"),
                ("kind.uff", data_set(58, heading(n, kind=9)), "kind 9 of numbers"), ("huge.uff", data_set(58, heading(10 ** 9)), "1e+09 values in a file of"),
                ("spectrum.uff", data_set(58, heading(3, abscissa=18, function=4) + ["1 2 3"]), "has no time history"),
                ("step.uff", data_set(58, heading(n, step=0.0) + in_columns(v, 6, "%13.5e")), "a step of 0 s"),
                ("bytes.uff", whole[:-100], "ends before its 800 bytes of numbers"), ("count.uff", whole.replace(b"         800", b"         804"), "says 804 bytes follow where 200 values take 800"),
                ("order.uff", whole.replace(b"58b     1", b"58b     3"), "byte order 3"), ("riff.wav", b"RIFX" + sound[4:], "is no WAV file"),
                ("cut.wav", sound[:300], "the data at byte 36 should be 400 bytes, 256 are there"), ("alaw.wav", sound[:20] + b"\6\0" + sound[22:], "coding 6 of 16 bits"),
                ("head.wav", sound[:30], "is cut short"), ("block.wav", sound[:32] + b"\7\0" + sound[34:], "says 7 bytes for a sample")):
            self.write(name, content)
            status, out, err = run("envelope", self.path(name), "--json")
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), (name, err))
            self.assertIn(message, err, name)
            self.assertIn(name, err)

    def test_arrays_of_structs(self):
        """As measured data come: FRdata.ResponseControl(k).amplitude."""
        runs = numpy.empty((1, 3), dtype=[("amplitude", object), ("force", object)])
        for k in range(3):
            runs[0, k] = (numpy.array(self.values) * (k + 1), numpy.array([[1.0, k]]))
        t = numpy.array([row[0] for row in self.record])
        scipy.io.savemat(self.path("structs.mat"), {"FRdata": {"time": t, "ResponseControl": runs, "inner": {"deep": {"x": 2.0 * numpy.array(self.values)}}}})
        self.check_same("structs.mat", "--channel", "FRdata.ResponseControl.item1.amplitude", digits=9)
        doubled = result("envelope", self.path("structs.mat"), "--channel", "FRdata.inner.deep.x")
        self.assertAlmostEqual(doubled["amplitude"][0] / self.plain["amplitude"][0], 2, places=9)
        self.assertEqual(run("convert", self.path("structs.mat"), self.path("structs.h5"))[0], 0)
        with h5py.File(self.path("structs.h5")) as f:
            self.assertEqual(list(f["FRdata/ResponseControl"]), ["item1", "item2", "item3"])
            numpy.testing.assert_array_equal(numpy.ravel(f["FRdata/ResponseControl/item3/amplitude"][()]), 3 * numpy.array(self.values))


if __name__ == "__main__":
    unittest.main()
