"""The table's end of the link with a fake application, run in the board's VM on a real line.

Arguments: firmware folder, engine folder, folder of this file. Standard error tells the caller what
happened; standard output is the line.
"""

import sys

for place, folder in enumerate(sys.argv[1:4]):
    sys.path.insert(place, folder)

import asyncio  # noqa: E402
import time  # noqa: E402

from fake_app import FakeApp  # noqa: E402
from table.link import Console, Link  # noqa: E402


def tell(text):
    sys.stderr.write(text + "\n")


async def play(app):
    """Says one announcement when told so by a press of `5`, as a person would; writes the flash."""
    seen = 0
    while True:
        await asyncio.sleep_ms(10)
        app.journal.flush()
        while seen < len(app.pressed):
            control, down = app.pressed[seen]
            seen += 1
            tell(f"press {control} {int(down)}")
            if control == "5" and down:
                app.say(35, 0, 1)
            if control == "6" and down:
                app.playing = not app.playing
            if control == "7" and down:
                for number in range(100):
                    app.say(36, number % 6, number)


async def beat():
    """Tells the longest time that other tasks did not get their turn."""
    worst = 0
    last = time.ticks_ms()
    while True:
        await asyncio.sleep_ms(5)
        now = time.ticks_ms()
        if now - last > worst:
            worst = now - last
            tell(f"beat {worst}")
        last = now


async def main():
    app = FakeApp(time.ticks_ms, time.ticks_diff)
    console = Console()
    link = Link(app, console.read, console.write)
    others = [asyncio.create_task(play(app)), asyncio.create_task(beat())]
    tell("ready")
    tell("left " + await link.serve())
    for other in others:
        other.cancel()


asyncio.run(main())
