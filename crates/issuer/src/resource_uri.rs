//! The parameter `resource`: the endpoint that a token is for (RFC 8707).

use toolgate_domain::ids::PublicId;
use toolgate_domain::server::Server;

/// A resource in the form in which resources are compared: scheme and host in lower case, without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResourceUri(String);

impl ResourceUri {
    /// `None` if the text is not an absolute URI, or has a user, a query or a fragment.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let has_forbidden = |character: char| matches!(character, '?' | '#' | '@' | '\\') || character.is_control();
        if rest.contains(has_forbidden) {
            return None;
        }
        let (authority, path) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len()))?;
        let path = path.strip_suffix('/').unwrap_or(path);
        Some(Self(format!("{}://{}{path}", scheme.to_ascii_lowercase(), authority.to_ascii_lowercase())))
    }

    /// The public id of the server, if this is the URI of an endpoint; whether it is must still be checked.
    pub(crate) fn public_id(&self) -> Option<PublicId> {
        let id = self.0.rsplit('/').next().filter(|id| PublicId::is_valid(id))?;
        Some(PublicId::from_stored(id.to_owned()))
    }

    /// Whether it is the endpoint of `server` at this service.
    pub(crate) fn is_endpoint(&self, issuer: &str, server: &Server) -> bool {
        Self::parse(&format!("{issuer}{}", server.endpoint_path())).as_ref() == Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_same(text: &str) -> bool {
        let endpoint = ResourceUri::parse("https://tools.example/mcp/Shop/0f");
        assert!(endpoint.is_some());
        ResourceUri::parse(text) == endpoint
    }

    #[test]
    fn scheme_and_host_are_compared_in_any_case_and_one_slash_is_ignored() {
        for same in [
            "https://tools.example/mcp/Shop/0f",
            "HTTPS://Tools.EXAMPLE/mcp/Shop/0f",
            "https://tools.example/mcp/Shop/0f/",
        ] {
            assert!(is_same(same), "{same}");
        }
        for other in [
            "https://tools.example/mcp/shop/0f",
            "https://tools.example/mcp/Shop/0F",
            "https://tools.example/mcp/Shop/0f//",
            "https://tools.example/mcp/Shop/0f?",
            "https://tools.example/mcp/Shop/0f?a=1",
            "https://tools.example/mcp/Shop/0f#",
            "https://user@tools.example/mcp/Shop/0f",
            "https://tools.example:8443/mcp/Shop/0f",
            "http://tools.example/mcp/Shop/0f",
            "https://tools.example",
            "tools.example/mcp/Shop/0f",
            "https://tools.example/mcp/Shop/../Shop/0f",
            "",
        ] {
            assert!(!is_same(other), "{other}");
        }
    }
}
