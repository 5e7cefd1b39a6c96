"""Configs from YAML files and ``key=value`` pairs, later ones win; errors say where a key came from."""

import pathlib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import resources
from typing import Any, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from ...envs.core.plain_yaml import Loader
from . import registry
from .schema import TrainConfig

BASE = "base"  # a file's key that names the configs it changes
# Keys of earlier versions
RENAMED = {
    "selfplay.mirror_share": "ppo.self_play_share",
    "selfplay": "ppo",
    "ppo.mirror_share": "ppo.self_play_share",
    "capped": "truncated_as",
}


class ConfigError(ValueError):
    """A config that cannot be used; the message names the key, where it stands and what is allowed."""


class Layers:
    """Configs laid over each other: ``content`` is the sum, ``places`` says where each dotted key was set last."""

    def __init__(self) -> None:
        self.content: dict[str, Any] = {}
        self.places: dict[str, str] = {}
        self._sections: list[tuple[str, list[str], Mapping[str, str]]] = []  # of each layer: algo, sections, places

    def lay(self, content: Mapping[str, Any], places: Mapping[str, str]) -> None:
        """Adds a layer; its keys must be known."""
        algo = content.get("algo")
        if isinstance(algo, str) and algo in content and algo not in registry.names():
            learner_spec(algo, places)  # says so: its section is unknown because it is
        sections = {name: registry.spec(name).section for name in registry.names() if name in content}
        check_keys(content, TrainConfig, places, others=sections)
        self.content = merged(self.content, content)
        self.places.update(places)
        self._sections.append((self.algo, list(sections), places))

    @property
    def algo(self) -> Any:
        """The way of learning, as far as the layers say."""
        return self.content.get("algo", TrainConfig.model_fields["algo"].default)

    def lay_pairs(self, pairs: Sequence[str]) -> None:
        """Adds ``key=value`` pairs, whose order does not matter to what belongs together."""
        before = len(self._sections)
        for pair in pairs:
            self.set(pair)
        pair_layers = self._sections[before:]
        if pair_layers:
            sections = [name for _, names, _ in pair_layers for name in names]
            places = {key: place for _, _, own in pair_layers for key, place in own.items()}
            self._sections[before:] = [(self.algo, sections, places)]

    def set(self, pair: str) -> None:
        """Adds one ``key=value``, the key dotted (list items by number), the value YAML."""
        key, equals, text = pair.partition("=")
        key, place = key.strip(), f"--set {pair}"
        if not equals or not key:
            raise ConfigError(f"{place}: key=value is wanted")
        try:
            value = yaml.load(text, Loader)
        except yaml.YAMLError as error:
            raise ConfigError(f"{place}: the value is not YAML ({_one_line(error)})") from None
        names = key.split(".")
        # Whoever sets one item of a list means the list as it is.
        for depth in range(len(names) - 1, 0, -1):
            if names[depth].isdigit():
                value = self._with_item(names[:depth], int(names[depth]), value, place)
            else:
                value = {names[depth]: value}
        self.lay({names[0]: value}, {key: place})

    def _with_item(self, names: list[str], index: int, value: Any, place: str) -> list[Any]:
        items: Any = self.content
        for name in names:
            items = items.get(name, []) if isinstance(items, Mapping) else []
        if not isinstance(items, list) or index >= len(items):
            count = len(items) if isinstance(items, list) else 0
            raise ConfigError(f"{place}: {'.'.join(names)} has {count} items, counted from 0")
        old = items[index]
        new = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
        return [*items[:index], new, *items[index + 1 :]]

    def resolve(self) -> TrainConfig:
        """The validated config with the section of its way of learning, its game's parameters checked too."""
        model = TrainConfig
        if isinstance(self.algo, str):
            model = registry.config_model(learner_spec(self.algo, self.places))
            self._check_sections()
        others = {name for _, sections, _ in self._sections for name in sections if name != self.algo}
        try:
            config = model.model_validate({key: value for key, value in self.content.items() if key not in others})
        except ValidationError as error:
            raise ConfigError("\n".join(self._explain(problem) for problem in error.errors())) from None
        try:
            config.settings()
        except ValueError as error:
            raise ConfigError(str(error)) from None
        return config

    def _check_sections(self) -> None:
        """ConfigError for a layer that sets up another way of learning than the one that it was laid over, or that is
        chosen: nothing would come of it."""
        for algo, sections, places in self._sections:
            if sections and algo not in sections and self.algo not in sections:
                key = next((at for at in places if at.split(".")[0] in sections), sections[0])
                place = f" ({places[key]})" if key in places else ""
                raise ConfigError(
                    f"{key!r}{place} is of the algo {sections[0]}, but the algo is {self.algo}: "
                    f"its settings are in the section {self.algo}"
                )

    def _explain(self, problem: Any) -> str:
        key = ".".join(str(part) for part in problem["loc"])
        place = next((f" ({self.places[at]})" for at in _upwards(key) if at in self.places), "")
        if problem["type"] == "missing":
            return f"{key} is missing{place}"
        if not key:  # of the whole config
            return str(problem["ctx"]["error"])
        message = problem["msg"][0].lower() + problem["msg"][1:]
        if problem["type"] == "model_type":
            message = "keys and values are wanted"
        return f"{key}={problem['input']!r}: {message}{place}"


def learner_spec(algo: str, places: Mapping[str, str]) -> registry.LearnerSpec:
    """A way of learning by name; ConfigError says where the name came from if there is none."""
    try:
        return registry.spec(algo)
    except ValueError as error:
        place = f" ({places['algo']})" if "algo" in places else ""
        raise ConfigError(f"{error}{place}") from None


