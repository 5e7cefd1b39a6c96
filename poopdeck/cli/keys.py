"""A person at a terminal who chooses by single keys and arrows (extra ``human``)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth

from ..agents.human import HumanAgent, Leave, TakeBack

KEYS = "123456789abcdefghijklmnoprtvwxyz"  # of the choices; q, s and u mean something else
HELP = "arrows and Enter, or a choice's key; ? hint, u take back, s save, q leave"
GAP = 2  # cells between choices


class KeysAgent(HumanAgent):
    """Asks a person by keys. ``calls`` are what further keys do, as functions whose text is shown below the choices;
    ``width`` in cells, ``colour`` whether the choice under the cursor may be coloured (it is reversed anyway).
    ``streams`` are an input and an output in place of the terminal's, as ``Application`` takes them.
    """

    def __init__(
        self,
        calls: Mapping[str, Callable[[], str]],
        width: int = 80,
        colour: bool = True,
        streams: Mapping[str, Any] | None = None,
    ):
        super().__init__(width=width)
        self._calls, self._cells, self._colour = dict(calls), width, colour
        self._streams = dict(streams or {})

    def choose(self, legal: Sequence[tuple[int, str]]) -> int:
        """One of the legal actions, given as (number, name).

        Raises:
            Leave: the person pressed q, or the input ended.
            TakeBack: the person pressed u.
            KeyboardInterrupt: Ctrl-C.
        """
        menu = _Menu([name for _, name in legal], self._cells)
        application: Application[int] = Application(
            layout=Layout(
                Window(FormattedTextControl(menu.text, show_cursor=False), wrap_lines=True, dont_extend_height=True)
            ),
            key_bindings=self._bindings(menu),
            color_depth=None if self._colour else ColorDepth.DEPTH_1_BIT,
            erase_when_done=True,
            **self._streams,
        )
        try:
            place = application.run()
        except EOFError:
            raise Leave from None
        return legal[place][0]

    def _bindings(self, menu: "_Menu") -> KeyBindings:
        keys = KeyBindings()

        def on(*names: str) -> Callable[[Callable[[KeyPressEvent], None]], None]:
            def bind(do: Callable[[KeyPressEvent], None]) -> None:
                for name in names:
                    keys.add(name)(do)

            return bind

        on("right", "down", "tab")(lambda event: menu.move(1))
        on("left", "up", "s-tab")(lambda event: menu.move(-1))
        on("enter")(lambda event: event.app.exit(result=menu.place))
        on("q", "c-d")(lambda event: event.app.exit(exception=Leave()))
        on("u")(lambda event: event.app.exit(exception=TakeBack()))
        on("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt()))
        for place, key in enumerate(KEYS[: len(menu.names)]):
            on(key)(lambda event, place=place: event.app.exit(result=place))  # type: ignore[misc]
        for key, call in self._calls.items():
            on(key)(lambda event, call=call: menu.tell(call()))  # type: ignore[misc]
        return keys


class _Menu:
    """Choices in rows of at most so many cells, one of them under the cursor, and what was told last."""

    def __init__(self, names: Sequence[str], width: int):
        self.names, self.place = names, 0
        self._width, self._told = width, HELP

    def move(self, step: int) -> None:
        """The cursor, from the last choice to the first and back."""
        self.place = (self.place + step) % len(self.names)

    def tell(self, text: str) -> None:
        """A text below the choices."""
        self._told = text

    def text(self) -> StyleAndTextTuples:
        """Pieces of text with their styles."""
        pieces: StyleAndTextTuples = []
        used = 0
        for place, name in enumerate(self.names):
            entry = f"{KEYS[place]} {name}" if place < len(KEYS) else name
            if used and used + GAP + len(entry) > self._width:
                pieces.append(("", "\n"))
                used = 0
            elif used:
                pieces.append(("", " " * GAP))
                used += GAP
            pieces.append(("reverse" if place == self.place else "", entry))
            used += len(entry)
        return [*pieces, ("", "\n" + self._told)]
