"""Random machines: ``python -m tests.fuzz --scenarios N --seed S`` plays spins of N valid ones and tells what broke."""
