//! Redirect URIs: which ones a client may register, and which registered one a request names.
//!
//! Requested URIs are compared as text. `url::Url` normalises case, dot segments, ports and encodings, so that
//! different texts would become equal; it is used only at registration, to find out where a URI leads.

use url::Url;

use super::loopback_uri::LoopbackUri;

/// Most redirect URIs of one client.
pub const REDIRECT_URIS_MAX: usize = 10;
/// Longest redirect URI, in bytes.
pub const REDIRECT_URI_BYTES_MAX: usize = 2048;

/// Private-use schemes of known programs. Others must contain a dot, as RFC 8252 recommends, or be configured.
const KNOWN_SCHEMES: [&str; 6] = ["cursor", "vscode", "vscode-insiders", "windsurf", "zed", "claude"];

/// Where a redirect URI leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// A web site, by its host, with the port if there is one.
    Site(String),
    /// A program that listens on this computer, by its loopback host.
    Loopback(String),
    /// A program that the system opens by this private-use scheme.
    Program(String),
}

impl RedirectTarget {
    /// The host, or the scheme if it is not http(s): what a grant stores as `redirect_host`.
    pub fn name(&self) -> &str {
        let (Self::Site(name) | Self::Loopback(name) | Self::Program(name)) = self;
        name
    }
}

/// A redirect URI that a client may register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri {
    text: String,
    target: RedirectTarget,
}

impl RedirectUri {
    /// Checks a URI for registration. `schemes` are private-use schemes that the operator allows in addition to those
    /// of known programs. The error is a sentence without the URI.
    pub fn parse(text: &str, schemes: &[String]) -> Result<Self, &'static str> {
        check_text(text)?;
        let url = Url::parse(text).map_err(|_| "a redirect URI must be an absolute URI")?;
        if url.fragment().is_some() {
            return Err("a redirect URI must not have a fragment");
        }
        if has_user(text, &url) || !url.username().is_empty() || url.password().is_some() {
            return Err("a redirect URI must not have a user name or password");
        }
        let target = target(text, &url, schemes)?;
        Ok(Self { text: text.to_owned(), target })
    }

    /// The URI as registered.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where it leads.
    pub fn target(&self) -> &RedirectTarget {
        &self.target
    }

    /// The URI with parameters added to its query. `parse` refuses fragments, so the query is its last part.
    pub fn with_parameters<'a>(&self, parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let separator = match self.text.split_once('?') {
            None => "?",
            Some((_, "")) => "",
            Some((_, own)) if own.ends_with('&') => "",
            Some(_) => "&",
        };
        format!("{}{separator}{}", self.text, query.finish())
    }
}

/// Whether `requested` is the URI `registered`: the same text. A loopback URI may have another port, because programs
/// listen on a free one.
pub fn matches(registered: &str, requested: &str) -> bool {
    if registered == requested {
        return true;
    }
    match (LoopbackUri::parse(registered), LoopbackUri::parse(requested)) {
        (Some(registered), Some(requested)) => registered.is_same_without_port(&requested),
        _ => false,
    }
}

/// Only characters that RFC 3986 allows. URL parsers remove or convert others, so that the text that is compared would
/// not be the address that a browser opens.
fn check_text(text: &str) -> Result<(), &'static str> {
    if text.is_empty() || text.len() > REDIRECT_URI_BYTES_MAX {
        return Err("a redirect URI must have 1 to 2048 bytes");
    }
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    if text.bytes().all(is_allowed) {
        Ok(())
    } else {
        Err("a redirect URI must not have spaces, control characters, backslashes or other characters outside RFC 3986")
    }
}

/// The text after `scheme://`; `None` if something else follows the scheme.
fn after_slashes<'a>(text: &'a str, url: &Url) -> Option<&'a str> {
    text.get(url.scheme().len()..)?.strip_prefix("://")
}

/// Whether the authority has a user, also an empty one, which the parser drops.
fn has_user(text: &str, url: &Url) -> bool {
    let authority = after_slashes(text, url).and_then(|rest| rest.split(['/', '?', '#']).next());
    authority.is_some_and(|authority| authority.contains('@'))
}

fn target(text: &str, url: &Url, schemes: &[String]) -> Result<RedirectTarget, &'static str> {
    match url.scheme() {
        "https" => {
            site(text, url).map(RedirectTarget::Site).ok_or("an https redirect URI must begin with https://host")
        }
        "http" => {
            let loopback = LoopbackUri::parse(text).ok_or(
                "an http redirect URI must begin with http://localhost, http://127.0.0.1 or http://[::1]; use https for other hosts",
            )?;
            Ok(RedirectTarget::Loopback(loopback.host().to_owned()))
        }
        scheme if is_private_use(scheme, schemes) => Ok(RedirectTarget::Program(scheme.to_owned())),
        _ => Err(
            "the scheme of a redirect URI must be https, http on loopback, or a private-use scheme that contains a \
                  dot or is allowed by TOOLGATE_OAUTH_REDIRECT_SCHEMES",
        ),
    }
}

/// The host of an https URI. The parser also accepts `https:host` and `https:///host`, which are not URIs of this host.
fn site(text: &str, url: &Url) -> Option<String> {
    let rest = after_slashes(text, url)?;
    let host = url.host_str().filter(|_| !rest.starts_with('/'))?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

fn is_private_use(scheme: &str, schemes: &[String]) -> bool {
    scheme.contains('.')
        || KNOWN_SCHEMES.contains(&scheme)
        || schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests;
