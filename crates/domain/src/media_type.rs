//! Media types, such as `image/png` and `text/plain; charset=utf-8`.

use crate::headers::is_token;

/// Maximum length of a media type with its parameters, in bytes.
pub const MEDIA_TYPE_MAX: usize = 256;

/// Whether a text is a media type (RFC 9110, section 8.3.1). It then fits into a header: its parameters are tokens, or
/// quoted texts of printable ASCII characters without quotes and backslashes.
pub fn is_media_type(text: &str) -> bool {
    if text.len() > MEDIA_TYPE_MAX {
        return false;
    }
    let mut parts = text.split(';');
    let essence = parts.next().unwrap_or_default().trim_end_matches(' ');
    let is_essence = essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
    is_essence && parts.all(|parameter| is_parameter(parameter.trim_matches(' ')))
}

fn is_parameter(text: &str) -> bool {
    let is_quoted_text = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\;".contains(&byte));
    text.split_once('=').is_some_and(|(name, value)| {
        let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        is_token(name) && (is_token(value) || quoted.is_some_and(is_quoted_text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_distinguished_from_other_texts() {
        for good in [
            "image/png",
            "application/vnd.api+json",
            "text/plain; charset=utf-8",
            "text/plain;charset=\"utf-8\" ; x=1",
            "*/*",
        ] {
            assert!(is_media_type(good), "{good}");
        }
        let long = format!("a/{}", "b".repeat(MEDIA_TYPE_MAX));
        for bad in [
            "",
            "png",
            "image/",
            "/png",
            "image/png\r\nX-A: 1",
            "image/png\n",
            "a b/c",
            "a/b; c",
            "a/b;",
            "a/b; c=\"d",
            "a/b; c=\"d\"e\"",
            "a/b; c=\"\\\"",
            "a/b; c=\"\r\n\"",
            "image/ü",
            "a/b, c/d",
            &long,
        ] {
            assert!(!is_media_type(bad), "{bad}");
        }
    }
}
