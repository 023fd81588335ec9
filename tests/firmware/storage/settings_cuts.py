"""Saves settings on littlefs, records each operation on the flash and cuts the power at each of them.

Prints `cuts <n> bad <n> operations <n> saves <n> erases <n>` last.
"""

from flash import Flash, play, unmount
from table.settings import Settings

BLOCKS = 16


def main():
    flash = Flash(BLOCKS)
    flash.make()
    flash.operations = []
    image = bytes(flash.data)
    flash.mount()
    settings = Settings("/f")
    states = [None, dict(settings.items())]  # None: the board id is not written yet
    marks = [(len(flash.operations), 1)]
    for n in range(9):
        settings.set("brightness", n % 9 + 1)
        settings.set("names", ["Åsa " + str(n) * 5, "अनु", "", "x" * 30, "", ""])
        settings.set("players", [n * 1000 + seat for seat in range(6)])
        states.append(dict(settings.items()))
        assert settings.save_now()
        marks.append((len(flash.operations), len(states) - 1))
    unmount()
    erases = flash.erases
    operations = flash.operations
    data = bytearray(image)
    cuts = bad = 0
    for number in range(len(operations) + 1):
        for torn in (0, 1, 2):
            cut = bytearray(data)
            if torn:
                if number == len(operations):
                    break
                play(cut, operations[number], torn)
            durable = 0
            for mark in marks:
                if mark[0] <= number:
                    durable = mark[1]
            chip = Flash(BLOCKS, cut)
            chip.mount()
            found = Settings("/f")
            value = dict(found.items())
            cuts += 1
            wrong = value not in states[max(durable, 1) : durable + 2]
            if durable == 0:
                wrong = value["brightness"] != 5 or len(value["board_id"]) != 8
            if wrong or found.fault is not None:
                bad += 1
                print("cut at", number, torn, found.fault)
            unmount()
        if number < len(operations):
            play(data, operations[number], 0)
    print("cuts", cuts, "bad", bad, "operations", len(operations), "saves", 9, "erases", erases)


main()
