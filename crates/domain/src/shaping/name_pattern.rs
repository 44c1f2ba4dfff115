//! Names of members with wildcards: `node_id`, `*_url`, `*`.

/// The name of a member, in which `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    /// The texts between the wildcards; a single one if there is no wildcard.
    literals: Vec<String>,
}

impl NamePattern {
    /// From the texts between the wildcards.
    pub(super) fn new(literals: Vec<String>) -> Self {
        Self { literals }
    }

    /// The name, if it has no wildcards.
    pub fn as_literal(&self) -> Option<&str> {
        match self.literals.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }

    /// Whether every name matches.
    pub fn matches_all(&self) -> bool {
        self.literals.len() > 1 && self.literals.iter().all(String::is_empty)
    }

    /// Whether a name matches.
    pub fn matches(&self, name: &str) -> bool {
        let [first, middle @ .., last] = self.literals.as_slice() else {
            return self.literals.first().is_some_and(|literal| literal == name);
        };
        let Some(mut rest) = name.strip_prefix(first.as_str()) else { return false };
        for literal in middle {
            // The first occurrence leaves the most characters for the literals after it.
            let Some((_, after)) = rest.split_once(literal.as_str()) else { return false };
            rest = after;
        }
        rest.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> NamePattern {
        NamePattern::new(text.split('*').map(str::to_owned).collect())
    }

    #[test]
    fn wildcards_stand_for_any_characters() {
        for (text, matching, others) in [
            ("id", &["id"][..], &["", "Id", "ids", "node_id"][..]),
            ("*", &["", "a", "ü"], &[]),
            ("*_url", &["_url", "avatar_url", "a_url_url"], &["url", "avatar_urls"]),
            ("x*", &["x", "xy"], &["", "yx"]),
            ("a*b*c", &["abc", "axbxc", "abbcc"], &["ac", "acb", "ab"]),
            ("a*a", &["aa", "aba"], &["a"]),
            ("**", &["", "a"], &[]),
        ] {
            assert!(matching.iter().all(|name| pattern(text).matches(name)), "{text}");
            assert!(!others.iter().any(|name| pattern(text).matches(name)), "{text}");
        }
        assert!(pattern("*").matches_all());
        assert!(!pattern("").matches_all());
        assert!(!pattern("*a").matches_all());
        assert_eq!(pattern("id").as_literal(), Some("id"));
        assert_eq!(pattern("*").as_literal(), None);
    }
}
