"""Vectors as tuples of three floats: they live in registers, and no law can change its input."""

from math import sqrt

from sim.physics.compiled import law

Vector = tuple[float, float, float]


@law
def dot(a: Vector, b: Vector) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@law
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product of a and b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@law
def plus(a: Vector, b: Vector, scale: float = 1.0) -> Vector:
    """A + scale * b."""
    return (a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2])


@law
def norm(a: Vector) -> float:
    """Length of a."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@law
def tangential(a: Vector, normal: Vector) -> Vector:
    """The part of a perpendicular to the unit vector normal."""
    return plus(a, normal, -dot(a, normal))
