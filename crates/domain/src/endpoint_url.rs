//! The upstream URL of a tool: an absolute http(s) URL with `{param}` placeholders after the host.
//!
//! The host is never a placeholder: the caller's arguments must not decide where credentials are sent.

use crate::fault::Fault;
use crate::text::check_length;

/// Maximum length of a URL, in characters.
pub const URL_MAX: usize = 2048;

/// A validated URL template, as its owner wrote it. Named after the field `endpoint_url` of a tool; not the endpoint of
/// a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUrl(String);

impl EndpointUrl {
    /// Validates a URL template.
    pub fn parse(field: &str, text: &str) -> Result<Self, Fault> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Fault::empty(field));
        }
        let after_host = check_scheme_and_host(field, text)?;
        for placeholder in placeholders(after_host) {
            placeholder.map_err(|bad| {
                Fault::invalid_pattern(
                    field,
                    format!("{field}: '{bad}' is not a placeholder; a name in braces begins with a letter or '_', followed by letters, digits, '_' and '-', and a literal brace is written %7B or %7D."),
                )
            })?;
        }
        let sample = text.replace(['{', '}'], "");
        url::Url::parse(&sample)
            .map_err(|error| Fault::invalid_pattern(field, format!("{field} is not a valid URL: {error}.")))?;
        Ok(Self(text.to_owned()))
    }

    /// From its stored text.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The template.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URL with the braces of placeholders removed, to check its host.
    pub fn sample(&self) -> Option<url::Url> {
        url::Url::parse(&self.0.replace(['{', '}'], "")).ok()
    }

    /// The names of the placeholders, in order.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        placeholders(&self.0).filter_map(Result::ok)
    }
}

/// Checks the scheme and the authority of a URL, and returns the rest. Also used for resource URLs.
pub(crate) fn check_scheme_and_host<'a>(field: &str, text: &'a str) -> Result<&'a str, Fault> {
    check_length(field, text, URL_MAX)?;
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(Fault::invalid_pattern(
            field,
            format!("{field} must not hold spaces or control characters; percent-encode them."),
        ));
    }
    let rest = text
        .split_once("://")
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        .map(|(_, rest)| rest)
        .ok_or_else(|| {
            Fault::invalid_pattern(field, format!("{field} must be an absolute http:// or https:// URL."))
        })?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, after_host) = rest.split_at_checked(end).unwrap_or((rest, ""));
    if authority.contains(['{', '}']) {
        return Err(Fault::invalid_pattern(field, format!("{field} must not hold a placeholder in its host or port.")));
    }
    if authority.contains('@') {
        return Err(Fault::invalid_pattern(
            field,
            format!("{field} must not hold a user or password; use auth_type and auth_credentials."),
        ));
    }
    if authority.contains('\\') {
        return Err(Fault::invalid_pattern(field, format!("{field} must not hold a backslash in its host.")));
    }
    if authority.is_empty() {
        return Err(Fault::invalid_pattern(field, format!("{field} has no host.")));
    }
    Ok(after_host)
}

/// Every `{…}` of a text: its name, or the invalid text as an error.
fn placeholders(text: &str) -> impl Iterator<Item = Result<&str, &str>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = rest.find(['{', '}'])?;
        let (_, from_brace) = rest.split_at_checked(at)?;
        let Some((name, after)) = from_brace.strip_prefix('{').and_then(|inner| inner.split_once('}')) else {
            rest = "";
            return Some(Err(from_brace));
        };
        rest = after;
        Some(if is_placeholder_name(name) { Ok(name) } else { Err(name) })
    })
}

/// Whether a name may stand in braces.
pub(crate) fn is_placeholder_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_may_occur_anywhere_after_the_host() {
        let url = EndpointUrl::parse("u", "https://api.example.com:8443/users/{user_id}/x?q={query}").unwrap();
        assert_eq!(url.placeholders().collect::<Vec<_>>(), ["user_id", "query"]);
    }

    #[test]
    fn invalid_urls_are_refused() {
        for bad in [
            "",
            " ",
            "example.com/x",
            "/x",
            "ftp://example.com",
            "http://",
            "http:///x",
            "https://u:p@example.com",
            "https://{host}/x",
            "https://example.com:{port}/",
            "https://example.com/{1}",
            "https://example.com/{",
            "https://example.com/}",
            "https://example.com/a b",
            "https://example.com/\nx",
            "http://exa mple.com",
            "https://example.com\\@evil.example",
            "http://[::1",
            "javascript:alert(1)",
        ] {
            assert!(EndpointUrl::parse("u", bad).is_err(), "{bad:?}");
        }
        assert!(EndpointUrl::parse("u", &format!("https://e.example/{}", "x".repeat(2030))).is_ok());
        assert!(EndpointUrl::parse("u", &format!("https://e.example/{}", "x".repeat(2031))).is_err());
    }
}
