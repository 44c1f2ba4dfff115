//! The group of a tool, by which lists and searches can be narrowed.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Maximum length of the list of groups in the description of `search_tools`, in characters.
const GROUPS_CHARS_MAX: usize = 360;

/// The group of a tool: its first tag, else the first meaningful segment of the path. Versions and `api` are used only
/// if there is no other segment. Placeholders are skipped.
pub fn tool_group<'a>(first_tag: Option<&'a str>, url: &'a str) -> Option<&'a str> {
    let tag = first_tag.map(str::trim).filter(|tag| !tag.is_empty());
    tag.or_else(|| path_group(url))
}

/// The number of tools of each group. Groups that differ only in case are one, in the first spelling.
pub(crate) fn count_groups<'a>(groups: impl Iterator<Item = Option<&'a str>>) -> Vec<(usize, &'a str)> {
    let mut counts: Vec<(usize, &str)> = Vec::new();
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    for group in groups.flatten() {
        let position = *positions.entry(group.to_lowercase()).or_insert_with(|| {
            counts.push((0, group));
            counts.len() - 1
        });
        counts[position].0 += 1;
    }
    counts
}

/// The groups as text, each with the number of its tools, the largest first: `issues (34), pulls (29)`.
pub fn describe_groups(mut counts: Vec<(usize, &str)>) -> String {
    counts.retain(|(_, group)| !group.is_empty());
    counts.sort_by_key(|(count, _)| Reverse(*count));
    let mut text = String::new();
    for (count, group) in counts {
        let next = format!("{}{group} ({count})", if text.is_empty() { "" } else { ", " });
        if text.chars().count() + next.chars().count() > GROUPS_CHARS_MAX {
            text.push('…');
            break;
        }
        text.push_str(&next);
    }
    text
}

fn path_group(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    let (_, path) = rest.split_once('/')?;
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split('/').filter(|segment| !segment.is_empty() && !segment.contains('{'));
    let first = segments.next()?;
    if is_uninformative(first) {
        segments.find(|segment| !is_uninformative(segment)).or(Some(first))
    } else {
        Some(first)
    }
}

fn is_uninformative(segment: &str) -> bool {
    let is_version = segment
        .strip_prefix(['v', 'V'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.len() <= 8);
    is_version || segment.eq_ignore_ascii_case("api") || segment.eq_ignore_ascii_case("rest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_described_with_the_largest_first() {
        let groups = [Some("pulls"), None, Some("Issues"), Some("issues"), Some("")];
        assert_eq!(describe_groups(count_groups(groups.into_iter())), "Issues (2), pulls (1)");
    }

    #[test]
    fn the_first_tag_takes_precedence_over_the_path() {
        assert_eq!(tool_group(Some("Issues"), "https://a.example/repos"), Some("Issues"));
        assert_eq!(tool_group(Some(" "), "https://a.example/repos/x"), Some("repos"));
        assert_eq!(tool_group(None, "https://a.example/api/v2/users/{id}"), Some("users"));
        assert_eq!(tool_group(None, "https://a.example/v1/{id}"), Some("v1"));
        assert_eq!(tool_group(None, "https://a.example/{tenant}/orders?x=/y"), Some("orders"));
        assert_eq!(tool_group(None, "https://a.example"), None);
        assert_eq!(tool_group(None, "https://a.example/"), None);
    }
}
