"""YAML as people mean it: yes, no, on and off are words, and 1e-3 is a number. (YAML 1.1 says otherwise.)"""

import re
from typing import Any

import yaml
from yaml import YAMLError

__all__ = ["Loader", "YAMLError", "load", "yes_or_no"]

BOOL, FLOAT = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:float"


class Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the booleans of YAML 1.2, and with exponents."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != BOOL]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(BOOL, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
Loader.add_implicit_resolver(FLOAT, re.compile(r"^[-+]?[0-9][0-9_]*(\.[0-9_]*)?[eE][-+]?[0-9]+$"), list("-+0123456789"))


WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def yes_or_no(value: Any) -> Any:
    """The truth that a word stands for where one is wanted; anything else as it is."""
    return WORDS.get(value.strip().lower(), value) if isinstance(value, str) else value


def load(text: str) -> Any:
    """The content of a text; YAMLError where it is not YAML."""
    return yaml.load(text, Loader)
