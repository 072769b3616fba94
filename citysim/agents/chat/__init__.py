"""Agents that are models behind an OpenAI-compatible chat endpoint."""
