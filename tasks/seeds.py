"""Named child seeds: one number and some names give a generator, so that a draw added in one never moves another."""

import hashlib

import numpy as np


def child_seed(seed: int, *names: str | int) -> int:
    """A 63-bit seed from a seed and names (SHA-256, so that near seeds are unrelated)."""
    text = "\x1f".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def child_rng(seed: int, *names: str | int) -> np.random.Generator:
    """A PCG64 generator of that seed."""
    return np.random.Generator(np.random.PCG64(child_seed(seed, *names)))
