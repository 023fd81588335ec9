"""The demo board: the firmware in CPython, where there is no MicroPython VM.

Run as a script of its own: port and secret of the supervisor, the folder that stands for the flash,
the chip's number, speed in thousandths, milliseconds since power-on. The stand-ins of the real VM
are used as they are; this file gives them and the firmware the few modules that only MicroPython
has, and keeps every path inside the folder.

It shows how the table works and is no evidence about the firmware: no limit to the heap, no
littlefs, no prompt.
"""

from __future__ import annotations

import builtins
import gc
import io
import os
import select
import socket
import struct
import sys
import threading
import time
import traceback
from collections import namedtuple
from collections.abc import Callable, Coroutine, Generator, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

HERE = Path(__file__).resolve().parent
PROMPT = b"The console needs the real MicroPython VM. Ctrl-D starts the table again.\r\n>>> "


def connect(port: int, secret: str, role: str) -> socket.socket:
    """Return a connection to the supervisor: s serial line, p from the panel, m messages to it."""
    end = socket.create_connection(("127.0.0.1", port), 20)
    end.settimeout(None)
    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    end.sendall(secret.encode() + role.encode())
    return end


class Line:
    """A socket with the methods of MicroPython's streams."""

    def __init__(self, end: socket.socket, *, blocking: bool) -> None:
        self.socket = end
        self.blocking = blocking
        self.buffer = self

    def fileno(self) -> int:
        return self.socket.fileno()

    def readable(self) -> bool:
        """Return whether a read would give something at once."""
        return bool(select.select([self.socket], [], [], 0)[0])

    def readinto(self, target: bytearray) -> int | None:
        if not self.blocking and not self.readable():
            return None
        try:
            return self.socket.recv_into(target)
        except OSError:
            return 0

    def read(self, count: int) -> bytes:
        try:
            return self.socket.recv(count)
        except OSError:
            return b""

    def write(self, data: Any) -> int:
        # A supervisor that is gone ends this process by the panel's line; until then it is dropped.
        try:
            self.socket.sendall(data.encode() if isinstance(data, str) else data)
        except OSError:
            time.sleep(0.01)
        return len(data)

    def flush(self) -> None:
        pass


class Poll:
    """select.poll() as MicroPython has it, over Lines."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Line, int]] = {}

    def register(self, line: Line, mask: int) -> None:
        self._lines[id(line)] = (line, mask)

    def poll(self, ms: int = -1) -> list[tuple[Line, int]]:
        reads = [line for line, mask in self._lines.values() if mask & 1]
        writes = [line for line, mask in self._lines.values() if mask & 4]
        limit = None if ms < 0 else ms / 1000
        can_read, can_write, _ = select.select(reads, writes, [], limit)
        return [(line, 1) for line in can_read] + [(line, 4) for line in can_write]


class Task:
    """A coroutine that runs in the loop."""

    def __init__(self, coro: Coroutine[Any, Any, Any]) -> None:
        self.coro = coro
        self.due = 0
        self.reads: Line | None = None
        self.throw: BaseException | None = None
        self.finished = False
        self.error: BaseException | None = None
        self.value: Any = None
        self.waiting: list[Task] = []

    def done(self) -> bool:
        return self.finished

    def cancel(self) -> bool:
        if self.finished or self is loop.current:
            return False
        self.throw = CancelledError()
        loop.wake(self)
        return True

    def __await__(self) -> Generator[Any, None, Any]:
        if not self.finished:
            yield ("join", self)
        if self.error is not None:
            raise self.error
        return self.value


class CancelledError(BaseException):
    """As in MicroPython."""


class TimeoutError(Exception):
    """As in MicroPython."""


class Pause:
    """What a coroutine awaits; the loop reads what it wants."""

    def __init__(self, *wants: Any) -> None:
        self.wants = wants

    def __await__(self) -> Generator[Any, None, None]:
        yield self.wants


class Event:
    """As in MicroPython's asyncio."""

    def __init__(self) -> None:
        self.state = False
        self.waiting: list[Task] = []

    def is_set(self) -> bool:
        return self.state

    def set(self) -> None:
        self.state = True
        for task in self.waiting:
            loop.wake(task)
        self.waiting = []

    def clear(self) -> None:
        self.state = False

    async def wait(self) -> bool:
        if not self.state:
            await Pause("event", self)
        return True


class StreamReader:
    """As in MicroPython's asyncio, as much of it as the firmware uses."""

    def __init__(self, stream: Line) -> None:
        self.stream = stream

    async def read(self, count: int) -> bytes:
        await Pause("read", self.stream)
        return self.stream.read(count)


