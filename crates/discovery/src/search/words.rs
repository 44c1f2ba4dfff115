//! Splits texts into words: at everything but letters and digits, at changes of case, and between letters and digits.

/// Words without information about a tool, sorted for binary search.
const STOP_WORDS: [&str; 78] = [
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
    "did", "do", "does", "each", "every", "for", "from", "given", "had", "has", "have", "how", "i", "if", "in", "into",
    "is", "it", "its", "let", "ll", "me", "my", "now", "of", "on", "one", "or", "our", "please", "s", "should", "so",
    "some", "such", "t", "than", "that", "the", "their", "them", "there", "these", "they", "this", "those", "to", "us",
    "use", "want", "was", "we", "were", "what", "when", "where", "which", "who", "will", "with", "would", "you",
];

/// Maximum length of an indexed word, in bytes; longer ones are identifiers or encoded data.
const WORD_BYTES_MAX: usize = 32;

/// Whether a word in lower case is a stop word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Calls `emit` with every word of a text, in lower case and without a plural ending. A word with several parts
/// (`OAuth2`) is emitted as its parts and as a whole, because a query may contain either form.
pub(crate) fn for_each_word(text: &str, mut emit: impl FnMut(&str)) {
    let mut buffer = String::new();
    let mut emit_word = |word: &str| {
        buffer.clear();
        buffer.extend(word.chars().flat_map(char::to_lowercase));
        if buffer.len() <= WORD_BYTES_MAX {
            strip_plural(&mut buffer);
            emit(&buffer);
        }
    };
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let mut start = 0;
        for end in boundaries(run) {
            emit_word(run.get(start..end).unwrap_or_default());
            start = end;
        }
        emit_word(run.get(start..).unwrap_or_default());
        if start > 0 && !run.chars().any(is_ideograph) {
            emit_word(run);
        }
    }
}

/// The positions between two parts of a run of letters and digits.
fn boundaries(run: &str) -> impl Iterator<Item = usize> {
    let next = run.chars().skip(2).map(Some).chain([None]);
    let pairs = run.chars().zip(run.char_indices().skip(1)).zip(next);
    pairs.filter_map(|((left, (index, right)), next)| is_boundary(left, right, next).then_some(index))
}

fn is_boundary(left: char, right: char, next: Option<char>) -> bool {
    let starts_after_acronym = || left.is_uppercase() && right.is_uppercase() && next.is_some_and(char::is_lowercase);
    left.is_lowercase() && right.is_uppercase()
        || left.is_numeric() != right.is_numeric()
        || is_ideograph(left)
        || is_ideograph(right)
        || starts_after_acronym()
}

/// Whether a character belongs to a script without spaces between words. Each such character is a word.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Strips the ending of an English plural.
fn strip_plural(word: &mut String) {
    let ends_with = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    if word.len() < 4 || !word.ends_with('s') || ends_with(&["ss", "us", "is"]) {
        return;
    }
    let cut = if word.len() > 4 && word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
        0
    } else if ends_with(&["sses", "xes", "ches", "shes", "zes"]) {
        2
    } else {
        1
    };
    word.truncate(word.len() - cut);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn names_are_split_at_signs_case_and_digits() {
        assert_eq!(words("list_issues"), ["list", "issue"]);
        assert_eq!(words("getHTTPServer-v2"), ["get", "http", "server", "gethttpserver", "v", "2", "v2"]);
        assert_eq!(words("user's 課題x é"), ["user", "s", "課", "題", "x", "é"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn plurals_lose_their_ending() {
        for (plural, singular) in [
            ("categories", "category"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("invoices", "invoice"),
            ("status", "status"),
            ("access", "access"),
            ("analysis", "analysis"),
            ("dns", "dns"),
            ("ties", "tie"),
        ] {
            assert_eq!(words(plural), [singular], "{plural}");
        }
    }

    #[test]
    fn long_words_are_left_out() {
        assert_eq!(words(&"x".repeat(33)), [""; 0]);
    }
}
