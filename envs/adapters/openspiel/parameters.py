"""A game's parameters as OpenSpiel's: numbers, truths and words, structures as their text.

A number that follows from others where it is not given is below all that it may be: -1, mostly. A structure is USUAL
where it is not given, since OpenSpiel cannot read one back from a game's string.
"""

from collections.abc import Mapping
from typing import Any

from ...core.spec import GameSpec, Option, option_text

PREFIX = "poopdeck_"
USUAL = "usual"


def usual_variant(spec: GameSpec) -> str:
    """The name of the variant that changes nothing."""
    usual = spec.settings()
    return next((name for name in spec.variants if spec.settings(variant=name) == usual), "default")


def parameters_of(spec: GameSpec) -> dict[str, Any]:
    """Every parameter with its default: ``players``, ``variant``, and the game's own."""
    own = {
        option.name: USUAL if _structured(option) and not _follows(option) else _plain(option.default, option)
        for option in spec.options
        if option.name != "variant"
    }
    return {"players": spec.default_players, "variant": usual_variant(spec), **own}


def _follows(option: Option) -> bool:
    """Whether it is a number that follows from others."""
    return option.default is None and option.read is None and not option.choices


def _plain(value: Any, option: Option) -> Any:
    if _follows(option):
        return min(-1, int(option.low or 0) - 1) if value is None else int(value)
    return option_text(value) if _structured(option) else value


def _structured(option: Option) -> bool:
    return option.read is not None or option.default is None


def settings_of(spec: GameSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """The complete settings. OpenSpiel fills in defaults, so a parameter counts as given where it is another.

    Raises:
        ValueError: names a value that is not allowed, and what is.
    """
    usual = parameters_of(spec)
    options = {name: value for name, value in given.items() if value != usual.get(name)}
    players, variant = options.pop("players", None), options.pop("variant", None)
    return spec.settings(players, variant, **spec.parse_options(options))


def given_for(spec: GameSpec, settings: Mapping[str, Any]) -> dict[str, Any]:
    """OpenSpiel's parameters for a game with these settings."""
    own = any(option.name == "variant" for option in spec.options)
    variant = settings["variant"] if own else usual_variant(spec)
    usual = spec.settings(settings["num_players"], variant)
    given = {
        option.name: _plain(settings[option.name], option)
        for option in spec.options
        if option.name != "variant"
        and settings.get(option.name) is not None  # some are there only if they are set
        and (_follows(option) or settings[option.name] != usual.get(option.name))
    }
    return {"players": settings["num_players"], "variant": variant, **given}
