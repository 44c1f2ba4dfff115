//! Sign-in at MCP endpoints with OAuth 2.1: clients, grants and scopes of the built-in issuer.

pub mod allowed_people;
pub mod client;
pub mod grant;
pub mod identity;
mod loopback_uri;
pub mod redirect_uri;
pub mod scopes;
pub mod settings;
pub mod sign_in;
pub mod subject;
