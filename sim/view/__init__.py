"""The pictures of a spin under way: stage, overlays, recorder. Nobody imports it but the command line."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