class Loop:
    """Runs tasks on the board's clock and takes what the panel sends while all of them wait."""

    def __init__(self, panel: Any) -> None:
        self.panel = panel
        self.current: Task | None = None
        self.handler: Callable[[Any, dict[str, Any]], None] | None = None
        self.renew()

    def renew(self) -> Loop:
        self.ready: list[Task] = []
        self.sleeping: list[Task] = []
        self.reading: list[Task] = []
        self.parked: list[Task] = []
        return self

    def set_exception_handler(self, handler: Callable[[Any, dict[str, Any]], None]) -> None:
        self.handler = handler

    def create_task(self, coro: Coroutine[Any, Any, Any]) -> Task:
        task = Task(coro)
        self.ready.append(task)
        return task

    def wake(self, task: Task) -> None:
        """Make a waiting task run."""
        for crowd in (self.sleeping, self.reading, self.parked):
            if task in crowd:
                crowd.remove(task)
                self.ready.append(task)

    def run(self, coro: Coroutine[Any, Any, Any]) -> Any:
        main = self.create_task(coro)
        while not main.finished:
            self._wait()
            for task in self.ready[:]:
                self.ready.remove(task)
                self._step(task)
                if main.finished:
                    break
        if main.error is not None:
            raise main.error
        return main.value

    def _wait(self) -> None:
        self.panel.poll()
        now = self.panel.ticks_ms()
        limit = 0 if self.ready else min((max(task.due - now, 0) for task in self.sleeping), default=-1)
        limit = self.panel.until_edge(limit)
        lines: list[Line] = [task.reads for task in self.reading if task.reads is not None]
        seconds = None if limit < 0 else limit / self.panel.speed
        found, _, _ = select.select([*lines, self.panel._in], [], [], seconds)
        self.panel.poll()
        for task in self.reading[:]:
            if task.reads in found:
                self.wake(task)
        now = self.panel.ticks_ms()
        for task in sorted(self.sleeping, key=lambda one: one.due):
            if task.due <= now:
                self.wake(task)

    def _step(self, task: Task) -> None:
        self.current = task
        try:
            if task.throw is not None:
                error, task.throw = task.throw, None
                wants = task.coro.throw(error)
            else:
                wants = task.coro.send(None)
        except StopIteration as end:
            self._finish(task, end.value, None)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self._finish(task, None, error)
        else:
            self._park(task, wants)
        finally:
            self.current = None

    def _park(self, task: Task, wants: tuple[str, Any]) -> None:
        what, of = wants
        if what == "sleep":
            task.due = self.panel.ticks_ms() + max(of, 0)
            self.sleeping.append(task)
        elif what == "read":
            task.reads = of
            self.reading.append(task)
        else:
            of.waiting.append(task)
            self.parked.append(task)

    def _finish(self, task: Task, value: Any, error: BaseException | None) -> None:
        task.finished, task.value, task.error = True, value, error
        waited = bool(task.waiting)
        for other in task.waiting:
            self.wake(other)
        if error is not None and not waited and not isinstance(error, CancelledError) and self.handler:
            self.handler(self, {"message": "a task failed", "exception": error, "future": task})


loop: Loop


def make_asyncio(panel: Any) -> ModuleType:
    """Return what the firmware imports as asyncio."""
    global loop
    loop = Loop(panel)

    def sleep_ms(ms: int) -> Pause:
        return Pause("sleep", ms)

    async def wait_for_ms(coro: Coroutine[Any, Any, Any], ms: int) -> Any:
        task = loop.create_task(coro)
        end = panel.ticks_ms() + ms
        while not task.finished and panel.ticks_ms() < end:
            await sleep_ms(2)
        if not task.finished:
            task.cancel()
            raise TimeoutError
        return await task

    async def gather(*tasks: Any) -> list[Any]:
        started = [one if isinstance(one, Task) else loop.create_task(one) for one in tasks]
        return [await task for task in started]

    return module(
        "asyncio",
        CancelledError=CancelledError,
        TimeoutError=TimeoutError,
        Event=Event,
        StreamReader=StreamReader,
        Task=Task,
        create_task=lambda coro: loop.create_task(coro),
        current_task=lambda: loop.current,
        gather=gather,
        get_event_loop=lambda: loop,
        new_event_loop=lambda: loop.renew(),
        run=lambda coro: loop.run(coro),
        sleep=lambda seconds: sleep_ms(int(seconds * 1000)),
        sleep_ms=sleep_ms,
        wait_for=lambda coro, seconds: wait_for_ms(coro, int(seconds * 1000)),
        wait_for_ms=wait_for_ms,
    )


