"""The pictures of a spin under way: stage, overlays, recorder. Nobody imports it but the command line."""
