//! Suggests the key that a misspelt one probably means.

/// Longest name that is compared, in bytes. No key has a longer name.
const NAME_MAX: usize = 64;

/// The key that `name` probably means: the same letters in another notation (`maxTokens`), or a few different letters.
pub(super) fn closest<'a>(name: &str, keys: &[&'a str]) -> Option<&'a str> {
    let wanted = letters(name);
    if wanted.is_empty() || name.len() > NAME_MAX {
        return None;
    }
    let distance = |key: &str| strsim::osa_distance(&wanted, &letters(key));
    let nearest = keys.iter().copied().min_by_key(|key| distance(key))?;
    let tolerance = (wanted.len().max(nearest.len()) / 3).max(1);
    (distance(nearest) <= tolerance).then_some(nearest)
}

/// The lower-case letters and digits.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
