//! URLs of the service: the issuer and the endpoints below it.

use toolgate_domain::ids::PublicId;
use toolgate_domain::server::Server;
use url::Url;

/// The issuer, which is the public URL of the service without a slash at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IssuerUrl<'a>(&'a str);

/// A server as its endpoint path names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndpointName {
    pub(crate) slug: String,
    pub(crate) public_id: PublicId,
}

impl<'a> IssuerUrl<'a> {
    pub(crate) fn new(issuer: &'a str) -> Self {
        Self(issuer)
    }

    pub(crate) fn as_str(self) -> &'a str {
        self.0
    }

    /// Scheme, host and port, as browsers send them in `Origin`.
    pub(crate) fn origin(self) -> String {
        Url::parse(self.0).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }

    /// The path of the issuer without a slash at its end: empty, or for example `/gate`.
    pub(crate) fn base_path(self) -> &'a str {
        let after_scheme = self.0.split_once("://").map_or("", |(_, rest)| rest);
        after_scheme.find('/').and_then(|at| after_scheme.get(at..)).unwrap_or_default()
    }

    pub(crate) fn is_https(self) -> bool {
        self.0.starts_with("https://")
    }

    /// The URL of a server's endpoint.
    pub(crate) fn endpoint(self, server: &Server) -> String {
        format!("{}{}", self.0, server.endpoint_path())
    }

    /// The endpoint that the parameter `resource` of a request names; `None` if it is not an endpoint of this service.
    /// Scheme and host may be in any case, and one slash at the end is ignored. A query or fragment is not accepted.
    pub(crate) fn endpoint_name(self, resource: &str) -> Option<EndpointName> {
        // Scheme, host and port, as written in the issuer.
        let origin_length = self.0.len() - self.base_path().len();
        let own_origin = self.0.get(..origin_length)?;
        let (origin, path) = resource.split_at_checked(origin_length)?;
        let path = path.strip_prefix(self.base_path()).filter(|_| origin.eq_ignore_ascii_case(own_origin))?;
        EndpointName::from_path(path)
    }
}

impl EndpointName {
    /// Parses `/mcp/{slug}/{server_id}`; one slash at the end is ignored.
    pub(crate) fn from_path(path: &str) -> Option<Self> {
        let (slug, id) = path.strip_suffix('/').unwrap_or(path).strip_prefix("/mcp/")?.split_once('/')?;
        let public_id = PublicId::is_valid(id).then(|| PublicId::from_stored(id.to_owned()))?;
        Some(Self { slug: slug.to_owned(), public_id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn a_resource_is_an_endpoint_below_the_issuer() {
        for (issuer, resource, is_endpoint) in [
            ("https://x.org", format!("https://x.org/mcp/a/{ID}"), true),
            ("https://x.org", format!("HTTPS://X.ORG/mcp/a/{ID}/"), true),
            ("https://x.org/gate", format!("https://x.org/gate/mcp/a/{ID}"), true),
            ("https://x.org/gate", format!("https://x.org/mcp/a/{ID}"), false),
            ("https://x.org/gate", format!("https://x.org/GATE/mcp/a/{ID}"), false),
            ("https://x.org", format!("https://x.org/mcp/a/{ID}//"), false),
            ("https://x.org", format!("https://x.org/mcp/a/{ID}?x"), false),
            ("https://x.org", format!("https://x.org/mcp/a/{ID}#x"), false),
            ("https://x.org", format!("https://x.org.evil/mcp/a/{ID}"), false),
            ("https://x.org", format!("http://x.org/mcp/a/{ID}"), false),
            ("https://x.org", "https://x.org/mcp/a/b".to_owned(), false),
            ("https://x.org", "https://x.o".to_owned(), false),
            ("https://x.org", "é".repeat(7), false),
        ] {
            assert_eq!(IssuerUrl::new(issuer).endpoint_name(&resource).is_some(), is_endpoint, "{resource}");
        }
    }

    #[test]
    fn origin_and_base_path_are_parts_of_the_issuer() {
        for (issuer, origin, base_path) in [
            ("https://x.org", "https://x.org", ""),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", ""),
            ("https://x.org:8443/a/b", "https://x.org:8443", "/a/b"),
        ] {
            let url = IssuerUrl::new(issuer);
            assert_eq!((url.origin().as_str(), url.base_path()), (origin, base_path));
        }
    }
}
