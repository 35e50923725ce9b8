"""Faying: structures whose joints slip.

Laws of hysteresis, joints in structures, amplitude-dependent frequency and damping, ring-downs and fits. Numbers are
those of the command line, bit for bit.

>>> import faying
>>> faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5)
<iwan4: FS=10, KT=1, chi=-0.5, beta=5>

`docs/python.md` is the guide. SI units throughout.
"""

from ._faying import __version__
from .backbones import Backbone, Modes, Preload, Response
from .bending import BentFriction, Condensed, FreeMotion, ignl, nnm, sice
from .decks import DeckModes, deck_modes, mesh
from .errors import BadInput, NotConverged
from .fits import (Calibration, Identified, ModalIwan, StudyResult, Unknown, fit_modal_iwan, identify, read_study, report, study)
from .histories import (Envelope, Load, MergedBackbone, Simulation, chirp, envelope, half_sine, merge, modal_coordinate, noise,
                        sine, tabulated)
from .law_results import ContactHistory, Cycles, History, Loop, Parameter, Parameters
from .laws import Finding, Law, LawInfo, PythonLaw, Step, check_law, law, laws, register
from .measured import (Calibrated, ForcedBackbone, FoundMode, FoundModes, ModalFits, Posterior, calibrate, find_modes, modal_fit,
                       sweeps)
from .models import Joint, Model, read_model
from .networks import FewStates, NetworkHistory, condense, network
from .reduced import Reduced
from .slow import SlowHistory

__all__ = ["Backbone", "BadInput", "BentFriction", "Calibrated", "Calibration", "Condensed", "ContactHistory", "Cycles",
           "DeckModes", "Envelope", "FewStates", "Finding", "ForcedBackbone", "FoundMode", "FoundModes", "FreeMotion",
           "History", "Identified", "Joint", "Law", "LawInfo", "Load", "Loop", "MergedBackbone", "ModalFits", "ModalIwan",
           "Model", "Modes", "NetworkHistory", "NotConverged", "Parameter", "Parameters", "Posterior", "Preload", "PythonLaw",
           "Reduced", "Response", "Simulation", "SlowHistory", "Step", "StudyResult", "Unknown", "__version__", "calibrate",
           "check_law", "chirp", "condense", "deck_modes", "envelope", "find_modes", "fit_modal_iwan", "half_sine",
           "identify", "ignl", "law", "laws", "merge", "mesh", "modal_coordinate", "modal_fit", "network", "nnm", "noise",
           "read_model", "read_study", "register", "report", "sice", "sine", "study", "sweeps", "tabulated"]
