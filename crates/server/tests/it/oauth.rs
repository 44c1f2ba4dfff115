//! Sign-in at MCP endpoints with OAuth, from outside: documents, pages, codes and tokens of the built-in issuer.

mod flow;

mod answers;
mod browser;
mod choice;
mod documents;
mod forms;
mod guessing;
mod pages;
mod path_prefix;
mod redirect_uris;
mod sign_in;
mod whole_flow;
