"""The command ``poopdeck``. Heavy imports wait until a command needs them."""

import pathlib
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from itertools import islice
from typing import Annotated, Any

import typer
import yaml

from .version import __version__

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""Card games for reinforcement learning: train, measure, play.

A first walk:

- `poopdeck games` lists the games, their variants and their agents
- `poopdeck play poo_head --opponents heuristic,heuristic` sits you down at a table
- `poopdeck watch poo_head --players 3 --out game.gif` films a game between agents
- `poopdeck train poo_head` trains a network and says where it lies
- `poopdeck evaluate runs/NAME --against heuristic --game poo_head` measures it

Every command explains itself with `--help`.
""",
)

GameName = Annotated[str, typer.Argument(help="A game's name, as `poopdeck games` lists them.", show_default=False)]
Players = Annotated[int | None, typer.Option(help="Seats at the table; the game's usual number if left out.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter; may be given several times, the last one counts."),
]
Seed = Annotated[int, typer.Option(help="A whole number from 0; the same seed gives the same games.")]


def main() -> None:
    """Runs the command; an error that a user can mend is one line, not a traceback."""
    try:
        sys.exit(app(standalone_mode=False))  # the code of a typer.Exit, None if there was none
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("stopped", err=True)
        sys.exit(130)
    except Exception as error:
        shown = getattr(error, "format_message", None)
        if shown is not None:  # the command line itself was wrong
            error.show()  # type: ignore[attr-defined]
            sys.exit(getattr(error, "exit_code", 2))
        if isinstance(error, ValueError | OSError | ImportError):
            typer.echo(f"poopdeck: {error}", err=True)
            sys.exit(2)
        raise


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


def parse_settings(given: list[str] | None) -> dict[str, Any]:
    """``["bombs=3"]`` as ``{"bombs": 3}``, values read as YAML."""
    parsed = {}
    for entry in given or []:
        key, equals, value = entry.partition("=")
        if not equals or not key:
            raise ValueError(f"--set {entry}: the form is KEY=VALUE, such as --set bombs=3")
        parsed[key.strip()] = yaml.safe_load(value)
    return parsed


@contextmanager
def progress_bar(what: str, total: int) -> Any:
    """Yields a function that is told how much is done; draws a bar on a terminal, else nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)

        def update(done: int) -> None:
            bar.update(task, completed=done)

        yield update


def _find(game: str, players: int | None, settings: list[str] | None) -> tuple[Any, dict[str, Any]]:
    from .api import game as find_game

    found = find_game(game)
    return found, found.spec.settings(players, **parse_settings(settings))


@app.command()
def games() -> None:
    """Lists the games: players, variants, agents."""
    from .agents.loading import agent_names
    from .api import game as find_game
    from .api import games as names

    for name in names():
        found = find_game(name)
        spec = found.spec
        typer.secho(f"{name}  ({spec.id})", bold=True)
        typer.echo(f"  {spec.summary}")
        typer.echo(f"  players   {spec.min_players} to {spec.max_players}, {spec.default_players} if nothing is said")
        typer.echo(f"  actions   {spec.num_actions}; features {spec.observation_size(spec.settings())}")
        for variant, options in spec.variants.items():
            given = " ".join(f"--set {key}={str(value).lower()}" for key, value in options.items())
            typer.echo(f"  variant   {variant:<18} {given or 'the usual rules'}")
        typer.echo(f"  agents    {', '.join(agent_names(found))}")
        typer.echo(f"  status    {spec.status}")


@app.command()
def train(
    config: Annotated[str, typer.Argument(help="A shipped config's name, such as `poo_head`, or a YAML file.")],
    set_: SetOption = None,
    seed: Annotated[int | None, typer.Option(help="Overrides the config's seed.")] = None,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="The run's folder; a new one below `runs/` if left out.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in `--out`, or with the newest of this config.")
    ] = False,
) -> None:
    """Trains a policy; shows progress, and at the end where it lies and how to measure it."""
    from .training.run.train import train_command

    raise typer.Exit(train_command(config, set_ or [], seed, out, resume))


