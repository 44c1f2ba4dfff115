//! The endpoint of each server: JSON-RPC over Streamable HTTP, for callers of every generation.
