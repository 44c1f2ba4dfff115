//! `?group=issues,pulls`: narrows the list of tools to groups.

use std::sync::Arc;

/// The longest query that is read, in bytes.
const QUERY_MAX: usize = 2048;

/// The groups in the query of a URL, in lower case and sorted; `None` if it names none.
pub(super) fn parse(query: &str) -> Option<Arc<[String]>> {
    let (query, _) = query.split_at(query.floor_char_boundary(QUERY_MAX));
    let values = url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "group");
    let mut groups: Vec<String> = Vec::new();
    for (_, value) in values {
        groups.extend(value.split(',').map(|group| group.trim().to_lowercase()).filter(|group| !group.is_empty()));
    }
    groups.sort();
    groups.dedup();
    (!groups.is_empty()).then(|| groups.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_separated_by_commas_or_repeated() {
        let groups = |query| parse(query).map(|groups| groups.join("|"));
        assert_eq!(groups("group=Pulls,issues&x=1&group=a%20b"), Some("a b|issues|pulls".to_owned()));
        for none in ["", "group=", "group=,%20", "groups=a"] {
            assert_eq!(groups(none), None, "{none}");
        }
    }
}
