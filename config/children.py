"""Child processes that end with us, also when we are killed."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
# Looked up before a fork: after it, a child may do little more than call.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with_parent(signum: int = signal.SIGTERM) -> None:
    """Let the kernel send us `signum` when the thread that started us ends. Only Linux can."""
    if _prctl is not None:
        _prctl(PR_SET_PDEATHSIG, int(signum))


def start_child(command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> subprocess.Popen[bytes]:
    """Start `command` in a process group of its own, so that a Ctrl-C in the terminal is ours to handle."""
    return subprocess.Popen(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, process_group=0, preexec_fn=end_with_parent
    )


def end_child(child: subprocess.Popen[bytes], *, patience_s: float) -> None:
    """Ask `child` to end, wait, then end by force what is left of it and of its own children."""
    if child.poll() is None:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(patience_s)
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    child.wait()
