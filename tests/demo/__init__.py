"""The main job, shown: see ``__main__``."""
