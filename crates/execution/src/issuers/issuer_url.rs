//! The addresses of an issuer.

use http::Uri;
use toolgate_domain::host::is_loopback;
use url::Url;

use super::error::IssuerError;

const OPENID: &str = ".well-known/openid-configuration";
const OAUTH: &str = ".well-known/oauth-authorization-server";

/// Which addresses are accepted.
#[derive(Clone, Copy, Debug)]
pub(super) struct UrlRule {
    pub(super) allows_loopback_http: bool,
}

impl UrlRule {
    /// Parses an address. `field` names it in the error.
    pub(super) fn parse(self, text: &str, field: &'static str) -> Result<Url, IssuerError> {
        let url = Url::parse(text).map_err(|_| IssuerError::BadAddress(field))?;
        let is_secure = match url.scheme() {
            "https" => true,
            "http" => self.allows_loopback_http && url.host().is_some_and(|host| is_loopback(&host)),
            _ => false,
        };
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        if is_secure && is_plain { Ok(url) } else { Err(IssuerError::BadAddress(field)) }
    }
}

/// The addresses at which an issuer may publish its metadata: `openid-configuration` below the path of the issuer, and
/// the document of RFC 8414, whose well-known path precedes the path of the issuer.
pub(super) fn metadata_uris(issuer: &Url) -> Result<[Uri; 2], IssuerError> {
    let path = issuer.path().strip_suffix('/').unwrap_or(issuer.path());
    let with_path = |path: String| {
        let mut url = issuer.clone();
        url.set_path(&path);
        url.set_query(None);
        to_uri(&url, "The issuer")
    };
    Ok([with_path(format!("{path}/{OPENID}"))?, with_path(format!("/{OAUTH}{path}"))?])
}

pub(super) fn to_uri(url: &Url, field: &'static str) -> Result<Uri, IssuerError> {
    url.as_str().parse().map_err(|_| IssuerError::BadAddress(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_looked_for_where_the_standards_put_it() {
        for (issuer, openid, oauth) in [
            (
                "https://a.example",
                "https://a.example/.well-known/openid-configuration",
                "https://a.example/.well-known/oauth-authorization-server",
            ),
            (
                "https://a.example/",
                "https://a.example/.well-known/openid-configuration",
                "https://a.example/.well-known/oauth-authorization-server",
            ),
            (
                "https://a.example:8443/realms/x",
                "https://a.example:8443/realms/x/.well-known/openid-configuration",
                "https://a.example:8443/.well-known/oauth-authorization-server/realms/x",
            ),
            (
                "https://a.example/t/v2.0/",
                "https://a.example/t/v2.0/.well-known/openid-configuration",
                "https://a.example/.well-known/oauth-authorization-server/t/v2.0",
            ),
        ] {
            let uris = metadata_uris(&Url::parse(issuer).unwrap()).unwrap();
            assert_eq!(uris.map(|uri| uri.to_string()), [openid, oauth], "{issuer}");
        }
    }

    #[test]
    fn plain_http_is_for_loopback_alone() {
        let accepts =
            |text: &str, allows_loopback_http: bool| UrlRule { allows_loopback_http }.parse(text, "The issuer").is_ok();
        for (text, on_loopback, exposed) in [
            ("https://a.example/", true, true),
            ("http://127.0.0.1:9/", true, false),
            ("http://localhost:9/", true, false),
            ("http://a.example/", false, false),
            ("http://10.0.0.1/", false, false),
            ("https://user@a.example/", false, false),
            ("https://a.example/#x", false, false),
            ("ftp://a.example/", false, false),
            ("a.example", false, false),
        ] {
            assert_eq!((accepts(text, true), accepts(text, false)), (on_loopback, exposed), "{text}");
        }
    }
}
