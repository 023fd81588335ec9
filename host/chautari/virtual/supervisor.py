"""Runs the VM of a virtual board: starts and restarts it, carries its serial line and its panel.

One thread does all of it. A VM that ends by itself was left from its prompt, which on a board is a
soft reset; `machine.reset()` and a power cut are messages on the panel channel, after which the VM
waits to be killed.
"""

from __future__ import annotations

import contextlib
import queue
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable

from chautari.virtual import runs
from chautari.virtual.console import CTRL_C, Console
from chautari.virtual.panel import Panel
from chautari.virtual.runs import QUEUE, Run, Settings
from chautari.virtual.serial_port import Port
from chautari.virtual.vm import VirtualBoardError

STALL_S = 0.5
"""A board waits this long for a program that does not read; then its output is dropped, as on a Pico."""
INTERRUPT_S = 5.0
"""A board program that does not take Ctrl-C within this time is stopped the hard way."""
CAUGHT_S = 1.5
LOOK_S = 0.04
"""How often an unopened port is looked at."""
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
# A fresh one each time, so one that needs no setting up; Windows has the other one only.
_Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)


class Supervisor:
    """Owns the VM, the outer port and the thread that serves them."""

    def __init__(self, settings: Settings, panel: Panel) -> None:
        self.settings = settings
        self.panel = panel
        self.port: Port | None = None
        self.starts = 0
        self.crashes = 0
        self.failure: str | None = None
        self.memory = (0, 0)
        self.cut = threading.Event()
        self._run: Run | None = None
        self._to_host = bytearray()
        self._to_board = bytearray()
        self._moved_at = 0.0
        self._commands: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)
        self._wake_write.setblocking(False)
        self._ended = False
        panel.attach(self._send_lines)
        self._thread = threading.Thread(target=self._loop, name="virtual board", daemon=True)
        self._thread.start()

    # For other threads.

    def call(self, job: Callable[[], None]) -> None:
        """Run job in the supervisor's thread and wait for it; its exception is raised here."""
        if threading.current_thread() is self._thread:
            job()
            return
        done = threading.Event()
        trouble: list[BaseException] = []

        def run() -> None:
            try:
                job()
            except BaseException as error:
                trouble.append(error)
            done.set()

        self._commands.put(run)
        self._wake()
        while not done.wait(1):
            if not self._thread.is_alive():
                raise VirtualBoardError("the virtual board's supervisor has ended")
        if trouble:
            raise trouble[0]

    def start_vm(self) -> None:
        """Switch the board on and wait until its main.py is about to run."""
        self.failure = None
        self.cut.clear()
        self.call(lambda: self._start(main=True))
        self.wait_ready()

    def wait_ready(self, timeout_s: float = 20) -> None:
        """Wait until the VM is about to run main.py. Raises VirtualBoardError when it does not get there."""

        def ready() -> bool:
            run = self._run
            return self.failure is not None or (run is not None and run.begun)

        try:
            self.panel.wait_for(ready, timeout_s)
        except TimeoutError:
            raise VirtualBoardError("the board's VM does not start") from None
        if self.failure is not None:
            raise VirtualBoardError(self.failure)

    def kill_vm(self) -> None:
        """Cut the power."""
        self.call(self._power_off)

    def reset_vm(self) -> None:
        """Press the controller's reset."""
        self.call(lambda: self._restart(main=True))
        self.wait_ready()

    def plug(self, port: Port | None) -> None:
        """Put another port (or none) in place of the present one."""

        def change() -> None:
            if self.port is not None:
                self.port.close()
            self.port = port
            self._to_host.clear()
            self._to_board.clear()

        self.call(change)

    def running(self) -> bool:
        """Return whether the board has power."""
        return self._run is not None

    def pid(self) -> int | None:
        """Return the VM's process id, None without power."""
        run = self._run
        return run.process.pid if run is not None else None

    def end(self) -> None:
        """Kill the VM, close the port, end the thread."""
        if self._ended:
            return
        self._ended = True

        def finish() -> None:
            self._power_off()
            if self.port is not None:
                self.port.close()
                self.port = None

        self._commands.put(finish)
        self._wake()
        self._thread.join()
        self._wake_read.close()
        self._wake_write.close()

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._wake_write.send(b"!")

    # In the supervisor's thread.

    def _start(self, main: bool, raw: bool = False) -> None:
        if self._run is not None:
            return
        run = runs.start(self.settings, self.panel.now_ms(), main)
        run.enter_raw = run.muted = raw
        self._run = run
        self.starts += 1
        run.to_panel += (self.panel.power_up() + "go\n").encode()
        self._flush_lines(run)

    def _restart(self, main: bool, raw: bool = False) -> None:
        if self._run is None:
            return
        self._run.close()
        self._run = None
        self.panel.reset()
        self._start(main, raw)

    def _power_off(self) -> None:
        if self._run is None:
            return
        self._messages(self._run)
        if self._run is None:
            return
        self._run.close()
        self._run = None
        self._to_board.clear()
        self.panel.power_down()

    def _send_lines(self, text: str) -> bool:
        run = self._run
        if run is None:
            return False
        # From any thread: the order of lines is the order of calls.
        with self.panel.lock:
            run.to_panel += text.encode("utf-8", "replace")
            self._flush_lines(run)
        if run.to_panel:
            self._wake()
        return True

    @staticmethod
    def _flush_lines(run: Run) -> None:
        with contextlib.suppress(OSError):
            while run.to_panel:
                sent = run.lines.send(run.to_panel)
                del run.to_panel[:sent]

    def _loop(self) -> None:
        while not self._ended or not self._commands.empty():
            try:
                self._turn()
            except Exception as error:
                # Never silently without this thread: whoever waits for the board hears why.
                self._fail(f"the virtual board's supervisor failed: {type(error).__name__}: {error}")
        if self._run is not None:
            self._run.close()
            self._run = None

    def _turn(self) -> None:
        run, port = self._run, self.port
        wanted: list[tuple[int | socket.socket, int]] = [(self._wake_read, _READ)]
        connected = port is not None and port.connected()
        if not connected:
            self._to_host.clear()
        wait = 0.5
        if port is not None:
            if not connected:
                wait = LOOK_S
            numbers = port.filenos()
            for number in numbers:
                mask = _READ if len(self._to_board) < QUEUE else 0
                if connected and self._to_host and number == numbers[-1]:
                    mask |= _WRITE
                wanted.append((number, mask))
        if run is not None:
            wanted.append((run.messages, _READ))
            mask = 0
            if len(self._to_host) < QUEUE or time.monotonic() - self._moved_at > STALL_S:
                mask |= _READ
            else:
                wait = min(wait, STALL_S / 4)
            if self._to_board and not run.held:
                mask |= _WRITE
            wanted.append((run.serial, mask))
            if run.to_panel:
                wanted.append((run.lines, _WRITE))
            if run.interrupted_at or run.taken_at:
                wait = min(wait, 0.05)
        with _Selector() as selector:
            for end, mask in wanted:
                if mask:
                    selector.register(end, mask)
            selector.select(wait)
        with contextlib.suppress(BlockingIOError):
            while self._wake_read.recv(4096):
                pass
        while not self._commands.empty():
            self._commands.get()()
        if self._run is not run or self.port is not port:
            return
        if run is not None and run.to_panel:
            with self.panel.lock:
                self._flush_lines(run)
        # Messages first: what the VM said about its state came before what it printed afterwards.
        if run is not None and not self._messages(run):
            return
        if run is not None:
            self._from_board(run)
            if self._run is not run:
                return
        if port is not None and connected:
            self._from_host(port, run)
            if self._to_host:
                sent = port.write(bytes(self._to_host))
                if sent:
                    del self._to_host[:sent]
                    self._moved_at = time.monotonic()
        if run is not None:
            self._to_vm(run)
            self._overdue(run)

    def _messages(self, run: Run) -> bool:
        """Take the VM's messages; return whether this run goes on."""
        over = False
        while True:
            try:
                data = run.messages.recv(65536)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                over = True
                break
            run.buffer += data
        at = 0
        buffer = bytes(run.buffer)
        while len(buffer) - at >= 7:
            tag, size, ms = struct.unpack_from("<BHI", buffer, at)
            if len(buffer) - at < 7 + size:
                break
            payload = buffer[at + 7 : at + 7 + size]
            at += 7 + size
            if not self._message(run, tag, ms, payload):
                return False
        del run.buffer[:at]
        if over:
            self._vm_ended(run)
            return False
        return True

    def _message(self, run: Run, tag: int, ms: int, payload: bytes) -> bool:
        what = chr(tag)
        if what in "PTDBAX":
            self.panel.message(tag, ms, payload)
        elif what == "H":
            run.ready = True
            self.memory = struct.unpack("<II", payload)
            self.panel.clock(ms)
        elif what == "M":
            run.begun = True
            run.held = run.enter_raw
            self.panel.message(tag, ms, payload)
        elif what == "L":
            run.begun = True
            run.console.repl_begins()
            self.panel.message(tag, ms, payload)
        elif what == "K":
            run.console.interrupt_char = struct.unpack("<h", payload)[0]
            self._send_lines("ok\n")
        elif what == "I":
            run.interrupted_at = 0.0
            run.taken_at = time.monotonic()
        elif what == "R":
            self._restart(main=True)
            return False
        elif what == "S":
            self._soft_reset(run, raw=run.console.raw and not run.console.in_main)
            return False
        elif what == "C":
            run.buffer.clear()
            self._power_off_now()
            self.cut.set()
            return False
        return True

    def _power_off_now(self) -> None:
        run = self._run
        self._run = None
        if run is not None:
            run.close()
        self._to_board.clear()
        self.panel.power_down()

    def _fail(self, reason: str) -> None:
        self._power_off_now()
        self.failure = reason
        self.panel.tell()

    def _soft_reset(self, run: Run, raw: bool) -> None:
        self._drain(run)
        self._queue_to_host(b"MPY: soft reboot\r\n")
        self._restart(main=not raw, raw=raw)

    def _drain(self, run: Run) -> None:
        with contextlib.suppress(OSError):
            while True:
                data = run.serial.recv(65536)
                if not data:
                    break
                run.console.from_board(data)
                self._queue_to_host(data)

    def _vm_ended(self, run: Run) -> None:
        code = run.process.wait()
        self._drain(run)
        if run.ready and code >= 0:
            self._soft_reset(run, run.console.ended_raw())
            return
        self.crashes += 1
        reason = f"signal {-code}" if code < 0 else f"code {code}"
        said = run.console.tail.decode("ascii", "replace").strip().splitlines()[-1:]
        young = time.monotonic() - run.started_at < 2
        if not run.ready or (young and self.crashes > 3):
            self._fail(f"the board's VM ended with {reason}" + (f": {said[0]}" if said else ""))
            return
        self._queue_to_host(f"\r\nthe board's VM ended with {reason} and is started again\r\n".encode())
        self._restart(main=True)

    def _queue_to_host(self, data: bytes) -> None:
        if self.port is None or not self.port.connected():
            return
        room = 2 * QUEUE - len(self._to_host)
        if not self._to_host:
            self._moved_at = time.monotonic()
        self._to_host += data[: max(room, 0)]

    def _from_board(self, run: Run) -> None:
        full = len(self._to_host) >= QUEUE
        if full and time.monotonic() - self._moved_at <= STALL_S:
            return
        try:
            data = run.serial.recv(QUEUE)
        except OSError:
            return
        if not data:
            return
        run.console.from_board(data)
        if not run.begun and b">>> " in run.console.tail and self._messages(run) and not run.begun:
            # At its prompt without having said that it is: the start itself failed.
            said = run.console.tail.rpartition(b"MicroPython")[0].decode("ascii", "replace").split("\n")
            self._fail("the board's VM ended with " + (" ".join(said[-2:]).strip() or "no reason given"))
            return
        if run.muted:
            if run.console.at_prompt:
                # The friendly banner is not what a raw soft reset shows.
                run.muted = False
                run.console.raw = True
                run.enter_raw = False
                run.serial.send(b"\x01")
            return
        if not full:
            self._queue_to_host(data)

    def _from_host(self, port: Port, run: Run | None) -> None:
        room = QUEUE - len(self._to_board)
        if room <= 0:
            return
        data = port.read(room)
        if not data or run is None:
            return
        while CTRL_C in data and run.console.interruptible():
            # Whatever came before is thrown away with it, as the board's receive ring is.
            data = data[data.index(CTRL_C) + 1 :]
            self._to_board.clear()
            if run.serial_theirs is not None:
                with contextlib.suppress(OSError):
                    run.serial_theirs.recv(65536, socket.MSG_DONTWAIT)
            if not run.interrupted_at:
                run.interrupted_at = time.monotonic()
                self._send_lines("int\n")
            run.held = True
        self._to_board += data

    def _to_vm(self, run: Run) -> None:
        console = run.console
        if run.muted:
            return
        if console.at_prompt and run.held:
            run.held = False
            if run.interrupted_at:
                # It got to the prompt by itself; there Ctrl-C clears the line.
                run.interrupted_at = 0.0
                self._send_lines("noint\n")
                self._to_board[:0] = b"\x03"
            run.taken_at = 0.0
        if run.held or not self._to_board:
            return
        # Up to an interrupt character only while the VM is at its prompt: afterwards it may be running.
        try:
            part = self._portion(console)
            if part:
                sent = run.serial.send(part)
                console.to_board(part[:sent])
                del self._to_board[:sent]
        except OSError:
            return

    def _portion(self, console: Console) -> bytes:
        data = bytes(self._to_board)
        if console.in_main or not console.at_prompt:
            return data
        ends = (4,) if console.raw else (13, 10, 4)
        for i, byte in enumerate(data):
            if byte in ends:
                return data[: i + 1]
        return data

    def _overdue(self, run: Run) -> None:
        now = time.monotonic()
        if run.taken_at and now - run.taken_at > CAUGHT_S:
            run.taken_at = 0.0
            run.held = False
        if run.interrupted_at and now - run.interrupted_at > INTERRUPT_S:
            self._queue_to_host(b"\r\nKeyboardInterrupt: the program did not answer and was stopped\r\n")
            self._restart(main=False)
