"""The keyword arguments of an interface: its own, and beside them the game's parameters."""

import inspect
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from ..core.errors import UnknownParameterError
from ..core.spec import GameSpec


def read_parameters(
    interface: type, spec: GameSpec, num_players: int | None, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """The complete settings, for an interface whose ``__init__`` took ``parameters`` beside its own arguments.

    Raises:
        UnknownParameterError: a name that neither the interface nor the game knows; names the nearest of both.
        ValueError: a value that is not allowed.
    """
    try:
        return spec.settings(num_players, **parameters)
    except UnknownParameterError as error:
        kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        own = [name for name, one in inspect.signature(interface).parameters.items() if one.kind in kinds]
        own = [name for name in own if name not in ("game", "num_players")]
        known = ["num_players", "variant", *own, *(option.name for option in spec.options)]
        unknown = next(name for name in parameters if name not in known)
        near = get_close_matches(unknown, known, 1)
        if near and near[0] in own:
            beside = f"beside the game's parameters this interface takes {', '.join(own)}"
            raise UnknownParameterError(
                f"{spec.name} has no parameter {unknown!r}: did you mean {near[0]!r}? {beside} "
                f"(unexpected keyword argument {unknown!r})"
            ) from None
        raise error
