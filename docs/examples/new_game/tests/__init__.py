"""Tests of Highest Sum: each rule of its page is shown by one, at least."""
