//! Where a person goes on after sign-in.

/// Longest path and query, in bytes.
const LENGTH_MAX: usize = 32 * 1024;

/// The path and query of an authorization request. All else is ignored, so that a link to the sign-in page cannot lead
/// to another site.
pub(super) fn parse(next: Option<&str>) -> Option<&str> {
    let is_query = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    next.filter(|next| next.starts_with("/authorize?") && next.len() <= LENGTH_MAX && next.bytes().all(is_query))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_authorization_requests_of_this_service_follow() {
        assert!(parse(Some("/authorize?client_id=x&state=%26")).is_some());
        for other in [
            "https://evil.org/",
            "//evil.org/authorize?",
            "/authorize",
            "/authorizex?",
            "/authorize?a\r\nb: c",
            "/",
            "",
        ] {
            assert_eq!(parse(Some(other)), None, "{other:?}");
        }
        assert_eq!(parse(None), None);
    }
}
