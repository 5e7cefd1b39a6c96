"""Tables in the browser, and agents that answer programs over HTTP (extra ``web``)."""
