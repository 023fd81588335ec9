"""Everything that is said in words, from one catalogue per language.

The catalogues are gettext files in `locale/`; the message ids are keys such as `reason.not_your_turn`,
the texts hold {fields}. The table's own words are written from them by tools/make_words.py.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parent / "locale"
DEFAULT = "en"


@cache
def catalogue(language: str = DEFAULT) -> dict[str, str]:
    """Return all texts of a language by key.

    Raises FileNotFoundError for a language without a catalogue.
    """
    with (LOCALE / f"{language}.po").open("rb") as file:
        messages = read_po(file, locale=language)
    return {str(message.id): str(message.string) for message in messages if message.id and message.string}


def say(key: str, /, *, language: str = DEFAULT, **fields: object) -> str:
    """Return the text of a key with its fields filled in; the key itself if no text exists.

    Where n is 1 and the catalogue has a text of its own for that (the key with "_one"), it is taken.
    A field that the text has and the caller does not give stays as {field}: wording never fails.
    """
    texts = catalogue(language)
    template = texts.get(key + "_one") if fields.get("n") == 1 else None
    if template is None:
        template = texts.get(key)
    if template is None and language != DEFAULT:
        template = catalogue(DEFAULT).get(key)
    if template is None:
        return key
    return template.format_map(_Fields(fields))


class _Fields(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "{" + name + "}"
