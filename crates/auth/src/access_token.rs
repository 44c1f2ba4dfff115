//! Access tokens of the built-in issuer: `tga_`, the payload and its signature in base64url, separated by a dot. They
//! are checked without the database.

use toolgate_domain::ids::{GrantId, PublicId, UserId};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::time::Timestamp;
use zeroize::Zeroizing;

use crate::signed_token::{self, PreparedKey};

/// The prefix of every access token. It must not change: secret scanners find leaked tokens by it.
pub const ACCESS_TOKEN_PREFIX: &str = "tga_";
/// The purpose of the signing keys of access tokens in storage.
pub const ACCESS_TOKEN_KEYS: &str = "oauth";

const VERSION: u8 = 1;
/// Version, grant, user, server, scopes, issued at, expires at.
const PAYLOAD_LENGTH: usize = 1 + 8 + 8 + 16 + 1 + 8 + 8;

/// The content of an access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessToken {
    /// The grant that the token belongs to.
    pub grant_id: GrantId,
    /// The person who gave access.
    pub user_id: UserId,
    /// The only server that accepts the token.
    pub server: PublicId,
    /// The scopes of the token.
    pub scopes: McpScopes,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl AccessToken {
    /// The token in plain text, signed with the first of `keys`. `None` if there is no key.
    pub fn sign(&self, keys: &[Zeroizing<[u8; 32]>]) -> Option<String> {
        signed_token::sign(ACCESS_TOKEN_PREFIX, &self.payload()?, keys)
    }

    /// The content of a token that one of `keys` signed. It may have expired, and its grant may have ended.
    pub fn verify(text: &str, keys: &[Zeroizing<[u8; 32]>]) -> Option<Self> {
        AccessTokenKeys::new(keys).verify(text)
    }

    fn payload(&self) -> Option<[u8; PAYLOAD_LENGTH]> {
        let server = u128::from_str_radix(self.server.as_str(), 16).ok()?;
        let parts: [&[u8]; 7] = [
            &[VERSION],
            &self.grant_id.0.to_be_bytes(),
            &self.user_id.0.to_be_bytes(),
            &server.to_be_bytes(),
            &[self.scopes.bits()],
            &self.issued_at.as_millis().to_be_bytes(),
            &self.expires_at.as_millis().to_be_bytes(),
        ];
        parts.concat().try_into().ok()
    }

    fn from_payload(payload: &[u8; PAYLOAD_LENGTH]) -> Option<Self> {
        let (version, rest) = payload.split_first()?;
        let (grant, rest) = rest.split_first_chunk::<8>()?;
        let (user, rest) = rest.split_first_chunk::<8>()?;
        let (server, rest) = rest.split_first_chunk::<16>()?;
        let (scopes, rest) = rest.split_first()?;
        let (issued_at, rest) = rest.split_first_chunk::<8>()?;
        let (expires_at, _) = rest.split_first_chunk::<8>()?;
        (*version == VERSION).then_some(())?;
        Some(Self {
            grant_id: GrantId(i64::from_be_bytes(*grant)),
            user_id: UserId(i64::from_be_bytes(*user)),
            server: PublicId::from_random(*server),
            scopes: McpScopes::from_bits(*scopes)?,
            issued_at: Timestamp::from_millis(i64::from_be_bytes(*issued_at)),
            expires_at: Timestamp::from_millis(i64::from_be_bytes(*expires_at)),
        })
    }
}

/// The keys of access tokens, prepared once for many checks.
#[derive(Clone, Debug, Default)]
pub struct AccessTokenKeys(Vec<PreparedKey>);

impl AccessTokenKeys {
    /// Prepares keys.
    pub fn new(keys: &[Zeroizing<[u8; 32]>]) -> Self {
        Self(keys.iter().filter_map(signed_token::prepare).collect())
    }

    /// The content of a token that one of the keys signed. It may have expired, and its grant may have ended.
    pub fn verify(&self, text: &str) -> Option<AccessToken> {
        AccessToken::from_payload(&signed_token::verify(ACCESS_TOKEN_PREFIX, text, &self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Zeroizing<[u8; 32]>> {
        bytes.iter().map(|byte| Zeroizing::new([*byte; 32])).collect()
    }

    fn token() -> AccessToken {
        AccessToken {
            grant_id: GrantId(7),
            user_id: UserId(3),
            server: PublicId::from_random([9; 16]),
            scopes: McpScopes::ALL,
            issued_at: Timestamp::from_millis(1_000),
            expires_at: Timestamp::from_millis(2_000),
        }
    }

    #[test]
    fn a_token_verifies_with_any_key_of_the_keyring() {
        let text = token().sign(&keys(&[1])).unwrap();
        assert!(text.starts_with("tga_") && text.len() < 160, "{text}");
        assert_eq!(AccessToken::verify(&text, &keys(&[2, 1])), Some(token()));
        assert_eq!(AccessToken::verify(&text, &keys(&[2])), None);
        assert_eq!(token().sign(&[]), None);
    }

    #[test]
    fn a_changed_token_does_not_verify() {
        let text = token().sign(&keys(&[1])).unwrap();
        for index in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(AccessToken::verify(&changed, &keys(&[1])), None, "byte {index} is changed");
        }
        let other = AccessToken { user_id: UserId(4), ..token() }.sign(&keys(&[1])).unwrap();
        let (payload, _) = text.split_once('.').unwrap();
        let (_, signature) = other.split_once('.').unwrap();
        for text in [&format!("{payload}.{signature}"), "", "tga_", "tga_.", &format!("{text}="), &format!("{text}.")] {
            assert_eq!(AccessToken::verify(text, &keys(&[1])), None, "{text}");
        }
    }
}