def module(name: str, **names: Any) -> ModuleType:
    """Return a module with these names in it."""
    made = ModuleType(name)
    made.__dict__.update(names)
    return made


class World:
    """What firmware and stand-ins can import and open."""

    def __init__(self, root: Path, serial: Line, panel_in: Line, panel_out: Line) -> None:
        self.root = root.resolve()
        self.serial = serial
        self.numbered = {3: panel_in, 4: panel_out}
        self.builtins = dict(vars(builtins))
        self.builtins["__import__"] = self.import_
        self.builtins["open"] = self.open
        self.builtins["print"] = self.print
        self.modules: dict[str, ModuleType] = {}
        self.modules |= {"utime": self._utime(), "umachine": module("umachine", idle=lambda: None)}
        self.modules |= {"select": module("select", poll=Poll, POLLIN=1, POLLOUT=4), "os": self._os()}
        self.modules["gc"] = module(
            "gc",
            collect=gc.collect,
            mem_alloc=lambda: 0,
            mem_free=lambda: 0,
            threshold=lambda *size: -1,
            enable=lambda: None,
            disable=lambda: None,
        )
        self.modules["sys"] = module(
            "sys",
            stdin=serial,
            stdout=serial,
            stderr=serial,
            platform="cpython",
            implementation=SimpleNamespace(name="cpython", version=sys.version_info[:3]),
            path=[""],
            modules=self.modules,
            maxsize=sys.maxsize,
            byteorder=sys.byteorder,
            exit=sys.exit,
            print_exception=self.print_exception,
        )

    # Modules and files.

    def import_(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        """Import for the board: its own modules first, then stand-ins, then Python's."""
        if level:
            package = globals["__package__"].split(".")
            base = package[: len(package) - level + 1]
            name = ".".join([*base, name] if name else base)
        found = self._load(name)
        if found is None:
            return builtins.__import__(name, globals, locals, fromlist, 0)
        if fromlist:
            for wanted in fromlist:
                if not hasattr(found, wanted):
                    self._load(f"{name}.{wanted}")
            return found
        return self.modules[name.partition(".")[0]]

    def _load(self, name: str) -> ModuleType | None:
        if name in self.modules:
            return self.modules[name]
        above, _, last = name.rpartition(".")
        if above and self._load(above) is None:
            return None
        file, package = self._file(name)
        if file is None:
            return None
        made = ModuleType(name)
        made.__dict__["__builtins__"] = self.builtins
        made.__dict__["__package__"] = name if package else above
        made.__dict__["__file__"] = "/" + file.name
        self.modules[name] = made
        try:
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), made.__dict__)
        except BaseException:
            del self.modules[name]
            raise
        if above:
            setattr(self.modules[above], last, made)
        return made

    def _file(self, name: str) -> tuple[Path | None, bool]:
        path = self.root.joinpath(*name.split("."))
        if (path / "__init__.py").is_file():
            return path / "__init__.py", True
        if path.with_suffix(".py").is_file():
            return path.with_suffix(".py"), False
        stand_in = HERE / "stand_ins" / f"{name}.py"
        if name in ("_panel", "machine", "neopixel", "rp2", "time") and stand_in.is_file():
            return stand_in, False
        return None, False

    def path(self, name: Any) -> Path:
        """Return where a path of the board lies; never outside its folder."""
        inside = os.path.normpath("/" + str(name)).lstrip("/\\")
        return self.root / inside

    def open(self, name: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
        if isinstance(name, int):
            return self.numbered[name]
        if "b" not in mode:
            options.setdefault("encoding", "utf-8")
            options.setdefault("newline", "\n")
        return open(self.path(name), mode, *more, **options)

    def run(self, name: str) -> None:
        """Run a file of the board as its main program."""
        names = {"__name__": "__main__", "__builtins__": self.builtins, "__package__": ""}
        exec(compile(self.path(name).read_text(encoding="utf-8"), name, "exec"), names)

    def print(self, *values: Any, sep: str = " ", end: str = "\n", file: Any = None) -> None:
        (file or self.serial).write(sep.join(str(value) for value in values) + end)

    def print_exception(self, error: BaseException, file: Any = None) -> None:
        self.print("".join(traceback.format_exception(error)), end="", file=file)

    def _utime(self) -> ModuleType:
        def ticks_ms() -> int:
            return time.monotonic_ns() // 1_000_000

        return module(
            "utime",
            gmtime=time.gmtime,
            localtime=time.localtime,
            mktime=lambda parts: int(time.mktime((*parts[:8], -1))),
            time=time.time,
            time_ns=time.time_ns,
            ticks_ms=ticks_ms,
            ticks_us=lambda: time.monotonic_ns() // 1000,
            ticks_cpu=time.monotonic_ns,
            ticks_add=lambda ticks, delta: ticks + delta,
            ticks_diff=lambda a, b: a - b,
            sleep_ms=lambda ms: time.sleep(ms / 1000),
            sleep_us=lambda us: time.sleep(us / 1_000_000),
        )

    def _os(self) -> ModuleType:
        def stat(name: str) -> tuple[int, ...]:
            found = self.path(name).stat()
            kind = 0x4000 if self.path(name).is_dir() else 0x8000
            return (kind, 0, 0, 0, 0, 0, found.st_size, *(int(found.st_mtime),) * 3)

        def ilistdir(name: str = "/") -> Iterator[tuple[str, int, int, int]]:
            for entry in sorted(self.path(name).iterdir()):
                folder = entry.is_dir()
                yield entry.name, 0x4000 if folder else 0x8000, 0, 0 if folder else entry.stat().st_size

        def rename(old: str, new: str) -> None:
            self.path(old).replace(self.path(new))

        uname = namedtuple("uname", ("sysname", "nodename", "release", "version", "machine"))
        return module(
            "os",
            sep="/",
            stat=stat,
            ilistdir=ilistdir,
            listdir=lambda name="/": [entry[0] for entry in ilistdir(name)],
            mkdir=lambda name: self.path(name).mkdir(),
            rmdir=lambda name: self.path(name).rmdir(),
            remove=lambda name: self.path(name).unlink(),
            unlink=lambda name: self.path(name).unlink(),
            rename=rename,
            statvfs=lambda name: (4096, 4096, 256, 200, 200, 0, 0, 0, 0, 255),
            getcwd=lambda: "/",
            chdir=lambda name: None,
            urandom=os.urandom,
            sync=lambda: None,
            uname=lambda: uname("cpython", "demo", "0", "demo board", "Chautari demo board"),
        )


def watch(panel_in: Line) -> None:
    """End this process when the supervisor is gone, even if the program hangs."""
    while True:
        time.sleep(0.5)
        try:
            if panel_in.readable() and not panel_in.socket.recv(1, socket.MSG_PEEK):
                os._exit(0)
        except OSError:
            os._exit(0)


def main() -> None:
    """Be the board until the supervisor ends this process."""
    port, secret, root, chip, speed, age_ms = sys.argv[1:]
    serial = Line(connect(int(port), secret, "s"), blocking=True)
    panel_in = Line(connect(int(port), secret, "p"), blocking=False)
    panel_out = Line(connect(int(port), secret, "m"), blocking=True)
    threading.Thread(target=watch, args=(panel_in,), daemon=True).start()
    world = World(Path(root), serial, panel_in, panel_out)
    panel: Any = world.import_("_panel")
    panel.start(int(speed), int(age_ms))
    world.modules["asyncio"] = make_asyncio(panel)

    def kbd_intr(char: int) -> None:
        panel.ask(75, struct.pack("<h", char))

    world.modules["micropython"] = module(
        "micropython",
        const=lambda value: value,
        kbd_intr=kbd_intr,
        mem_info=lambda *detail: None,
        alloc_emergency_exception_buf=lambda size: None,
    )
    machine: Any = world.import_("machine")
    machine._chip = bytes.fromhex(chip)
    going: list[bool] = []
    panel.on_line[b"go"] = lambda words: going.append(True)
    panel.send(72, struct.pack("<II", 0, 0))  # H
    while not going:
        panel._read()
        time.sleep(0.001)
    panel._run_edges()
    if world.path("main.py").is_file():
        panel.send(77)  # M
        try:
            world.run("main.py")
        except SystemExit:
            machine.soft_reset()
        except BaseException as error:
            world.print_exception(error)
    panel.send(76)  # L
    serial.write(PROMPT)
    while serial.read(1) not in (b"\x04", b""):
        pass
    sys.exit(0)


if __name__ == "__main__":
    # What a stand-in raises on its own must not be hidden by a missing console.
    sys.stdout = sys.stderr = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    main()
