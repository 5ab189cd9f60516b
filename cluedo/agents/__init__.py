"""The detective and the table for AI assistants that speak the Model Context Protocol (MCP)."""
