"""The codec: the same lines and the same refusals on CPython and in the board's VM."""

import contextlib
import io
import random
import shutil
import subprocess
import sys
from pathlib import Path

import codec_checks
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tablelink import asciijson, chunks, frames

HERE = Path(__file__).parent
ENGINE = HERE.parent.parent / "engine"
VM = shutil.which("micropython", path=str(Path(sys.executable).parent)) or "micropython"
VECTORS = str(HERE / "vectors.txt")


@pytest.mark.parametrize("check", codec_checks.CHECKS, ids=lambda check: check.__name__)
def test_check(check):
    check(VECTORS)


def test_both_interpreters_print_the_same():
    here = io.StringIO()
    with contextlib.redirect_stdout(here):
        codec_checks.main(VECTORS)
    there = subprocess.run(
        [VM, str(HERE / "codec_checks.py"), str(ENGINE), VECTORS], capture_output=True, timeout=60
    )
    assert there.stderr == b""
    assert there.stdout.decode() == here.getvalue()
    assert len(here.getvalue().splitlines()) == len(codec_checks.CHECKS)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_any_value_comes_back(value):
    text = asciijson.dumps(value)
    assert text.isascii() and text.isprintable() and "~" not in text
    assert asciijson.loads(text.encode()) == value


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=40))
def test_any_bytes_are_a_value_or_a_refusal(data):
    try:
        value = asciijson.loads(data)
    except ValueError:
        return
    assert asciijson.loads(asciijson.dumps(value).encode()) == value


@pytest.mark.parametrize("seed", range(40))
def test_cutting_the_stream_changes_nothing(seed):
    dice = random.Random(seed)
    pieces = [
        frames.encode(dice.randrange(99), "ping", [dice.randrange(999)]),
        b"~",
        b"\n",
        b"\r\n",
        b" " * 241,
        b"x" * 239,
        b"~1,a,[]*",
        bytes(dice.randrange(256) for _ in range(20)),
        frames.encode(1, "a", ["x" * 200])[:-1],
    ]
    stream = b"".join(dice.choice(pieces) for _ in range(60))
    results = []
    for size in (len(stream), 1, dice.randrange(2, 130)):
        decoder = frames.Decoder()
        found = []
        for start in range(0, len(stream), size):
            found += decoder.feed(stream[start : start + size])
        counts = (decoder.good, decoder.bad_checksum, decoder.too_long, decoder.not_a_frame)
        results.append((found, counts))
    assert results[0] == results[1] == results[2]


def test_the_decoder_keeps_no_more_than_a_line():
    decoder = frames.Decoder()
    for _ in range(1000):
        decoder.feed(b"y" * 100)
    assert len(decoder._line) <= frames.LONGEST


def test_the_whole_of_two_versions_is_never_joined():
    first, second = bytes(200), bytes(199) + b"x"
    joiner = chunks.Joiner()
    assert joiner.add(chunks.cut(first, 0)) is None
    with pytest.raises(ValueError):
        joiner.add(chunks.cut(second, chunks.SIZE))
    assert joiner.next == 0
