//! Sign-in at MCP endpoints with OAuth, from outside: documents, pages, codes and tokens of the built-in issuer, and what
//! the endpoints accept.

mod document_host;
mod flow;
pub(crate) mod signed_tokens;
mod token_requests;

mod answers;
mod browser;
mod callers;
mod challenges;
mod choice;
mod client_documents;
mod client_secrets;
mod codes;
mod console_pages;
mod documents;
mod ended_grants;
mod forms;
mod grant_ends;
mod grant_routes;
mod guessing;
mod open_streams;
mod pages;
mod path_prefix;
mod redirect_uris;
mod refresh_tokens;
mod registration;
mod scopes;
mod sign_in;
mod token_checks;
mod whole_flow;
