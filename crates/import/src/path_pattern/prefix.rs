//! Finds the prefix of a path, such as `/api/v1`, which is fixed and not part of the name.

use super::segment;
use crate::tables::PREFIX_SEGMENTS;

/// Number of segments among which the version is searched.
const VERSION_SEGMENTS_MAX: usize = 5;
/// Number of segments among which `api` is searched, if there is no version.
const API_SEGMENTS_MAX: usize = 3;

/// Number of segments of the prefix.
pub(super) fn length(segments: &[String], domain_label: &str) -> usize {
    let is_version = |index: usize, segment: &str| is_version(segment) || is_numbered_version(segments, index);
    let mut candidates = segments.iter().take(VERSION_SEGMENTS_MAX).enumerate();
    // A version after the first argument is not that of the API.
    let version = candidates
        .find(|(index, segment)| is_version(*index, segment) || segment::is_argument(segment, domain_label))
        .filter(|(index, segment)| is_version(*index, segment));
    let is_api = |segment: &String| matches!(segment.trim_start_matches('_'), "api" | "apis" | "rest" | "wp-json");
    let api = || segments.iter().take(API_SEGMENTS_MAX).position(is_api);
    let length = version.map(|(index, _)| index).or_else(api).map_or(0, |index| index + 1);
    length + segments.iter().skip(length).take_while(|segment| PREFIX_SEGMENTS.contains(segment)).count()
}

/// Whether a segment is a version such as `v1`, `v1.2`, `v1_1`, `v1beta2`, `rest_v1` or `2.5`.
fn is_version(segment: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let lower = segment.to_ascii_lowercase();
    let lower = lower.strip_prefix("rest_").or_else(|| lower.strip_prefix("api_")).unwrap_or(&lower);
    let Some(number) = lower.strip_prefix('v') else {
        return lower.contains('.') && lower.split('.').all(is_number);
    };
    let release = number.trim_end_matches(|c: char| c.is_ascii_digit());
    let release = release.strip_suffix("alpha").or_else(|| release.strip_suffix("beta")).unwrap_or(number);
    release.split(['.', '_']).all(is_number)
}

/// Whether a segment is a whole number or a date in a position where a version is usual.
fn is_numbered_version(segments: &[String], index: usize) -> bool {
    let is_first = index == 0 && segments.get(1).is_some_and(|next| !next.is_empty());
    let follows_api = index.checked_sub(1).and_then(|index| segments.get(index)).is_some_and(|before| before == "api");
    let has_form = segments.get(index).is_some_and(|segment| {
        let lengths = segment.split('-').map(|part| part.bytes().all(|b| b.is_ascii_digit()).then_some(part.len()));
        let lengths: Option<Vec<usize>> = lengths.collect();
        match lengths.as_deref() {
            Some([length]) => *length > 0,
            Some([4, 2] | [4, 2, 2]) => true,
            _ => false,
        }
    });
    (is_first || follows_api) && has_form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_ends_with_the_version_or_api() {
        for (path, expected) in [
            ("v1/users", 1),
            ("V2.1/users", 1),
            ("v1_1/x", 1),
            ("v1beta/models", 1),
            ("api/v2/users", 2),
            ("admin/api/2024-01/products", 3),
            ("2010-04-01/Accounts", 1),
            ("1/boards", 1),
            ("1", 0),
            ("rest/api/3/issue", 3),
            ("crm/v3/objects/contacts", 3),
            ("wiki/api/pages", 2),
            ("acme/shop/_apis/builds", 3),
            ("api/rest_v1/page", 2),
            ("users/5/v1", 0),
            ("vx/users", 0),
            ("v/users", 0),
            ("apiary", 0),
            ("", 0),
        ] {
            let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
            assert_eq!(length(&segments, "example"), expected, "{path}");
        }
    }
}
