"""Becomes another program that the kernel kills when the one that started it dies. Run by path, never imported.

    python -I -S launcher.py PARENT_PID PROGRAM [ARGUMENT...]

Why a program of its own: code run between fork and exec (`preexec_fn`) can deadlock in a process with threads, and
tests have threads. This asks the kernel for SIGKILL at the parent's death (PR_SET_PDEATHSIG, Linux), looks whether
the parent died before it could ask, and replaces itself, so the process id stays the one that the parent knows. On
other systems it only replaces itself.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Take the parent's id and the command from the arguments, and become the command."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            sys.exit("the parent died first")
    os.execvp(command[0], command)  # noqa: S606 - becoming the given command is what this program is for


if __name__ == "__main__":
    main()
