"""Engines integrate the laws: from a machine and a start to a landing and what happened on the way."""
