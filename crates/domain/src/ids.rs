//! Ids as newtypes: the compiler rejects a tool's id where a server's id is required.

use serde::Serialize;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
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
    /// A prompt.
    PromptId,
    /// A resource.
    ResourceId,
    /// A key for the management API.
    ApiKeyId,
    /// A key for one server's MCP endpoint.
    EndpointKeyId,
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

    /// Whether a text has the form of a public id; other texts need no lookup.
    pub fn is_valid(text: &str) -> bool {
        text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
