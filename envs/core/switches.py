"""Environment variables by which users choose how rules are compiled; importing this loads no compiler."""

import os

WAIT_VARIABLE = "POOPDECK_COMPILE_FIRST"  # set to anything: nothing is played in plain Python meanwhile
QUIET_VARIABLE = "POOPDECK_QUIET"  # set to anything: nobody is told that something is compiled


def waits_for_compiler() -> bool:
    """Whether rules are compiled before they are played."""
    return bool(os.environ.get(WAIT_VARIABLE))


def wait_for_compiler() -> None:
    """Chooses that for this process and those that it starts, unless the user has chosen."""
    os.environ.setdefault(WAIT_VARIABLE, "1")


def is_quiet() -> bool:
    """Whether nothing is said of compiling."""
    return bool(os.environ.get(QUIET_VARIABLE))
