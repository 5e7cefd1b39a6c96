"""Calls sent to a Ray cluster that runs already, in the form of the standard library's executors."""

import contextlib
import os
import socket
from collections.abc import Callable, Iterable
from concurrent import futures
from concurrent.futures import CancelledError, Executor, Future
from types import TracebackType
from typing import Any

from ...version import __version__

RETRIES = 3  # of a call whose worker is lost, on whichever worker is free
REACHED = 5.0  # seconds for the cluster to answer at all; Ray itself would try for minutes
STOPPED = 120.0  # seconds for calls that are cancelled to end by themselves, a training run after its update
SCHEME = "ray://"


class RayExecutor(Executor):
    """Calls functions on the workers of a cluster, each on one core. Use it as a context.

    ``address`` is ``HOST:PORT``, ``ray://HOST:PORT`` or ``auto`` for the cluster that this machine is part of. With
    ``own_processes`` every call has a process of its own. Where a worker is lost, its call is made again on another
    one: functions have to bear that. ``workers`` is how many cores the cluster has.

    Raises:
        ImportError: Ray is not installed.
        ValueError: no cluster answers at the address, or it has no cores.
    """

    def __init__(self, address: str, own_processes: bool = False):
        self._ray = _library()
        self._connected = not self._ray.is_initialized()  # else it is the caller's connection, which stays
        if self._connected:
            self._connect(address)
        self.workers = int(self._ray.cluster_resources().get("CPU", 0))
        if not self.workers:
            self.shutdown()
            raise ValueError(f"Ray cluster {address}: none of its machines has a core to give")
        options = {"num_cpus": 1, "max_retries": RETRIES, "max_calls": int(own_processes)}
        self._call = self._ray.remote(**options)(_call)
        self._running: dict[Future[Any], Any] = {}

    def _connect(self, address: str) -> None:
        try:
            _reach(address)
            self._ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (OSError, ValueError, RuntimeError) as error:
            told = str(error).splitlines()[0]
            raise ValueError(
                f"Ray cluster {address}: cannot be reached ({told}); `ray status` tells where one is"
            ) from error

    def share(self, value: Any) -> Any:
        """A value that many calls take: sent to each machine once. What is returned is an argument for ``submit``."""
        return self._ray.put(value)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """The call's future. What the function raises, the future raises."""
        reference = self._call.remote(os.getcwd(), __version__, function, *arguments, **named)
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self._running[future] = reference
        reference.future().add_done_callback(lambda ended: self._end(future, ended))
        return future

    def _end(self, future: Future[Any], ended: Future[Any]) -> None:
        self._running.pop(future, None)
        error = ended.exception()
        if error is None:
            future.set_result(ended.result())
        elif isinstance(error, self._ray.exceptions.TaskCancelledError):
            future.set_exception(CancelledError())
        else:
            cause = getattr(error, "cause", None)  # what the function raised, without where it was called
            future.set_exception(cause if isinstance(cause, Exception) else error)

    def cancel(self, calls: Iterable[Future[Any]]) -> None:
        """Ends calls that have not ended: those under way as by Ctrl-C. Waits for none of them."""
        for call in calls:
            reference = self._running.get(call)
            if reference is not None:
                self._ray.cancel(reference)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster, which goes on. Calls that are cancelled end as by Ctrl-C, within two minutes."""
        running = list(self._running)
        if cancel_futures:
            self.cancel(running)
        if wait or cancel_futures:
            futures.wait(running, STOPPED if cancel_futures else None)
        if self._connected:
            self._ray.shutdown()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(cancel_futures=kind is not None)


def _library() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise ImportError('work on a cluster needs Ray: pip install "poopdeck[ray]"') from None
    return ray


def _reach(address: str) -> None:
    """OSError or ValueError if nothing answers at an address."""
    if address == "auto":
        return
    host, colon, port = address.removeprefix(SCHEME).rpartition(":")
    if not colon or not host or not port.isdigit():
        raise ValueError("the form is HOST:PORT, ray://HOST:PORT or auto")
    socket.create_connection((host, int(port)), REACHED).close()


def _call(place: str, version: str, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """On the worker: the call, in the folder of whoever made it, so that relative paths mean the same."""
    if version != __version__:
        raise ValueError(
            f"{socket.gethostname()} has poopdeck {__version__}, and the command is of {version}: install the same"
        )
    with contextlib.suppress(OSError):  # those who need no files need no shared folder
        os.chdir(place)
    return function(*arguments, **named)
