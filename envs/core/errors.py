"""The errors that a game raises. All survive pickling, so that they cross processes as they are."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Any


class IllegalActionError(ValueError):
    """An action that the rules do not allow now. Nothing has changed: an illegal action is never repaired.

    Attributes: ``agent`` (who was to act, in words), ``action`` (what was given), ``legal`` (numbers of the legal
    actions). ``GameSpec.illegal_action`` makes one.
    """

    def __init__(self, message: str, agent: str, action: Any, legal: Sequence[int]):
        super().__init__(message)
        self.agent, self.action, self.legal = agent, action, list(legal)

    def __reduce__(self) -> tuple:
        return (type(self), (str(self), self.agent, self.action, self.legal))


class GameOverError(ValueError):
    """A decision for a game that has ended; ``name`` says which."""

    def __init__(self, name: str):
        super().__init__(f"{name}: the game is over, no seat is to act; start a new one")
        self.name = name

    def __reduce__(self) -> tuple:
        return (type(self), (self.name,))


class UnknownParameterError(ValueError, TypeError):
    """A parameter that a game does not have.

    Also a TypeError with "unexpected keyword argument" in its text, since that is what Python raises for a wrong
    keyword, and what callers that try a keyword wait for.
    """


class ContractError(ValueError):
    """A game that cannot be one: ``problems`` names each function that is missing, misspelt or wrongly shaped."""

    def __init__(self, game: str, problems: Sequence[str]):
        super().__init__(f"{game} does not keep the contract of a game:\n- " + "\n- ".join(problems))
        self.game, self.problems = game, list(problems)

    def __reduce__(self) -> tuple:
        return (type(self), (self.game, self.problems))


@contextlib.contextmanager
def naming_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Whatever goes wrong with a file within, such as a full disk, is an OSError that names it."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        reason = error.strerror or str(error)
        raise OSError(error.errno or 0, reason, os.fspath(path)) from error
