"""Checks of the codec that run word for word on CPython and on MicroPython.

Run as a program it prints one line a check; the caller compares the lines of both interpreters.
"""

import sys


def lines(path):
    """Yield (number, kind, values, line) of the vectors file."""
    with open(path) as file:
        for text in file:
            if not text.startswith("#"):
                number, kind, values, line = text.rstrip("\n").split(" | ")
                yield int(number), kind, eval(values), line


def check_vectors(path):
    from tablelink import frames

    count = 0
    for number, kind, values, line in lines(path):
        data = (line + "\n").encode()
        assert frames.encode(number, kind, values) == data, line
        assert frames.Decoder().feed(data) == [(number, kind, values)], line
        count += 1
    return count


# What others have sent down such a line, and the good line that has to be all that counts.
HALF = b'..score":4}\n'
RAW = b"\x95\xed\xff\n"
LONG = b"x" * 5000 + b"\n"
MODEM = b"AT\rAT+GCAP\r\n~x~\r\n"
BOOT_TEXT = b"MPY: soft reboot\r\nTraceback (most recent call last):\r\n>>> "
GARBAGE = HALF + RAW + LONG + MODEM + b"~1,a,[]*00000000\n~1,a,[1*12345678\nA\x03B\n" + BOOT_TEXT


def check_garbage(_path):
    from tablelink import frames

    good = frames.encode(7, "hello", ["abcdef01", 1, 0, "x"])
    seen = []
    for size in (1, 2, 7, 63, 64, 65, 128, 10000):
        decoder = frames.Decoder()
        stream = GARBAGE + good + HALF + good
        found = []
        for start in range(0, len(stream), size):
            found += decoder.feed(stream[start : start + size])
        assert found == [(7, "hello", ["abcdef01", 1, 0, "x"])] * 2, size
        seen.append((decoder.good, decoder.bad_checksum, decoder.too_long, decoder.not_a_frame))
    for counts in seen:
        assert counts == seen[0], seen
    return seen[0]


def check_every_flip(_path):
    """No single wrong bit lets a line pass, or a wrong one in its place."""
    from tablelink import frames

    line = frames.encode(12, "say", ["abcdef01", 41, 35, 2, 0])
    passed = 0
    for place in range(len(line) - 1):
        for bit in range(8):
            bad = bytearray(line)
            bad[place] ^= 1 << bit
            passed += len(frames.Decoder().feed(bytes(bad)))
    assert passed == 0
    return passed


REFUSED = (
    b"",
    b"[",
    b"[1,]",
    b"[01]",
    b"[1 2]",
    b"[1]x",
    b"[1.5]",
    b"[1e5]",
    b"nul",
    b"{}",
    b'"a',
    b'"\\x"',
    b'"\\u12"',
    b'"\\u12g4"',
    b'"a\nb"',
    b'"\xc3\xa4"',
    b"-",
    b"[[[[[[[[[1]]]]]]]]]",
    b"123456789012345678901",
)


def check_refused(_path):
    from tablelink import asciijson

    for text in REFUSED:
        try:
            value = asciijson.loads(text)
        except ValueError:
            continue
        raise AssertionError((text, value))
    for value in (1.5, {}, b"x", [[[[[[[[[1]]]]]]]]]):
        try:
            asciijson.dumps(value)
        except TypeError:
            continue
        raise AssertionError(value)
    return len(REFUSED)


def check_half_pairs(_path):
    from tablelink import asciijson

    assert asciijson.loads(b'"\\ud83d"') == "\ufffd"
    assert asciijson.loads(b'"\\ud83d\\u0041"') == "\ufffdA"
    assert asciijson.loads(b'"\\udc00x"') == "\ufffdx"
    assert asciijson.loads(b'"\\uD83D\\uDE00\\/\\n"') == "\U0001f600/\n"
    assert asciijson.dumps("\ud83d") == '"\\ufffd"'
    return asciijson.dumps(["\U0001f600", "~", "\x7f"])


def check_chunks(_path):
    from tablelink import chunks, frames

    for length in (0, 1, 95, 96, 97, 1000):
        whole = bytes([index * 7 & 255 for index in range(length)])
        joiner = chunks.Joiner()
        offset = 0
        while True:
            chunk = chunks.cut(whole, offset)
            frames.encode(0xFFFFFFFF, "ack", ["abcdef01"] + chunk)
            done = joiner.add(chunk)
            if done is not None:
                break
            joiner.add(chunk)  # a repeat changes nothing
            offset += chunks.SIZE
        assert done == whole
    for bad in (
        ["00000000", 0, 9000, ""],
        ["00000000", 5, 10, ""],
        ["00000000", 0, 1, "AA="],
        ["00000000", 0, 1, "AA=="],
        ["00000000", 0, -1, ""],
        ["00000000", 0, True, ""],
        [],
        [1, 0, 1, "AA=="],
        ["00000000", 0, 1, "A\u00e4=="],
    ):
        try:
            done = chunks.Joiner().add(bad)
        except ValueError:
            continue
        raise AssertionError((bad, done))
    return chunks.mark(whole)


def check_fingerprint(_path):
    from tablelink.fingerprint import canonical, fingerprint

    items = [("sound", 2), ("names", ["\u0905", ""]), ("brightness", 7)]
    assert fingerprint(items) == fingerprint(list(reversed(items)))
    assert fingerprint(items) != fingerprint(items[:2])
    return canonical(items), fingerprint(items)


def check_too_long(_path):
    from tablelink import frames

    left = frames.room(1, "a", [""])
    line = frames.encode(1, "a", ["x" * left])
    assert len(line) == frames.LONGEST
    for end in (b"\n", b"\r\n"):
        assert len(frames.Decoder().feed(line[:-1] + end)) == 1
    try:
        frames.encode(1, "a", ["x" * (left + 1)])
    except ValueError:
        return left
    raise AssertionError("one byte too long")


CHECKS = (
    check_vectors,
    check_garbage,
    check_every_flip,
    check_refused,
    check_half_pairs,
    check_chunks,
    check_fingerprint,
    check_too_long,
)


def main(path):
    for check in CHECKS:
        print(check.__name__, check(path))


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    main(sys.argv[2])
