//! Recognises placeholders that documentation, scripts and API clients leave for the reader to fill in.

use std::iter;

/// Maximum length of a text that is a placeholder as a whole, in bytes. A longer text only contains one.
const PLACEHOLDER_MAX: usize = 60;
/// Number of equal letters that mark a placeholder, as in `xxxx`.
const MASK_LENGTH: usize = 4;

/// Words that stand for a credential, without punctuation.
const CREDENTIAL_WORDS: [&str; 11] = [
    "token",
    "apikey",
    "accesstoken",
    "apitoken",
    "authtoken",
    "bearertoken",
    "key",
    "secret",
    "password",
    "credential",
    "credentials",
];
/// Words in capitals that mark a placeholder for a credential, as in `MAILBOX_USER`.
const CREDENTIAL_PARTS: [&str; 7] = ["KEY", "TOKEN", "SECRET", "ID", "USER", "PASSWORD", "NAME"];
/// Words in capitals that mark a working example.
const EXAMPLE_PARTS: [&str; 3] = ["EXAMPLE", "DEMO", "TEST"];

/// Whether a text as a whole is a placeholder.
pub(crate) fn is_placeholder(text: &str) -> bool {
    text.len() < PLACEHOLDER_MAX && has_placeholder(text)
}

/// Whether a text contains a placeholder: `<name>`, `{name}`, `$NAME`, `YOUR_NAME`, `xxxx` or a final `...`.
pub(crate) fn has_placeholder(text: &str) -> bool {
    let is_name_after_colon = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    // `<p>Hello</p>` is HTML.
    let is_markup = text.contains("</") || text.contains("/>");
    (!is_markup && has_enclosed(text, '<', '>', |_| true))
        || has_enclosed(text, '{', '}', |inner| {
            inner.trim_start().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && !inner.contains(['"', '\''])
        })
        || has_shell_variable(text)
        || has_possessive(text)
        || has_mask(text)
        || text.ends_with("...")
        || text.contains('…')
        || text.strip_prefix(':').is_some_and(|name| !name.is_empty() && is_name_after_colon(name))
}

/// Whether a text contains a shell variable or a command substitution.
pub(crate) fn has_shell_variable(text: &str) -> bool {
    shell_variables(text).next().is_some()
}

/// The shell variables and command substitutions in a text, as typed. A name in lower case is a variable only in braces
/// or at the end of a text, because passwords contain `$` too. Variables inside a substitution are part of it.
pub(crate) fn shell_variables(text: &str) -> impl Iterator<Item = &str> {
    let starts = move |symbol: char| text.match_indices(symbol).filter_map(move |(offset, _)| text.get(offset..));
    let last_word = text.rsplit(' ').next().unwrap_or(text);
    let is_certain = move |variable: &&str| {
        *variable == last_word
            || variable.starts_with("${")
            || is_substitution(variable)
            || !variable.bytes().any(|b| b.is_ascii_lowercase())
    };
    bash_variables(text)
        .filter(is_certain)
        .chain(starts('%').filter_map(cmd_variable))
        // Every second backtick closes a substitution.
        .chain(starts('`').step_by(2).map(up_to_backtick))
}

/// The variables and substitutions that begin with `$`.
fn bash_variables(mut text: &str) -> impl Iterator<Item = &str> {
    let next_symbol = move || {
        text = text.get(text.find('$')?..)?;
        let variable = bash_variable(text);
        // Continuing inside a substitution would take quadratic time where substitutions are nested or not closed.
        text = text.get(variable.map_or(1, str::len)..)?;
        Some(variable)
    };
    iter::from_fn(next_symbol).flatten()
}

/// The variable at the start of a text that begins with `$`.
fn bash_variable(text: &str) -> Option<&str> {
    let after = text.strip_prefix('$')?;
    if after.starts_with('(') {
        return Some(up_to_parenthesis(text));
    }
    let inner = after.strip_prefix('{').unwrap_or(after);
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let length = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
    let start = text.len() - inner.len();
    let brace = usize::from(start == 2 && inner.get(length..).is_some_and(|rest| rest.starts_with('}')));
    text.get(..start + length + brace)
}

/// Whether the text of a variable is a command substitution.
pub(crate) fn is_substitution(variable: &str) -> bool {
    variable.starts_with("$(") || variable.starts_with('`')
}

/// The substitution at the start of a text that begins with `$(`; all of the text if it is not closed.
fn up_to_parenthesis(text: &str) -> &str {
    let mut depth = 0_usize;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    });
    end.and_then(|(offset, _)| text.get(..=offset)).unwrap_or(text)
}

