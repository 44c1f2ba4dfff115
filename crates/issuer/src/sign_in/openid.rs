//! Sign-in with an OpenID provider: `/signin/oidc` sends the browser to the provider, `/signin/oidc/callback` gets its
//! response. A sign-in belongs to the browser that started it, can be used once, and expires after some minutes.

mod attempt_cookie;
mod attempt_secrets;
mod callback;
mod person;
mod refusal;
mod start;

pub(super) use callback::finish;
pub(super) use start::{link, start};

/// The path of the callback below the base URL. It must be registered at the provider.
const CALLBACK_PATH: &str = "/signin/oidc/callback";
