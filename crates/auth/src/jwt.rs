//! Signed tokens (JWT) of other issuers: the header, the signature and the claims. Nothing is fetched here; the caller
//! provides the keys of the issuer.

mod access_claims;
mod algorithm;
mod claims;
mod id_token;
mod json_web_key;
mod json_web_keys;
mod subject_id;
#[cfg(test)]
mod tests;
mod token;

pub use access_claims::{AccessClaims, AccessTokenRules};
pub use claims::Claims;
pub use id_token::IdTokenRules;
pub use json_web_keys::{JWKS_BYTES_MAX, JWKS_KEYS_MAX, JsonWebKeys, JsonWebKeysError};
pub use subject_id::subject_id;
pub use token::{JWT_BYTES_MAX, UnverifiedToken};

/// How far the clocks of an issuer and of this service may differ, in milliseconds.
pub const CLOCK_SKEW_MS: i64 = 60_000;

/// Why a token is refused. The texts contain nothing of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JwtError {
    /// It is not a token, or a member of it has the wrong type or occurs twice.
    #[error("it is not a well-formed JWT of at most 16 KiB")]
    Malformed,
    /// Its header asks for something that is not supported: another algorithm, encryption, critical extensions.
    #[error("its algorithm, type or an extension in its header is not supported")]
    Unsupported,
    /// The known keys of the issuer do not include the key of the token. The issuer may have published a new one.
    #[error("the issuer has no key with its key id")]
    UnknownKey,
    /// The named key does not fit the algorithm, or the token names no key and several fit.
    #[error("its key does not fit its algorithm, or is not named although the issuer has several")]
    UnsuitableKey,
    /// The signature is wrong.
    #[error("its signature is wrong")]
    BadSignature,
    /// It has expired.
    #[error("it has expired")]
    Expired,
    /// Its `nbf` or `iat` is in the future.
    #[error("it is not valid yet")]
    NotYetValid,
    /// A claim that is required is absent or has the wrong type.
    #[error("a required claim is absent or has the wrong type")]
    MissingClaim,
    /// Another issuer issued it.
    #[error("it names another issuer")]
    WrongIssuer,
    /// It is for another audience.
    #[error("it is for another audience")]
    WrongAudience,
    /// It belongs to another sign-in.
    #[error("it belongs to another sign-in")]
    WrongNonce,
    /// It is for another purpose, such as an ID token where an access token is required.
    #[error("it is a token for another purpose, such as an ID token")]
    WrongPurpose,
}
