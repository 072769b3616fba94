"""Text on surfaces: open typefaces, fallback for missing letters, and packed pages of sign faces."""
