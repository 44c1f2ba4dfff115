//! Suggestions for misspelt names.

use std::borrow::Cow;

/// Longer names are not compared, because the time grows with the product of the lengths.
const NAME_CHARS_MAX: usize = 64;
/// Shorter words, such as `get` and `of`, do not make two names similar.
const WORD_BYTES_MIN: usize = 4;

/// The candidate that `wanted` probably means: at most two characters differ, or a third of them. Case, `-` and `_` are
/// ignored.
pub fn closest_name<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold(wanted)?;
    let near = candidates.into_iter().filter_map(|candidate| Some((distance(&wanted, &fold(candidate)?)?, candidate)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// At most `limit` candidates that `wanted` may mean: the closest ones, as for [`closest_name`], else those that have
/// the most words in common with it.
pub fn probable_names<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let Some(folded) = fold(wanted) else { return Vec::new() };
    let near = candidates.iter().filter_map(|name| Some((distance(&folded, &fold(name)?)?, *name)));
    let mut near: Vec<(usize, &str)> = near.collect();
    near.sort_unstable();
    if let Some((closest, _)) = near.first().copied() {
        near.retain(|(distance, _)| *distance <= closest + 1);
        return near.into_iter().take(limit).map(|(_, name)| name).collect();
    }
    let wanted = words(wanted);
    let shared = |candidate: &str| -> usize {
        let candidate = words(candidate);
        let scores = wanted.iter().filter(|word| word.len() >= WORD_BYTES_MIN).filter_map(|word| {
            let same = candidate.iter().find(|other| without_plural(other) == without_plural(word))?;
            Some(if same == word { 2 } else { 1 })
        });
        scores.sum()
    };
    let mut ranked: Vec<(usize, &str)> = candidates.into_iter().map(|name| (shared(name), name)).collect();
    ranked.retain(|(score, _)| *score > 0);
    ranked.sort_by(|(score, name), (other_score, other)| other_score.cmp(score).then(name.cmp(other)));
    ranked.into_iter().take(limit).map(|(_, name)| name).collect()
}

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower_case = false;
    for c in name.chars().take(NAME_CHARS_MAX) {
        if !c.is_alphanumeric() || c.is_uppercase() && was_lower_case {
            words.push(String::new());
        }
        was_lower_case = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn without_plural(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// Sorts the candidates by their distance from `wanted`. Those that differ too much come last, in their original order,
/// except that those with the same first letter precede the others.
pub fn by_distance<'a>(wanted: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    let wanted = fold(wanted);
    let rank = |candidate: &&&str| {
        let (Some(wanted), Some(candidate)) = (&wanted, fold(candidate)) else { return usize::MAX };
        let has_same_initial = wanted.chars().next() == candidate.chars().next();
        distance(wanted, &candidate).unwrap_or(if has_same_initial { usize::MAX - 1 } else { usize::MAX })
    };
    let mut sorted: Vec<&&str> = candidates.iter().collect();
    sorted.sort_by_cached_key(rank);
    sorted.into_iter().copied().collect()
}

/// The edit distance, if the names are similar enough.
fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    let (shorter, longer) = minmax(wanted.chars().count(), candidate.chars().count());
    // With two changes, any two short words would be similar.
    let tolerance = if shorter <= 3 { 1 } else { (longer / 3).max(2) };
    if longer - shorter > tolerance {
        return None;
    }
    Some(strsim::osa_distance(wanted, candidate)).filter(|distance| *distance <= tolerance && *distance < shorter)
}

fn minmax(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// The name as it is compared: in lower case, without `-` and `_`. `None` if it is too long to be compared.
fn fold(name: &str) -> Option<Cow<'_, str>> {
    if name.len() > NAME_CHARS_MAX * 4 || name.chars().nth(NAME_CHARS_MAX).is_some() {
        return None;
    }
    let is_compared = |c: char| !matches!(c, '-' | '_');
    if name.chars().all(|c| is_compared(c) && !c.is_uppercase()) {
        return Some(Cow::Borrowed(name));
    }
    Some(name.chars().filter(|c| is_compared(*c)).flat_map(char::to_lowercase).collect::<String>().into())
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
    fn names_that_differ_too_much_have_no_closest_name() {
        let long = "state".repeat(100);
        for name in ["", "x", "colour", "delete_everything", long.as_str(), "é"] {
            assert_eq!(closest_name(name, NAMES), None, "{name}");
        }
    }

    #[test]
    fn names_with_common_words_are_probable() {
        let names = ["read_ticket", "list_tickets", "count_tickets", "listOrders", "get_user"];
        for (wanted, probable) in [
            ("read_tickets", &["read_ticket"][..]),
            ("countTickets", &["count_tickets"]),
            ("tickets", &["count_tickets", "list_tickets", "read_ticket"]),
            ("ticket_list", &["list_tickets", "listOrders", "read_ticket"]),
            ("all_orders_please", &["listOrders"]),
            ("get_weather", &[]),
            ("", &[]),
        ] {
            assert_eq!(probable_names(wanted, names, 3), probable, "{wanted}");
        }
        assert_eq!(probable_names(&"ticket_".repeat(50), names, 3), [""; 0]);
    }

    #[test]
    fn values_are_sorted_by_distance() {
        assert_eq!(by_distance("clsed", &["new", "cold", "closed", "open"]), ["closed", "cold", "new", "open"]);
        assert_eq!(by_distance(&"x".repeat(1000), &["b", "a"]), ["b", "a"]);
    }
}
