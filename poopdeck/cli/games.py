"""``poopdeck games``."""

import shlex

import typer

from .terminal import Terminal


def games() -> None:
    """Lists the games: players, variants (for `--variant`) and what they set, agents."""
    from ..agents.loading import all_names
    from ..api import game as find_game
    from ..api import games as names
    from ..envs.core.spec import option_text

    for name in names():
        found = find_game(name)
        spec = found.spec
        typer.secho(f"{name}  ({spec.id})", bold=Terminal().colour)
        typer.echo(f"  {spec.summary}")
        typer.echo(f"  players   {spec.min_players} to {spec.max_players}, {spec.default_players} if nothing is said")
        typer.echo(f"  actions   {spec.num_actions}; features {spec.observation_size(spec.settings())}")
        for variant, options in spec.variants.items():
            given = " ".join(f"--set {shlex.quote(f'{key}={option_text(value)}')}" for key, value in options.items())
            typer.echo(f"  variant   {variant:<18} {given or 'the usual rules'}")
        typer.echo(f"  agents    {', '.join(all_names(found))}")
        typer.echo(f"  status    {spec.status}")
