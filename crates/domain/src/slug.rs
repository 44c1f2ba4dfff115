//! URL-safe names of servers.

use crate::fault::Fault;

/// Maximum length of a slug, in characters.
pub const SLUG_MAX: usize = 200;
/// The pattern of a slug, for messages and schemas.
pub const SLUG_PATTERN: &str = "^[a-z0-9-]{1,200}$";

/// A slug: `[a-z0-9-]{1,200}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slug(String);

impl Slug {
    /// Validates a slug.
    pub fn parse(field: &str, text: &str) -> Result<Self, Fault> {
        if text.is_empty() {
            return Err(Fault::empty(field));
        }
        if text.len() > SLUG_MAX {
            return Err(Fault::too_long(field, SLUG_MAX, "characters"));
        }
        if !text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
            return Err(Fault::invalid_pattern(
                field,
                format!("{field} may hold only lower-case letters, digits and '-' (pattern {SLUG_PATTERN})."),
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// Derives a slug from a display name in any script.
    pub fn from_name(name: &str) -> Self {
        let plain = deunicode::deunicode(name).to_ascii_lowercase();
        let words: Vec<&str> = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
        let mut slug = words.join("-");
        slug.truncate(SLUG_MAX);
        let slug = slug.trim_end_matches('-');
        Self(if slug.is_empty() { "server".to_owned() } else { slug.to_owned() })
    }

    /// The slug with the suffix `-n`, truncated to the limit.
    #[must_use]
    pub fn numbered(&self, n: i64) -> Self {
        let suffix = format!("-{n}");
        let mut slug = self.0.clone();
        slug.truncate(SLUG_MAX - suffix.len());
        Self(slug + &suffix)
    }

    /// From its stored text.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_script_become_slugs() {
        for (name, slug) in [
            ("Weather API", "weather-api"),
            ("  Čeština & Ünïcode!! ", "cestina-unicode"),
            ("北京", "bei-jing"),
            ("!!!", "server"),
            ("a--b__c", "a-b-c"),
        ] {
            assert_eq!(Slug::from_name(name).as_str(), slug);
        }
        assert_eq!(Slug::from_name(&"x".repeat(300)).as_str().len(), 200);
        assert_eq!(Slug::from_name(&"x".repeat(300)).numbered(12).as_str().len(), 200);
    }
}
