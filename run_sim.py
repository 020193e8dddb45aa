#!/usr/bin/env python3
"""Run fairwheel from the checkout: the same as the console script ``fairwheel``."""

import sys

from sim.cli import main

if __name__ == "__main__":
    sys.exit(main())
