//! The names that a misspelt one probably means.

use std::borrow::Cow;

/// Longer names are not compared, because the time grows with the product of the lengths.
const NAME_CHARS_MAX: usize = 64;

/// The candidate that `wanted` probably means: at most two characters differ, or a third of them. Case, `-` and `_` do
/// not count.
pub fn closest_name<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold(wanted)?;
    let near = candidates.into_iter().filter_map(|candidate| Some((distance(&wanted, &fold(candidate)?)?, candidate)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// At most `limit` candidates that `wanted` may mean, the closest first; similar as for [`closest_name`].
pub fn closest_names<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let Some(wanted) = fold(wanted) else { return Vec::new() };
    let near = candidates.into_iter().filter_map(|candidate| Some((distance(&wanted, &fold(candidate)?)?, candidate)));
    let mut near: Vec<(usize, &str)> = near.collect();
    near.sort_unstable();
    near.into_iter().take(limit).map(|(_, candidate)| candidate).collect()
}

/// The candidates by their distance from `wanted`, those that differ too much last, in their own order.
pub fn by_distance<'a>(wanted: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    let wanted = fold(wanted);
    let rank = |candidate: &&&str| {
        let (Some(wanted), Some(candidate)) = (&wanted, fold(candidate)) else { return usize::MAX };
        let shares_prefix = wanted.chars().next() == candidate.chars().next();
        distance(wanted, &candidate).unwrap_or(if shares_prefix { usize::MAX - 1 } else { usize::MAX })
    };
    let mut sorted: Vec<&&str> = candidates.iter().collect();
    sorted.sort_by_cached_key(rank);
    sorted.into_iter().copied().collect()
}

/// The edit distance, if the names are similar enough.
fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    let (shorter, longer) = minmax(wanted.chars().count(), candidate.chars().count());
    // Two changes make any two short words equal.
    let tolerance = if shorter <= 3 { 1 } else { (longer / 3).max(2) };
    if longer - shorter > tolerance {
        return None;
    }
    Some(strsim::osa_distance(wanted, candidate)).filter(|distance| *distance <= tolerance && *distance < shorter)
}

fn minmax(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// The characters that count; `None` for a name that is not compared.
fn fold(name: &str) -> Option<Cow<'_, str>> {
    if name.len() > NAME_CHARS_MAX * 4 || name.chars().nth(NAME_CHARS_MAX).is_some() {
        return None;
    }
    let counts = |c: char| !matches!(c, '-' | '_');
    if name.chars().all(|c| counts(c) && !c.is_uppercase()) {
        return Some(Cow::Borrowed(name));
    }
    Some(name.chars().filter(|c| counts(*c)).flat_map(char::to_lowercase).collect::<String>().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["state", "per_page", "ticket_id", "read_ticket", "q"];

    #[test]
    fn misspelt_names_are_recognised() {
        for (name, meant) in [
            ("sate", "state"),
            ("State", "state"),
            ("perpage", "per_page"),
            ("per-page", "per_page"),
            ("perPages", "per_page"),
            ("read_tickets", "read_ticket"),
            ("tikcet_id", "ticket_id"),
        ] {
            assert_eq!(closest_name(name, NAMES), Some(meant), "{name}");
        }
    }

    #[test]
    fn other_names_have_no_closest_one() {
        let long = "state".repeat(100);
        for name in ["", "x", "colour", "delete_everything", long.as_str(), "é"] {
            assert_eq!(closest_name(name, NAMES), None, "{name}");
        }
    }

    #[test]
    fn close_names_are_found_in_order() {
        let names = ["read_ticket", "read_tickets_all", "list_tickets", "createTicket"];
        assert_eq!(closest_names("read_tickets", names, 2), ["read_ticket", "read_tickets_all"]);
        assert_eq!(closest_names("create-ticket", names, 2), ["createTicket", "read_ticket"]);
        assert_eq!(closest_names("weather", names, 2), [""; 0]);
        assert_eq!(closest_names("", names, 2), [""; 0]);
    }

    #[test]
    fn values_are_sorted_by_distance() {
        assert_eq!(by_distance("clsed", &["new", "cold", "closed", "open"]), ["closed", "cold", "new", "open"]);
        assert_eq!(by_distance(&"x".repeat(1000), &["b", "a"]), ["b", "a"]);
    }
}
