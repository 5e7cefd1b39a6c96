"""The end of a script that writes a page: the page is written, or only compared with what it should be."""

import pathlib


def write_or_check(path: pathlib.Path, text: str, script: str, check: bool, written: str) -> int:
    """Writes ``text`` and says ``written``; with ``check`` only looks whether it stands there. Returns an exit code, 1
    where it does not, and says which script of docs/make writes it."""
    if check:
        if path.read_text(encoding="utf-8") == text:
            return 0
        print(f"{path} is not what its figures give; run python docs/make/{script}")
        return 1
    path.write_text(text, encoding="utf-8")
    print(written)
    return 0
