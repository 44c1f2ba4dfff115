//! Sign-in at MCP endpoints: what the endpoint of a server with `auth_type: "oauth"` accepts.

mod callers;
mod challenges;
mod ended_grants;
mod scopes;
mod signed_tokens;
mod token_checks;
