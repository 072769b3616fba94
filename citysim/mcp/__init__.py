"""Episodes as tools of the Model Context Protocol (extra `mcp`)."""
