"""Opponents that come with the package, by how strong they are: ``easy``, ``medium``, ``hard``, ``expert``.

``shipped`` holds the networks that play ``hard``.
"""
