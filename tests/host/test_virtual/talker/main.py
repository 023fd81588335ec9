"""A program for the virtual board's own tests: notes every edge, evaluates lines from the serial port."""

import asyncio
import os
import select
import sys
import time

from boards.pico import make

board = make()
events = []  # (control, 1 pressed or 0 released, board ms)


def scan():
    down = set()
    for n, seat in enumerate(board.seats, 1):
        if not seat():
            down.add("seat%d" % n)
    for row, legends in zip(board.rows, board.keys):
        row(0)
        for column, legend in zip(board.columns, legends):
            if not column():
                down.add(legend)
        row(1)
    return down


def walk(folder):
    for name, kind, *_ in os.ilistdir(folder):
        path = folder.rstrip("/") + "/" + name
        if kind & 0x4000:
            yield from walk(path)
        else:
            yield path


def show_slowly(frame, values):
    for frame[0] in values:
        board.pixels.show(frame)
        time.sleep_ms(20)


async def watch():
    before = set()
    while True:
        down = scan()
        if down != before:
            now = time.ticks_ms()
            for control in sorted(down | before):
                if (control in down) != (control in before):
                    events.append((control, int(control in down), now))
            before = down
        await asyncio.sleep_ms(2)


async def listen():
    stream = sys.stdin.buffer
    poller = select.poll()
    poller.register(stream, select.POLLIN)
    reader = asyncio.StreamReader(stream)
    line = b""
    while True:
        byte = await reader.read(1)
        while byte:
            if byte == b"\n":
                # A wait, in which the board feels what was done at the panel before the line was sent.
                await asyncio.sleep_ms(0)
                answer(line)
                line = b""
            else:
                line += byte
            if not poller.poll(0):
                break
            byte = stream.read(1)


def answer(line):
    try:
        try:
            value = eval(line, globals())
        except SyntaxError:
            value = exec(line, globals())
    except Exception as error:
        value = str(error)
    print("= %r" % (value,))


async def main():
    asyncio.create_task(watch())
    await listen()


print("talker is here")
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("talker was interrupted")
finally:
    board.blank()
    asyncio.new_event_loop()
