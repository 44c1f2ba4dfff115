//! The names that a misspelt name probably means.

/// The longest name that is compared, in characters.
const NAME_CHARS_MAX: usize = 128;

/// The names closest to `name`, best first: at most two edits away, or a third of its length. Case, `-` and `_` do not
/// count.
pub fn closest_names<'a>(name: &str, names: impl Iterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let wanted = letters(name);
    if wanted.is_empty() || wanted.len() > NAME_CHARS_MAX {
        return Vec::new();
    }
    let distance_max = (wanted.len() / 3).max(2);
    let near = names.filter_map(|candidate| Some((distance(&wanted, &letters(candidate), distance_max)?, candidate)));
    let mut near: Vec<(usize, &str)> = near.collect();
    near.sort_unstable();
    near.into_iter().take(limit).map(|(_, candidate)| candidate).collect()
}

fn letters(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The edits from one text to another; `None` for more than `distance_max`.
fn distance(a: &[char], b: &[char], distance_max: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > distance_max || b.len() > NAME_CHARS_MAX {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, left) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, right) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.last().copied().filter(|distance| *distance <= distance_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_found_in_order() {
        let names = ["read_ticket", "read_tickets_all", "list_tickets", "createTicket"];
        let closest = |name| closest_names(name, names.into_iter(), 2);
        assert_eq!(closest("read_tickets"), ["read_ticket", "read_tickets_all"]);
        assert_eq!(closest("create-ticket"), ["createTicket", "read_ticket"]);
        assert_eq!(closest("weather"), [""; 0]);
        assert_eq!(closest(""), [""; 0]);
    }
}
