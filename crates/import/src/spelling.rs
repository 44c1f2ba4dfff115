//! Splits and converts names: words, snake case, ASCII, singular.

use toolgate_domain::slug::Slug;

use crate::tables::{INVARIANT_PLURALS, IRREGULAR_PLURALS};

/// The words of a name in lower case. `userId`, `user_id` and `user[id]` have the same words.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous = None;
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_start = match previous {
            Some(previous) if c.is_uppercase() => {
                !char::is_uppercase(previous) || rest.peek().is_some_and(|next| next.is_lowercase())
            }
            _ => false,
        };
        if (is_start || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        previous = Some(c);
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A name in snake case, of lower-case ASCII letters, digits and `_`; empty if nothing remains.
pub(crate) fn to_snake_case(name: &str) -> String {
    if is_snake_case(name) {
        return name.to_owned();
    }
    let words: Vec<String> = words(name).iter().flat_map(|word| self::words(&to_ascii(word))).collect();
    words.join("_")
}

/// Whether a name is in snake case already, as most names are.
fn is_snake_case(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.split('_').all(is_word)
}

/// A text with its non-ASCII letters transliterated; characters without a transliteration are left out.
pub(crate) fn to_ascii(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut non_ascii = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            push_transliteration(&mut out, &mut non_ascii);
            out.push(c);
        } else {
            non_ascii.push(c);
        }
    }
    push_transliteration(&mut out, &mut non_ascii);
    out
}

/// Appends the transliteration of a run of non-ASCII letters. `Slug::from_name` falls back to a default name if nothing
/// remains; that fallback is not a transliteration.
fn push_transliteration(out: &mut String, non_ascii: &mut String) {
    if !non_ascii.is_empty() {
        let slug = Slug::from_name(non_ascii);
        if slug != Slug::from_name("") {
            out.push_str(slug.as_str());
        }
        non_ascii.clear();
    }
}

/// The singular of a plural; other words stay unchanged.
pub(crate) fn singular(word: &str) -> String {
    if let Some((_, singular)) = IRREGULAR_PLURALS.iter().find(|(plural, _)| *plural == word) {
        return (*singular).to_owned();
    }
    if INVARIANT_PLURALS.contains(word) {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let has_plural_es = ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end));
    let is_singular = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    let stem = if has_plural_es { word.strip_suffix("es") } else { word.strip_suffix('s').filter(|_| !is_singular) };
    stem.filter(|stem| !stem.is_empty()).unwrap_or(word).to_owned()
}

/// Whether the last word of a name in snake case is a plural.
pub(crate) fn is_plural(name: &str) -> bool {
    let word = name.rsplit('_').next().unwrap_or(name);
    INVARIANT_PLURALS.contains(word) || singular(word) != word
}

/// A name in snake case with its last word in the singular; `name` is in snake case.
pub(crate) fn singular_snake_case(name: &str) -> String {
    match name.rsplit_once('_') {
        Some((before, last)) => format!("{before}_{}", singular(last)),
        None => singular(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_split_at_capitals_and_punctuation() {
        for (name, expected) in [
            ("created_after", "created after"),
            ("userId", "user id"),
            ("URLPath", "url path"),
            ("X-Request-ID", "x request id"),
            ("filter[name]", "filter name"),
            ("v2Beta", "v2 beta"),
            ("Größe", "größe"),
            ("a\u{202E}b", "a b"),
            ("$$", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn snake_case_is_ascii() {
        for (name, expected) in [
            ("sendMessage", "send_message"),
            ("send_message2", "send_message2"),
            ("_send__message_", "send_message"),
            ("", ""),
            ("Größe", "grosse"),
            ("北京 map", "bei_jing_map"),
            ("%", ""),
            ("\u{e000}", ""),
        ] {
            assert_eq!(to_snake_case(name), expected, "{name}");
        }
    }

    #[test]
    fn plurals_have_a_singular() {
        for (plural, expected) in [
            ("users", "user"),
            ("categories", "category"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("status", "status"),
            ("analysis", "analysis"),
            ("class", "class"),
            ("series", "series"),
            ("movies", "movie"),
            ("s", "s"),
            ("ies", "ie"),
            ("user", "user"),
        ] {
            assert_eq!(singular(plural), expected);
        }
        assert_eq!(singular_snake_case("blog_posts"), "blog_post");
        assert!(["users", "blog_posts", "media", "people"].iter().all(|word| is_plural(word)));
        assert!(!["user", "status", "data", ""].iter().any(|word| is_plural(word)));
    }
}
