//! Suggests the name that a misspelt one probably means.

/// Longest name that is compared, in bytes. No field has a longer name.
const NAME_MAX: usize = 64;

/// The candidate that `name` probably means: the same letters in another notation (`endpointUrl`), a few different
/// letters (`timout`), or the only name that contains its words (`url` for `endpoint_url`).
pub(super) fn suggest<'a>(name: &str, candidates: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let wanted = letters(name);
    if wanted.is_empty() || name.len() > NAME_MAX {
        return None;
    }
    let distance = |candidate: &&str| strsim::osa_distance(&wanted, &letters(candidate));
    let nearest = candidates.clone().min_by_key(distance)?;
    let tolerance = (wanted.len().max(letters(nearest).len()) / 3).max(1);
    if distance(&nearest) <= tolerance && distance(&nearest) < wanted.len() {
        return Some(nearest);
    }
    let words = format!("_{}_", name.to_lowercase());
    let mut containing = candidates.filter(|candidate| format!("_{candidate}_").contains(&words));
    containing.next().filter(|_| containing.next().is_none())
}

/// The lower-case letters and digits.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 10] = [
        "name",
        "endpoint_url",
        "http_method",
        "input_schema",
        "output_schema",
        "timeout",
        "retry_count",
        "rate_limit_per_min",
        "status",
        "_fields",
    ];

    #[test]
    fn misspelt_names_and_other_notations_are_recognised() {
        for (name, meant) in [
            ("timout", "timeout"),
            ("Timeout", "timeout"),
            ("tiemout", "timeout"),
            ("nmae", "name"),
            ("endpointUrl", "endpoint_url"),
            ("endpoint-url", "endpoint_url"),
            ("url", "endpoint_url"),
            ("method", "http_method"),
            ("rate_limit", "rate_limit_per_min"),
            ("retrycount", "retry_count"),
            ("feilds", "_fields"),
        ] {
            assert_eq!(suggest(name, FIELDS.into_iter()), Some(meant), "{name}");
        }
    }

    #[test]
    fn other_names_have_no_suggestion() {
        let long = "timeout".repeat(100);
        for name in ["", "x", "éé", "colour", "schema", "created_by", "_", long.as_str()] {
            assert_eq!(suggest(name, FIELDS.into_iter()), None, "{name}");
        }
        assert_eq!(suggest("name", std::iter::empty()), None);
    }
}
