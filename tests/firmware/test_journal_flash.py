"""The journal on littlefs in the real VM: what it costs the flash, power cuts, a full flash."""

import sys
from pathlib import Path

STORAGE = Path(__file__).resolve().parent / "storage"
if str(STORAGE) not in sys.path:
    sys.path.insert(0, str(STORAGE))

import vm  # noqa: E402


def test_a_match_costs_the_flash_little():
    """About 1,000 announcements of Last Card with merges, checkpoints, settings and two boots."""
    line = vm.run("erases.py", 1, 0, 0)[-1]
    print(line)
    cost = vm.figures(line)
    assert 900 <= cost["announcements"] <= 1100
    assert cost["thousandths"] <= 250
    # An erase stops the table for 45 ms: one after an announcement, few more in one step of tidying up.
    assert cost["worst"] <= 2
    assert cost["worst_calm"] <= 4
    # littlefs moves a directory after 100 erases of its block, so none wears much more than the rest.
    assert cost["hottest"] <= 110
    assert cost["heap"] <= 8192


def test_short_and_long_rounds_cost_the_flash_little_too():
    for rounds, plays in ((40, 18), (5, 180)):
        cost = vm.figures(vm.run("erases.py", 0, rounds, plays)[-1])
        assert cost["thousandths"] <= 250, (rounds, plays)


def test_nothing_durable_is_lost_wherever_the_power_is_cut():
    """At many operations on the flash: done, half done, and with every other bit done."""
    for every, offset, seed in ((4, 1, 0), (8, 3, 1), (8, 5, 2)):
        lines = vm.run("cuts.py", every, offset, seed, heap="24m")
        tried = vm.figures(lines[-1])
        assert tried["bad"] == 0, lines
        assert tried["records"] > 200
        assert tried["cuts"] * every > 1000


def test_a_full_flash_does_not_stop_play():
    seen = dict(line.split(" ", 1) for line in vm.run("full.py", heap="16m"))
    assert seen == {
        "before_first": "1",
        "room_made_first": "True",
        "room_made_kept": "True",
        "room_made_durable": "True",
        "reopened_last": "True",
        "full_fault": "flash_full",
        "full_waiting": "True",
        "cut_state": "True",
        "after_fault": "None",
        "after_durable": "True",
        "again_state": "True",
        "again_last": "True",
        "again_id": "True",
        "again_read": "True",
        "first_fault": "flash_full",
        "first_last": "True",
        "first_after": "None",
        "first_durable": "True",
    }
