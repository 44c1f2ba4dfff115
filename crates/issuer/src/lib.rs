//! The built-in OAuth 2.1 issuer: metadata documents, sign-in and consent pages, codes, tokens, registration of
//! clients. Access tokens are checked by `auth`, at the endpoints.

mod authorize;
mod cleaning;
mod client_auth;
mod client_document;
mod client_metadata;
mod client_network;
mod context;
mod cookies;
mod document_cache;
mod documents;
mod form;
mod issuer_url;
mod issuer_use;
mod lifetimes;
mod oauth_error;
mod openid_provider;
mod outage;
mod page_reply;
mod page_signer;
mod pages;
mod password;
mod post_endpoint;
mod random_secret;
mod register;
mod registration_limits;
mod revoke;
mod sign_in;
mod sign_in_limits;
mod signed_in;
mod token;
mod token_form;

use std::sync::Arc;

use axum::Router;

pub use cleaning::{delete_expired_rows, delete_expired_rows_once};
pub use context::{IssuerConfig, IssuerContext};
pub use openid_provider::OpenIdConfig;

/// The routes of the issuer.
pub fn router(context: &Arc<IssuerContext>) -> Router {
    documents::routes(context)
        .merge(authorize::routes(context))
        .merge(sign_in::routes(context))
        .merge(token::routes(context))
        .merge(register::routes(context))
        .merge(revoke::routes(context))
}
