"""main.py of a virtual board whose application is a fake: the link, the console and the real board."""

import asyncio

from boards.pico import make
from fake_app import FakeApp
from table.link import Console, Link

board = make()
app = FakeApp(board.ticks_ms, board.ticks_diff)
app.board = board


async def flash(app):
    seen = 0
    while True:
        await asyncio.sleep_ms(10)
        app.journal.flush()
        while seen < len(app.pressed):
            control, down = app.pressed[seen]
            seen += 1
            if control == "6" and down:
                app.playing = not app.playing


async def serve():
    console = Console()
    link = Link(app, console.read, console.write)
    other = asyncio.create_task(flash(app))
    left = await link.serve()
    other.cancel()
    return left


try:
    if asyncio.run(serve()) == "reset":
        board.reset()
except KeyboardInterrupt:
    print("stopped")
finally:
    board.interrupt_char(3)
    asyncio.new_event_loop()
