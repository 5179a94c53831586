"""Our values against published ones: rows of tables with inputs, expected values and a tolerance.

A row is answered by its kind and by the names of its inputs and expected values, never by its id, so a new row that
speaks of the same quantities needs no code. The answers call the functions that reports are made of.
"""

from simulator.engine.validation import availability as availability
from simulator.engine.validation import backup as backup
from simulator.engine.validation import carbon as carbon
from simulator.engine.validation import chips as chips
from simulator.engine.validation import classes as classes
from simulator.engine.validation import cooling as cooling
from simulator.engine.validation import data_sheet as data_sheet
from simulator.engine.validation import electrical as electrical
from simulator.engine.validation import fabric as fabric
from simulator.engine.validation import facility as facility
from simulator.engine.validation import floors as floors
from simulator.engine.validation import layers as layers
from simulator.engine.validation import parts as parts
from simulator.engine.validation import ports as ports
from simulator.engine.validation import power as power
from simulator.engine.validation import rack as rack
from simulator.engine.validation import reliability as reliability
from simulator.engine.validation import runs as runs
from simulator.engine.validation import said as said
from simulator.engine.validation import scale_up as scale_up
from simulator.engine.validation import shelves as shelves
from simulator.engine.validation import storage as storage
from simulator.engine.validation import streams as streams
from simulator.engine.validation import supplied as supplied
from simulator.engine.validation import system as system
from simulator.engine.validation import training as training
from simulator.engine.validation.cases import Case, Finding, check, read_case

__all__ = ["Case", "Finding", "check", "read_case"]
