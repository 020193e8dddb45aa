"""Is a wheel biased, level, predictable: the tests, their powers, the verdict. Imports no engine and no physics."""
