"""``python -m tiny_game.without_hooks ...`` is ``python -m tiny_game ...`` with a numba that has other internals."""

import runpy

from numba.core import caching, dispatcher, types

kept = dispatcher._DispatcherBase.get_call_template


def get_call_type(self, context, args, kws):
    """As numba's own, over the hook by another name."""
    template, pysig, args, kws = kept(self.dispatcher, args, kws)
    found = template(context).apply(args, kws)
    return found.replace(pysig=pysig) if found else found


types.Dispatcher.get_call_type = get_call_type
del dispatcher._DispatcherBase.get_call_template
del caching.CompileResultCacheImpl

runpy.run_module("tiny_game", run_name="__main__", alter_sys=True)
