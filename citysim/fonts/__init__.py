"""Open typefaces, fallback for missing letters, and text as pictures."""
