//! Who is calling: keys as they are made and presented, and what a known caller may do.
//!
//! Looking a key up is the business of whoever holds the storage; this crate never does I/O.

mod key;
mod presented;
mod principal;

pub use key::{RandomError, SecretKey, digest, hash, random_public_id};
pub use presented::{bearer, presented_keys};
pub use principal::Principal;
