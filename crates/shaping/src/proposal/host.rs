//! Extracts the host of a URL, which may be a template.

use crate::projection::unescaped;

/// The host of an `http` or `https` URL, in lower case; `None` if the text is not such a URL. `content` is the text
/// between the quotes of a JSON string.
pub(super) fn url_host(content: &str) -> Option<String> {
    let is_url = content.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
    if !is_url {
        return None;
    }
    let text = unescaped(content);
    let (scheme, rest) = text.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let authority = rest.split(['/', '?', '#', '{', '\\']).next()?;
    let host_and_port = authority.rsplit('@').next()?;
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = host_and_port.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host_and_port, |(host, _)| host);
    let is_plain = !host.is_empty() && !host.contains(char::is_whitespace);
    is_plain.then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_urls_and_templates() {
        for (text, host) in [
            ("https://api.example.com/a", "api.example.com"),
            ("HTTP://API.Example.com", "api.example.com"),
            (r"https:\/\/api.example.com\/a", "api.example.com"),
            ("https://user:pw@api.example.com:8443/a{/b}?c", "api.example.com"),
            ("https://api.example.com{/path}", "api.example.com"),
            ("http://[::1]:80/", "[::1]"),
            ("http://[::1]/", "[::1]"),
        ] {
            assert_eq!(url_host(text).as_deref(), Some(host), "{text}");
        }
        for text in ["", "http", "https://", "httpx://a", "ftp://a", "see http://a", "http://a b/", "é://"] {
            assert_eq!(url_host(text), None, "{text}");
        }
    }
}