@app.command()
def evaluate(
    agent: Annotated[str, typer.Argument(help="An agent by name, or the folder of a training run.")],
    against: Annotated[str, typer.Option(help="Opponents, by commas: one for all other seats, or one for each.")],
    game: Annotated[str, typer.Option(help="The game.")],
    players: Players = None,
    games: Annotated[int, typer.Option(help="Games; every deal is played once from each seat.")] = 20_000,
    role: Annotated[
        str | None, typer.Option(help="In a game with several roles the one whose seats the agent has.")
    ] = None,
    seed: Seed = 0,
    set_: SetOption = None,
    sampled: Annotated[
        bool, typer.Option("--sampled", help="Networks draw actions instead of taking the likeliest.")
    ] = False,
    threads: Annotated[int, typer.Option(help="Threads that play.")] = 2,
    json_: Annotated[pathlib.Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
) -> None:
    """Measures an agent at a table of others: the same deals with seats rotated, 95 % intervals."""
    from .agents.loading import load_agent
    from .training.evaluation.evaluate import evaluate as measure
    from .training.evaluation.evaluate import table_text

    found, settings = _find(game, players, set_)
    learner = load_agent(agent, found, settings, not sampled)
    others = [load_agent(name.strip(), found, settings, not sampled) for name in against.split(",")]
    with progress_bar("games", games) as update:
        result = measure(found, settings, learner, others, games, seed, threads, update, role)
    typer.echo(table_text(result))
    if json_ is not None:
        result.write(json_)
        typer.echo(f"written to {json_}")


@app.command()
def tournament(
    game: Annotated[
        str | None, typer.Argument(help="A game's name, as `poopdeck games` lists them.", show_default=False)
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Two or more agents, by name or folder, each as AGENT or LABEL=AGENT.", show_default=False),
    ] = None,
    players: Players = None,
    games: Annotated[
        int | None, typer.Option(help="Games altogether, rounded up to whole deals.", show_default="20000")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same games.", show_default="0")] = None,
    set_: SetOption = None,
    sampled: Annotated[
        bool | None, typer.Option("--sampled", help="Networks draw actions instead of taking the likeliest.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads that play.")] = 2,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="The folder for the results; a new one below `runs/` if left out.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the tournament in `--out`; nothing else need be given.")
    ] = False,
) -> None:
    """Rates agents by games at all kinds of tables of them: ratings, cross table, heat map."""
    from .training.evaluation.tournament import run_tournament, tournament_request
    from .training.evaluation.tournament_report import table_text
    from .training.run.interrupts import Interrupts

    if resume and out is None:
        raise ValueError("--resume needs the tournament's folder: --out FOLDER")
    options = parse_settings(set_)
    plan = tournament_request(game, agents, players, options, games, seed, sampled, out if resume else None)

    def say(text: str) -> None:
        typer.echo(text, err=True)

    with Interrupts() as interrupts, progress_bar("games", plan.tables.games) as update:
        ended = run_tournament(plan, out, resume, threads, update, lambda: interrupts.asked, say)
    if ended.content is None:
        say(f"stopped after {ended.played:,} of {ended.games:,} games, which are kept; to go on:")
        say(f"  poopdeck tournament --out {shlex.quote(str(ended.folder))} --resume")
        raise typer.Exit(130)
    typer.echo(table_text(ended.content))
    typer.echo(f"\nresults in {ended.folder}: tournament.json, cross_table.md, heat_map.png")


@app.command()
def play(
    game: GameName,
    opponents: Annotated[
        str, typer.Option(help="Agents at the other seats, by commas, clockwise from you.")
    ] = "heuristic",
    players: Players = None,
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    seed: Annotated[int | None, typer.Option(help="Deals the same cards again.")] = None,
    scenario: Annotated[pathlib.Path | None, typer.Option(help="A JSON file with a position to start from.")] = None,
    set_: SetOption = None,
) -> None:
    """Sits you down at a table of agents in this terminal."""
    from .agents.human import HumanAgent, Leave
    from .agents.loading import load_agent
    from .api import game as find_game
    from .play import play as play_table

    found = find_game(game)
    names = [name.strip() for name in opponents.split(",")]
    if scenario is not None:
        state = found.load(scenario.read_text())
    else:
        # One opponent's name is one opponent, unless the number of players says otherwise.
        seats = players if players is not None else len(names) + 1 - len(found.spec.extra_roles)
        state = found.new_state(seed, seats, **parse_settings(set_))
    seats = found.num_seats(state)
    if len(names) == 1:
        names *= seats - 1
    if len(names) != seats - 1:
        raise ValueError(f"--opponents: {len(names)} agents for {seats - 1} other seats")
    if not 0 <= seat < seats:
        raise ValueError(f"--seat {seat}: allowed is 0 to {seats - 1}")
    agents: list[Any] = [HumanAgent() for _ in range(seats)]
    for step, name in enumerate(names, 1):
        agents[(seat + step) % seats] = load_agent(name, found, state.settings)
    typer.echo(f"{found.spec.title}, seed {state.seed}; you are player_{seat}")
    try:
        payoffs = play_table(found, state, agents, state.seed or 0, typer.echo, sys.stdout.isatty())
    except Leave:
        typer.echo(f"you left the table; --seed {state.seed} deals these cards again")
        return
    typer.echo("payoffs: " + ", ".join(f"{name} {value:+.2f}" for name, value in _named(found, state, payoffs)))


