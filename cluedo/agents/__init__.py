"""The detective and the table for assistants that speak the Model Context Protocol (MCP)."""