def load_config(names: str | Sequence[str], sets: Sequence[str] = ()) -> TrainConfig:
    """The config that names or paths of YAML files and then ``key=value`` pairs make, later ones winning.

    A name is a file of the package (``poo_head``, ``smoke``), or a game, which then takes the defaults. A file's key
    ``base`` names the configs that it changes. ConfigError (a ValueError) says what is wrong and where.
    """
    layers = Layers()
    for name in [names] if isinstance(names, str) else names:
        _lay_file(layers, name, ())
    layers.lay_pairs(sets)
    return layers.resolve()


def config_names() -> list[str]:
    """The configs of the package."""
    files = resources.files("poopdeck.configs").iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))


def former_keys(path: pathlib.Path) -> list[str]:
    """The keys of a YAML file that are called otherwise now; none where it cannot be read."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader)
    except (OSError, ValueError, yaml.YAMLError):
        return []
    return [key for key in content if key in RENAMED] if isinstance(content, dict) else []


def dump_config(config: TrainConfig) -> str:
    """YAML of a resolved config, every key written out."""
    return yaml.safe_dump(config.model_dump(), sort_keys=False, allow_unicode=True)


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Nested mappings, key by key, the second winning; anything else is replaced."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        nested = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = merged(old, value) if nested else value  # type: ignore[arg-type]
    return result


def check_keys(
    content: Any,
    model: type[BaseModel],
    places: Mapping[str, str],
    prefix: str = "",
    others: Mapping[str, type[BaseModel]] | None = None,
) -> None:
    """ConfigError for the first key that the model does not know, with the nearest one that it does.

    ``others`` are models of keys that are known besides.
    """
    if not isinstance(content, Mapping):
        return  # of the wrong type: the model says so
    kinds = {name: field.annotation for name, field in model.model_fields.items()} | dict(others or {})
    for name, value in content.items():
        key = f"{prefix}{name}"
        if name not in kinds:
            known = list(model.model_fields) + (registry.names() if others is not None else [])
            raise _unknown_key(key, value, known, places)
        kind = kinds[name]
        if get_origin(kind) is list and isinstance(value, list):
            (kind,) = get_args(kind)
            for index, item in enumerate(value):
                if isinstance(kind, type) and issubclass(kind, BaseModel):
                    check_keys(item, kind, places, f"{key}.{index}.")
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            check_keys(value, kind, places, f"{key}.")


def _unknown_key(key: str, value: Any, known: list[str], places: Mapping[str, str]) -> ConfigError:
    """What to say of a key that there is not."""
    prefix, name = key[: key.rfind(".") + 1], key[key.rfind(".") + 1 :]
    place = next((places[at] for at in _upwards(key, places) if at in places), "")
    where = f" ({place})" if place else ""
    below = [f"{key}.{part}" for part in value] if isinstance(value, Mapping) else []
    former = next((old for old in [*below, key] if old in RENAMED), None)
    if former is not None:
        return ConfigError(f"unknown key {former!r}{where}: it is called {RENAMED[former]} now")
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {prefix}{near[0]}? " if near else ""
    return ConfigError(f"unknown key {key!r}{where}: {hint}known are {', '.join(known)}")


def _upwards(key: str, places: Mapping[str, str] = {}) -> list[str]:  # noqa: B006 (read only)
    """A dotted key, then all above it, then any below it that has a place."""
    parts = key.split(".")
    above = [".".join(parts[:depth]) for depth in range(len(parts), 0, -1)]
    return above + [at for at in places if at.startswith(f"{key}.")]


def _lay_file(layers: Layers, name: str, outer: tuple[str, ...]) -> None:
    if name in outer:
        raise ConfigError(f"config {name!r} is its own base: {' -> '.join([*outer, name])}")
    text, source = _read(name)
    try:
        node = yaml.compose(text, Loader)
        content = yaml.load(text, Loader)
    except yaml.YAMLError as error:
        raise ConfigError(f"{source}: not YAML ({_one_line(error)})") from None
    content = {} if content is None else content
    if not isinstance(content, Mapping):
        raise ConfigError(f"{source}: keys and values are wanted, not {type(content).__name__}")
    content = dict(content)
    bases = content.pop(BASE, [])
    for base in [bases] if isinstance(bases, str) else bases:
        _lay_file(layers, str(base), (*outer, name))
    layers.lay(content, dict(_lines(node, source)))


def _read(name: str) -> tuple[str, str]:
    path = pathlib.Path(name)
    if path.suffix in (".yaml", ".yml") or len(path.parts) > 1:
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"config {name}: cannot be read ({error})") from None
    file = resources.files("poopdeck.configs") / f"{name}.yaml"
    if file.is_file():
        return file.read_text(encoding="utf-8"), f"configs/{name}.yaml"
    from ...envs.core import registry as games

    if name in games.names():
        return yaml.safe_dump({"game": name}), f"config {name}"
    known = list(dict.fromkeys([*config_names(), *games.names()]))
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ConfigError(f"unknown config {name!r}: {hint}there are {', '.join(known)}, or the path of a YAML file")


def _lines(node: Any, source: str, prefix: str = "") -> list[tuple[str, str]]:
    """Dotted key and place of all that a YAML node holds."""
    places: list[tuple[str, str]] = []
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name = f"{prefix}{key.value}"
            places.append((name, f"{source}, line {key.start_mark.line + 1}"))
            places += _lines(value, source, f"{name}.")
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            places.append((f"{prefix}{index}", f"{source}, line {item.start_mark.line + 1}"))
            places += _lines(item, source, f"{prefix}{index}.")
    return places


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