@app.command()
def watch(
    game: GameName,
    agents: Annotated[
        str, typer.Option(help="Agents by commas: one for all seats, or one for each.", show_default="heuristic")
    ] = "",
    players: Players = None,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat sees; everything if left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="Plays the same game again.")] = None,
    scenario: Annotated[pathlib.Path | None, typer.Option(help="A JSON file with a position to start from.")] = None,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="Write an animated file, .gif or .webp, instead of showing text.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long each frame is shown.")] = 0.8,
    most: Annotated[int | None, typer.Option(min=1, help="Leave after so many frames.")] = None,
    width: Annotated[int, typer.Option(min=100, max=4000, help="Width of the animated file in pixels.")] = 720,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="An animated file of that name may go.")] = False,
    set_: SetOption = None,
) -> None:
    """Shows a game between agents, here or as an animated file."""
    from .agents.loading import agent_names, load_agent
    from .api import game as find_game
    from .envs.render import ansi, film
    from .watch import film as make_film
    from .watch import frames, with_words

    if out is not None:
        film.check_path(out, overwrite)
    found = find_game(game)
    if scenario is not None:
        state = found.load(scenario.read_text())
    else:
        state = found.new_state(seed, players, **parse_settings(set_))
    seats = found.num_seats(state)
    agents = agents or ("heuristic" if "heuristic" in agent_names(found) else "random")
    names = [name.strip() for name in agents.split(",")]
    names = names * seats if len(names) == 1 else names
    if len(names) != seats:
        raise ValueError(f"--agents: {len(names)} agents for {seats} seats; one for all, or one for each")
    seated = [load_agent(name, found, state.settings) for name in names]
    typer.echo(f"{found.spec.title}, seed {state.seed}: {', '.join(names)}")
    playing = islice(frames(found, state, seated, state.seed or 0, seat), most)
    if out is not None:
        kept = list(playing)
        with progress_bar("frames", len(kept)) as update:
            make_film(kept, out, seconds, width, overwrite, update)
        typer.echo(f"{len(kept)} frames written to {out}")
    else:
        terminal = sys.stdout.isatty()
        for frame in playing:
            typer.echo(ansi.draw(with_words(frame), colour=terminal))
            time.sleep(seconds if terminal else 0)
    if not found.is_terminal(state):
        typer.echo("the game goes on")
        return
    payoffs = _named(found, state, found.returns(state))
    typer.echo("payoffs: " + ", ".join(f"{name} {value:+.2f}" for name, value in payoffs))


def _named(game: Any, state: Any, payoffs: Any) -> list[tuple[str, float]]:
    return list(zip(game.spec.agent_names(state.settings), map(float, payoffs), strict=True))


@app.command()
def check(
    game: GameName,
    players: Annotated[list[int] | None, typer.Option(help="Only these numbers of players; may be repeated.")] = None,
    variant: Annotated[list[str] | None, typer.Option(help="Only these variants; may be repeated.")] = None,
    games: Annotated[int, typer.Option(help="Games for each variant and number of players.")] = 3,
    seed: Seed = 0,
) -> None:
    """Checks a game, also one of your own, against everything that adapters and learners rely on."""
    from .api import game as find_game
    from .envs.conformance.check import check_game

    report = check_game(
        find_game(game),
        variants=variant,
        players=players,
        games=games,
        seed=seed,
        on_progress=_tell(sys.stderr.isatty()),
    )
    for point, what, ok, detail in report.lines:
        typer.echo(f"{'ok    ' if ok else 'FAILED'} {point}: {what}" + (f": {detail}" if detail else ""))
    typer.echo("conforms" if report.passed else "does not conform")
    raise typer.Exit(0 if report.passed else 1)


def _tell(terminal: bool) -> Callable[[str], None] | None:
    return (lambda text: typer.echo(f"\r\033[K{text}", nl=False, err=True)) if terminal else None


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(help="Only this game; all if left out.")] = None,
    seconds: Annotated[float, typer.Option(help="Time of each measurement.")] = 2.0,
    peers: Annotated[bool, typer.Option(help="Also measure the peers that are installed.")] = True,
    json_: Annotated[pathlib.Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
) -> None:
    """Measures speed on this machine, and the ratio to every peer that is installed (extra `bench`)."""
    from .training.speed.bench import bench_command

    bench_command(game, seconds, peers, json_)


if __name__ == "__main__":
    main()
