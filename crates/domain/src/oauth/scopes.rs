//! The scopes of a grant.

use crate::closed_set::closed_set;

closed_set! {
    /// One permission at an MCP endpoint.
    pub enum McpScope {
        /// Lists, prompts, and tools and resources that only read.
        Read = "mcp:read",
        /// All tools and resources; implies `mcp:read`.
        Write = "mcp:write",
    }
}

/// The scopes of a grant or of an access token, as a bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpScopes(u8);

impl McpScopes {
    /// Both scopes.
    pub const ALL: Self = Self(0b11);

    /// Whether `scope` is granted, directly or by implication.
    pub fn allow(self, scope: McpScope) -> bool {
        self.contains(scope) || (scope == McpScope::Read && self.contains(McpScope::Write))
    }

    /// Whether every scope of `other` is granted.
    pub fn include(self, other: Self) -> bool {
        [McpScope::Read, McpScope::Write].into_iter().all(|scope| !other.contains(scope) || self.allow(scope))
    }

    /// Parses names that are separated by spaces; unknown ones are dropped. `None` if no known name is left.
    pub fn parse(text: &str) -> Option<Self> {
        let scopes = text.split_ascii_whitespace().filter_map(McpScope::parse).collect::<Self>();
        (scopes.0 != 0).then_some(scopes)
    }

    /// The names of the granted scopes, without implied ones.
    pub fn names(self) -> Vec<&'static str> {
        let scopes = [McpScope::Read, McpScope::Write].into_iter().filter(|scope| self.contains(*scope));
        scopes.map(McpScope::as_str).collect()
    }

    /// The names, separated by spaces.
    pub fn to_text(self) -> String {
        self.names().join(" ")
    }

    /// The bits, for the payload of a token.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// From the payload of a token. `None` if there is no scope or an unknown one.
    pub fn from_bits(bits: u8) -> Option<Self> {
        (1..=Self::ALL.0).contains(&bits).then_some(Self(bits))
    }

    fn contains(self, scope: McpScope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }
}

impl FromIterator<McpScope> for McpScopes {
    fn from_iter<I: IntoIterator<Item = McpScope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_includes_reading_and_unknown_scopes_are_dropped() {
        let write = McpScopes::parse("mcp:write openid").unwrap();
        assert_eq!(write.names(), ["mcp:write"]);
        assert!(write.allow(McpScope::Read) && write.include(McpScopes::ALL));
        let read = McpScopes::parse("mcp:read").unwrap();
        assert!(!read.allow(McpScope::Write) && !read.include(write));
        assert_eq!(McpScopes::parse("openid offline_access"), None);
        for scopes in [read, write, McpScopes::ALL] {
            assert_eq!(McpScopes::from_bits(scopes.bits()), Some(scopes));
            assert_eq!(McpScopes::parse(&scopes.to_text()), Some(scopes));
        }
        assert_eq!([0, 4, 255].map(McpScopes::from_bits), [None; 3]);
    }
}
