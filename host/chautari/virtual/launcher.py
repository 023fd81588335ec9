"""Starts the MicroPython VM in a process that cannot outlive its supervisor.

Run as a script in the new process: terminal, descriptors, module folder or "-", command, arguments.
The process becomes the leader of a session whose terminal's other end only the supervisor holds:
when the supervisor is gone, however it went, the kernel hangs the terminal up and the VM dies.
"""

import fcntl
import os
import signal
import sys
import termios


def main() -> None:
    """Become the VM."""
    terminal, descriptors, folder, command, *arguments = sys.argv[1:]
    leash = int(terminal)
    # A parent started with nohup would hand its deafness down.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if leash >= 0:
        fcntl.ioctl(leash, termios.TIOCSCTTY, 0)
    for target, source in enumerate(descriptors.split(",") if descriptors != "-" else [], 3):
        os.dup2(int(source), target)
    if folder == "-":
        os.execv(command, [command, *arguments])
    sys.path.append(folder)
    from micropython_run import run_main  # type: ignore[import-not-found,unused-ignore]

    sys.exit(run_main(["micropython", *arguments]))


main()
