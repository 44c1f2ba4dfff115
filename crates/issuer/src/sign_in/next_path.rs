//! Where a person goes after sign-in.

/// Longest path and query, in bytes.
const LENGTH_MAX: usize = 32 * 1024;

/// The path and query of an authorization request or of a console page. All else is ignored, so that a link to the
/// sign-in page cannot lead to another site.
pub(super) fn parse(next: Option<&str>) -> Option<&str> {
    let is_query = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    let next = next.filter(|next| next.len() <= LENGTH_MAX && next.bytes().all(is_query))?;
    (next.starts_with("/authorize?") || is_console_page(next)).then_some(next)
}

/// Whether a path has the form of a console page. It has no dots, so that it stays below the path of the base URL.
fn is_console_page(next: &str) -> bool {
    let path = next.split(['?', '#']).next().unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_-".contains(&byte);
    path.starts_with('/') && !path.contains("//") && path.bytes().all(is_plain) && !next.contains('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_authorization_requests_and_console_pages_of_this_service_follow() {
        for next in
            ["/authorize?client_id=x&state=%26", "/", "/servers/3/tools", "/calls?status=error&page=2", "/?a=//b"]
        {
            assert_eq!(parse(Some(next)), Some(next));
        }
        for other in [
            "https://evil.org/",
            "//evil.org/authorize?",
            "//evil.org",
            "/\\evil.org",
            "/servers//x",
            "/authorize?a\r\nb: c",
            "/../other",
            "/%2e%2e/other",
            "/servers#key=tg_x",
            "servers",
            "/ser vers",
            "",
        ] {
            assert_eq!(parse(Some(other)), None, "{other:?}");
        }
        assert_eq!(parse(None), None);
    }
}
