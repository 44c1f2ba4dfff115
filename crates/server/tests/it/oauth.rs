//! Sign-in at MCP endpoints with OAuth, from outside: documents, pages, codes and tokens of the built-in issuer, and
//! what the endpoints accept.

pub(crate) mod document_host;
mod external_issuer;
mod flow;
mod openid_provider;
pub(crate) mod signed_tokens;
mod token_requests;

mod authorization_responses;
mod browser;
mod callers;
mod challenges;
mod client_documents;
mod client_secrets;
mod codes;
mod console_pages;
mod console_tokens;
mod documents;
mod external_calls;
mod external_keys;
mod external_rules;
mod external_settings;
mod external_tokens;
mod forms;
mod grant_ends;
mod grant_routes;
mod guessing;
mod linked_accounts;
mod node_revocations;
mod open_streams;
mod openid_browser;
mod openid_people;
mod openid_sign_in;
mod pages;
mod path_prefix;
mod redirect_uris;
mod refresh_tokens;
mod registration;
mod scopes;
mod server_choice;
mod sign_in;
mod token_checks;
mod token_ends;
mod whole_flow;