/// The substitution at the start of a text that begins with a backtick; all of the text if it is not closed.
fn up_to_backtick(text: &str) -> &str {
    let end = text.char_indices().skip(1).find(|(_, c)| *c == '`');
    end.and_then(|(offset, _)| text.get(..=offset)).unwrap_or(text)
}

/// The variable at the start of a text that begins with `%`.
fn cmd_variable(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('%')?.split_once('%')?;
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    text.get(..name.len() + 2).filter(|_| is_name)
}

/// Whether the value of a credential is a placeholder. In addition to [`has_placeholder`], these are `[name]`, an inner
/// `...`, and words for a credential.
pub(crate) fn is_credential_placeholder(value: &str) -> bool {
    let last = value.split(' ').next_back().unwrap_or(value);
    let plain = last.replace(['-', '_'], "").to_ascii_lowercase();
    has_placeholder(value)
        || value.contains("...")
        || has_enclosed(last, '[', ']', |_| true)
        || CREDENTIAL_WORDS.contains(&plain.as_str())
        || is_credential_name(last)
}

/// Whether a text is the name of a credential in capitals, as in `JOB_TOKEN`.
fn is_credential_name(text: &str) -> bool {
    let words: Vec<&str> = text.split(['-', '_']).collect();
    let is_capital = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
    words.iter().all(is_capital)
        && words.iter().any(|word| CREDENTIAL_PARTS.contains(word))
        && !words.iter().any(|word| EXAMPLE_PARTS.contains(word))
}

/// Whether a text has a part between `open` and `close` that `is_accepted` admits.
fn has_enclosed(text: &str, open: char, close: char, is_accepted: impl Fn(&str) -> bool) -> bool {
    text.split(open)
        .skip(1)
        .filter_map(|after| Some(after.split_once(close)?.0))
        .any(|inner| !inner.is_empty() && is_accepted(inner))
}

/// Whether a text contains `your` or `MY_` at the start of a word, followed by another word.
fn has_possessive(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-'));
    let lower = text.to_ascii_lowercase();
    let is_start = |offset: usize| {
        !lower.get(..offset).unwrap_or_default().ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    };
    ["your_", "your-", "your "].iter().any(|your| lower.match_indices(your).any(|(offset, _)| is_start(offset)))
        || words.into_iter().any(|word| word.starts_with("MY_"))
}

/// Whether a text contains `xxxx`, `XXXX` or `****`.
fn has_mask(text: &str) -> bool {
    text.split(|c| !matches!(c, 'x' | 'X' | '*')).any(|run| run.len() >= MASK_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_documentation_and_scripts_are_recognised() {
        for text in [
            "<user_id>",
            "{id}",
            "{{ id }}",
            "$ID",
            "${ID}",
            "a $(date)",
            "YOUR_ID",
            "your-id",
            "of your choice",
            "MY_ID",
            "a-xxxx-b",
            "XXXX",
            "****",
            "sk-...",
            "abc…",
            ":id",
        ] {
            assert!(has_placeholder(text), "{text}");
        }
        for text in [
            "",
            "a < b",
            "{\"a\":1}",
            "$5",
            "yours",
            "fullyour_own",
            "xxx",
            "...a",
            ":Id",
            "12:30",
            "{}",
            "mY_a",
            "<b>Hi</b>",
            "a<br/>b",
        ] {
            assert!(!has_placeholder(text), "{text}");
        }
        assert!(!is_placeholder(&format!("<a>{}", "b".repeat(60))));
    }

    #[test]
    fn shell_variables_are_listed_with_their_punctuation() {
        let variables = |text| shell_variables(text).collect::<Vec<_>>();
        assert_eq!(variables("$A-${B} $c $5 $"), ["$A", "${B}"]);
        assert_eq!(variables("a$(id (1) 2) b$(x"), ["$(id (1) 2)", "$(x"]);
        assert_eq!(variables("$(a $B $(c)) $D $(e $F"), ["$(a $B $(c))", "$D", "$(e $F"]);
        assert_eq!(variables("%USER% 5%"), ["%USER%"]);
        assert_eq!(variables("50% of 20%"), [""; 0]);
        assert_eq!(variables("`id`a`b"), ["`id`", "`b"]);
        assert_eq!(variables("Bearer $token"), ["$token"]);
        assert_eq!(variables("pa$word1 x"), [""; 0]);
    }

    #[test]
    fn placeholders_for_credentials_are_recognised() {
        for value in ["YOUR_TOKEN", "token", "API-KEY", "Token api_key", "[key]", "MAILBOX_USER", "abc...def"] {
            assert!(is_credential_placeholder(value), "{value}");
        }
        for value in ["EXAMPLE_KEY", "sk_test_1", "TOKEN1", "tok_123", "abc", "", "DEMO_KEY"] {
            assert!(!is_credential_placeholder(value), "{value}");
        }
    }
}
