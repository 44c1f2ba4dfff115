//! Sign-in at MCP endpoints with OAuth, from outside: documents, pages, codes and tokens of the built-in issuer.

mod document_host;
mod flow;
mod token_requests;

mod answers;
mod browser;
mod choice;
mod client_documents;
mod client_secrets;
mod codes;
mod documents;
mod forms;
mod guessing;
mod pages;
mod path_prefix;
mod redirect_uris;
mod refresh_tokens;
mod registration;
mod sign_in;
mod whole_flow;
