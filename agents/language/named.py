"""A language agent by name, for commands: ``language:MODULE.FUNCTION,KEY=VALUE``."""

import importlib
import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from ...envs.core.plain_yaml import yes_or_no
from .agent import LanguageAgent

LANGUAGE = "language"
FORM = "language:MODULE.FUNCTION, a function that takes a text and returns one"


def _truth(word: str) -> bool:
    found = yes_or_no(word)
    if not isinstance(found, bool):
        raise ValueError(word)
    return found


READERS: dict[str, Callable[[str], Any]] = {
    "told": str,
    "rules": str,
    "retries": int,
    "forced": _truth,
    "at_once": int,
    "transcripts": str,
}


def load_language(text: str) -> LanguageAgent:
    """The agent that is meant by what follows ``language:``; ValueError says what is wrong and what is allowed.

    The module is looked for in the current folder, too.
    """
    place, *entries = (part.strip() for part in text.split(","))
    agent = f"agent '{LANGUAGE}:{text}'"
    options: dict[str, Any] = {}
    for entry in filter(None, entries):
        key, _, value = (part.strip() for part in entry.partition("="))
        if key not in READERS or not value:
            near = get_close_matches(key, READERS, 1)
            hint = f"did you mean {near[0]!r}? " if near and near[0] != key else ""
            raise ValueError(f"{agent}: {hint}{entry!r} is none of {', '.join(f'{name}=' for name in READERS)}")
        try:
            options[key] = READERS[key](value)
        except ValueError:
            raise ValueError(f"{agent}: {key}={value} cannot be read") from None
    ask = _function(place, agent)
    try:
        return LanguageAgent(ask, place, **options)
    except ValueError as error:
        raise ValueError(f"{agent}: {error}") from None


def _function(place: str, agent: str) -> Any:
    module, _, name = place.rpartition(".")
    if not module or not name:
        raise ValueError(f"{agent}: {FORM}, is wanted")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError(f"{agent}: no module {error.name!r}, also not in {os.getcwd()}; {FORM}") from None
    if not callable(getattr(found, name, None)):
        raise ValueError(f"{agent}: {module} has no function {name!r}; {FORM}")
    return getattr(found, name)
