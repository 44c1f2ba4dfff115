//! Tokens with which the console calls the management API for a person who is signed in with a browser: `tgb_`, the
//! payload and its signature. A token belongs to a browser session and is refused after the session has ended.

use toolgate_domain::api_key::KeyHash;
use toolgate_domain::time::Timestamp;
use zeroize::Zeroizing;

use crate::signed_token;

/// The prefix of every console token. It must not change: secret scanners find leaked tokens by it.
pub const CONSOLE_TOKEN_PREFIX: &str = "tgb_";
/// The purpose of the signing keys of console tokens in storage.
pub const CONSOLE_TOKEN_KEYS: &str = "console";

const VERSION: u8 = 1;
/// Version, session, expires at.
const PAYLOAD_LENGTH: usize = 1 + 32 + 8;

/// The content of a console token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsoleToken {
    /// The hash of the session's cookie, by which the session is looked up. The hash does not reveal the cookie.
    pub session: KeyHash,
    /// When the token expires.
    pub expires_at: Timestamp,
}

impl ConsoleToken {
    /// The token in plain text, signed with the first of `keys`. `None` if there is no key.
    pub fn sign(&self, keys: &[Zeroizing<[u8; 32]>]) -> Option<String> {
        let payload = [&[VERSION], self.session.0.as_slice(), &self.expires_at.as_millis().to_be_bytes()].concat();
        signed_token::sign(CONSOLE_TOKEN_PREFIX, &payload, keys)
    }

    /// The content of a token that one of `keys` signed. It may have expired, and its session may have ended.
    pub fn verify(text: &str, keys: &[Zeroizing<[u8; 32]>]) -> Option<Self> {
        let keys: Vec<_> = keys.iter().filter_map(signed_token::prepare).collect();
        let payload: [u8; PAYLOAD_LENGTH] = signed_token::verify(CONSOLE_TOKEN_PREFIX, text, &keys)?;
        let (version, rest) = payload.split_first()?;
        let (session, rest) = rest.split_first_chunk::<32>()?;
        let (expires_at, _) = rest.split_first_chunk::<8>()?;
        (*version == VERSION).then_some(Self {
            session: KeyHash(*session),
            expires_at: Timestamp::from_millis(i64::from_be_bytes(*expires_at)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unchanged_token_of_this_installation_verifies() {
        let keys = |byte: u8| vec![Zeroizing::new([byte; 32])];
        let token = ConsoleToken { session: KeyHash([7; 32]), expires_at: Timestamp::from_millis(1_000) };
        let text = token.sign(&keys(1)).unwrap();
        assert_eq!(ConsoleToken::verify(&text, &[keys(2), keys(1)].concat()), Some(token));
        assert_eq!(ConsoleToken::verify(&text, &keys(2)), None);
        assert_eq!(token.sign(&[]), None);
        for index in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(ConsoleToken::verify(&changed, &keys(1)), None, "byte {index} is changed");
        }
    }
}
