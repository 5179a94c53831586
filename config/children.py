"""Child processes that end with us, also when we are killed."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
# Looked up before a fork: after it, a child may do little more than call.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with_parent(signum: int = signal.SIGTERM) -> None:
    """Let the kernel send us `signum` when the thread that started us ends. Only Linux can."""
    if _prctl is not None:
        _prctl(PR_SET_PDEATHSIG, int(signum))


def start_child(command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> subprocess.Popen[bytes]:
    """Start `command`, which speaks by standard error, in a process group of its own: a Ctrl-C is ours to handle."""
    null = subprocess.DEVNULL
    return subprocess.Popen(
        command, cwd=cwd, env=env, stdin=null, stdout=null, process_group=0, preexec_fn=end_with_parent
    )


def end_children(children: Iterable[subprocess.Popen[bytes]], *, patience_s: float) -> None:
    """Ask all of `children` to end, wait, then end by force what is left of them and of their own children."""
    children = list(children)
    for child in children:
        if child.poll() is None:
            child.terminate()
    until = time.monotonic() + patience_s
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(until - time.monotonic(), 0))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
