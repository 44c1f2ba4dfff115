//! Media types of bodies: which of several is used, and how it is sent.

/// How a body of a media type is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MediaKind {
    Json,
    Form,
    Multipart,
    Text,
    Xml,
    Binary,
}

/// Types of the family `application` that are text.
const TEXT_TYPES: [&str; 12] = [
    "application/graphql",
    "application/javascript",
    "application/jsonl",
    "application/json-seq",
    "application/jwt",
    "application/sparql-query",
    "application/sql",
    "application/toml",
    "application/x-ndjson",
    "application/x-yaml",
    "application/yaml",
    "application/x-sh",
];

impl MediaKind {
    pub(super) fn from_media_type(media_type: &str) -> Self {
        let essence = essence(media_type);
        match essence.as_str() {
            "application/json" | "text/json" | "application/x-json" | "*/*" | "application/*" | "*" => Self::Json,
            name if name.ends_with("+json") => Self::Json,
            "application/x-www-form-urlencoded" => Self::Form,
            "multipart/form-data" => Self::Multipart,
            "application/xml" | "text/xml" => Self::Xml,
            name if name.ends_with("+xml") => Self::Xml,
            name if name.starts_with("text/") || TEXT_TYPES.contains(&name) => Self::Text,
            _ => Self::Binary,
        }
    }
}

/// Whether a media type is a range, such as `image/*`.
pub(super) fn is_range(media_type: &str) -> bool {
    media_type.contains('*')
}

/// The media type without parameters, in lower case.
pub(super) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The position of a media type in the order of preference.
fn rank(media_type: &str) -> u8 {
    let essence = essence(media_type);
    match MediaKind::from_media_type(media_type) {
        MediaKind::Json if essence == "application/json" => 0,
        MediaKind::Json if !is_range(&essence) => 1,
        MediaKind::Json => 2,
        MediaKind::Form => 3,
        MediaKind::Multipart => 4,
        MediaKind::Text => 5,
        MediaKind::Xml if essence.starts_with("text/") => 5,
        MediaKind::Binary if essence == "application/octet-stream" => 6,
        MediaKind::Xml => 7,
        MediaKind::Binary => 8,
    }
}

/// The position of the preferred media type.
pub(super) fn preferred<'m>(media_types: impl Iterator<Item = &'m str>) -> Option<usize> {
    media_types.enumerate().min_by_key(|(index, media_type)| (rank(media_type), *index)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_preferred_then_forms_then_text() {
        let order = [
            "application/json; charset=utf-8",
            "application/vnd.api+json",
            "*/*",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "text/csv",
            "application/octet-stream",
            "application/xml",
            "image/png",
        ];
        for start in 0..order.len() {
            let rest: Vec<&str> = order[start..].iter().rev().copied().collect();
            assert_eq!(preferred(rest.iter().copied()), Some(rest.len() - 1), "{rest:?}");
        }
        assert_eq!(preferred(["text/plain", "text/html"].into_iter()), Some(0));
        assert_eq!(preferred(std::iter::empty()), None);
    }

    #[test]
    fn each_media_type_has_a_kind() {
        for (media_type, kind) in [
            ("Application/JSON", MediaKind::Json),
            ("application/merge-patch+json", MediaKind::Json),
            ("text/json", MediaKind::Json),
            ("application/x-www-form-urlencoded", MediaKind::Form),
            ("multipart/form-data; boundary=x", MediaKind::Multipart),
            ("multipart/mixed", MediaKind::Binary),
            ("text/plain", MediaKind::Text),
            ("application/x-ndjson", MediaKind::Text),
            ("text/xml", MediaKind::Xml),
            ("application/soap+xml", MediaKind::Xml),
            ("application/pdf", MediaKind::Binary),
            ("image/*", MediaKind::Binary),
        ] {
            assert_eq!(MediaKind::from_media_type(media_type), kind, "{media_type}");
        }
    }
}
