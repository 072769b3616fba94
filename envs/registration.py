"""The ids that `gymnasium.make` knows; called by citysim._gymnasium_hook right after Gymnasium is imported."""


def register_all() -> None:
    """Register every id once, by entry-point strings, so that nothing heavy is imported here."""
