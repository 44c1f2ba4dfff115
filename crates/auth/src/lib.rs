//! Authentication: generating keys, reading them from requests, the permissions of an authenticated caller, tokens of
//! other issuers, and the address of a client.
//!
//! This crate does no I/O: the caller looks keys up in storage.

mod access_token;
mod console_token;
pub mod jwt;
mod key;
mod principal;
mod request_keys;
mod signed_token;
mod trusted_proxies;

pub use access_token::{ACCESS_TOKEN_KEYS, ACCESS_TOKEN_PREFIX, AccessToken, AccessTokenKeys};
pub use console_token::{CONSOLE_TOKEN_KEYS, CONSOLE_TOKEN_PREFIX, ConsoleToken};
pub use key::{RandomError, SecretKey, digest_key, hash_secret, random_public_id};
pub use principal::{KeyRefusal, Principal, SignedInWith};
pub use request_keys::{PresentedToken, bearer_token, presented_keys, presented_signed_token, presented_token};
pub use trusted_proxies::{PeerAddr, TrustedProxies};
