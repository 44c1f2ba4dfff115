//! Ids as newtypes: the compiler rejects a tool's id where a server's id is required.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    /// A user: the owner of servers and keys.
    UserId,
    /// A server, as used in REST paths.
    ServerId,
    /// A tool.
    ToolId,
    /// A description of an API from which tools were imported.
    DocumentId,
    /// A prompt.
    PromptId,
    /// A resource.
    ResourceId,
    /// A credential of a server.
    ServerCredentialId,
    /// A key for the management API.
    ApiKeyId,
    /// A key for one server's MCP endpoint.
    EndpointKeyId,
    /// An OAuth client, as used in REST paths.
    OAuthClientId,
    /// The access that a person gave a client to one server.
    GrantId,
    /// An account at an OpenID provider that belongs to a user.
    IdentityId,
    /// A person whom an external issuer identifies. The number is derived from issuer and subject, not assigned.
    SubjectId,
}

/// The opaque public identifier of a server in its endpoint path: 128 random bits as lower-case hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PublicId(String);

impl PublicId {
    /// From 16 cryptographically random bytes.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(format!("{:032x}", u128::from_be_bytes(bytes)))
    }

    /// From its stored text.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Whether a text consists of 32 lower-case hex digits, like every public id; other texts need no lookup.
    pub fn is_valid(text: &str) -> bool {
        text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_32_lower_case_hex_digits_are_a_valid_public_id() {
        for bytes in [[0; 16], [0xff; 16], 0x0123_4567_89ab_cdef_u128.to_be_bytes()] {
            let id = PublicId::from_random(bytes);
            assert!(PublicId::is_valid(id.as_str()), "{id:?}");
        }
        for bad in
            ["", &"0".repeat(31), &"0".repeat(33), &"A".repeat(32), &"g".repeat(32), &"-".repeat(32), &"é".repeat(16)]
        {
            assert!(!PublicId::is_valid(bad), "{bad:?}");
        }
    }
}
