//! The paths in a Rust source file, such as `crate::error::Result`. Comments, strings and `#[cfg(test)]` items are
//! skipped.

/// The contents of a source file that the checks need.
pub(super) struct Source {
    pub(super) paths: Vec<SourcePath>,
    /// The modules that the file declares for tests only.
    pub(super) test_modules: Vec<String>,
}

/// A path of a `use` declaration or of other code.
pub(super) struct SourcePath {
    /// The line number, from 1.
    pub(super) line: usize,
    pub(super) segments: Vec<String>,
    /// The name that a `use` declaration gives to the item.
    pub(super) imported_as: Option<String>,
}

/// A word, `::` or another character.
#[derive(Clone, Copy)]
struct SourceToken<'t> {
    text: &'t str,
    line: usize,
}

pub(super) fn read_source(text: &str) -> Source {
    let (tokens, test_modules) = without_test_items(&tokens(text));
    let mut paths = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let rest = &tokens[index + 1..];
        let previous = index.checked_sub(1).map_or("", |previous| tokens[previous].text);
        // `use<'a>` is a bound, not a declaration.
        if token.text == "use" && rest.first().is_some_and(|next| next.text != "<") {
            let declaration = &rest[..position(rest, ";").unwrap_or(rest.len())];
            read_use_tree(declaration, Vec::new(), &mut paths);
            index += declaration.len();
        } else if is_word(token.text) && rest.first().is_some_and(|next| next.text == "::") && previous != "::" {
            paths.push(SourcePath { line: token.line, segments: path_at(&tokens[index..]), imported_as: None });
        }
        index += 1;
    }
    Source { paths, test_modules }
}

/// The words at the start that are joined by `::`.
fn path_at(tokens: &[SourceToken<'_>]) -> Vec<String> {
    let words = tokens.chunks(2).take_while(|pair| is_word(pair[0].text));
    let joined = words.scan(true, |is_joined, pair| {
        let was_joined = std::mem::replace(is_joined, pair.get(1).is_some_and(|next| next.text == "::"));
        was_joined.then(|| pair[0].text.to_owned())
    });
    joined.collect()
}

/// Reads `prefix::{a, b::c as d, …}`.
fn read_use_tree(tokens: &[SourceToken<'_>], mut segments: Vec<String>, paths: &mut Vec<SourcePath>) {
    let Some(line) = tokens.first().map(|token| token.line) else { return };
    let mut alias = None;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "::" => {}
            "{" => {
                let inner = &tokens[index + 1..tokens.len() - 1];
                return split_at_commas(inner).for_each(|tree| read_use_tree(tree, segments.clone(), paths));
            }
            "as" => {
                alias = tokens.get(index + 1).map(|name| name.text.to_owned());
                break;
            }
            name => segments.push(name.to_owned()),
        }
    }
    let is_glob = segments.pop_if(|last| last == "*").is_some();
    if segments.len() > 1 {
        segments.pop_if(|last| last == "self");
    }
    let imported_as = alias.or_else(|| segments.last().cloned()).filter(|_| !is_glob);
    paths.push(SourcePath { line, segments, imported_as });
}

fn split_at_commas<'s, 't>(tokens: &'s [SourceToken<'t>]) -> impl Iterator<Item = &'s [SourceToken<'t>]> {
    let mut depth = 0_usize;
    tokens.split(move |token| {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        depth == 0 && token.text == ","
    })
}

/// Removes the items with `#[cfg(test)]`, and returns the names of the modules in other files among them.
fn without_test_items<'t>(tokens: &[SourceToken<'t>]) -> (Vec<SourceToken<'t>>, Vec<String>) {
    const TEST_ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut rest, mut remaining, mut test_modules) = (tokens, Vec::new(), Vec::new());
    while let Some(token) = rest.first() {
        if rest.len() >= TEST_ATTRIBUTE.len()
            && rest.iter().zip(TEST_ATTRIBUTE).all(|(token, expected)| token.text == expected)
        {
            let item = &rest[TEST_ATTRIBUTE.len()..];
            let item = &item[..item_length(item)];
            if let [.., keyword, name, end] = item
                && (keyword.text, end.text) == ("mod", ";")
            {
                test_modules.push(name.text.to_owned());
            }
            rest = &rest[TEST_ATTRIBUTE.len() + item.len()..];
        } else {
            remaining.push(*token);
            rest = &rest[1..];
        }
    }
    (remaining, test_modules)
}

/// The number of tokens of the item at the start: to its semicolon or the end of its block.
fn item_length(tokens: &[SourceToken<'_>]) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return index,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 && [";", "}"].contains(&token.text) {
            return index + 1;
        }
    }
    tokens.len()
}

fn position(tokens: &[SourceToken<'_>], text: &str) -> Option<usize> {
    tokens.iter().position(|token| token.text == text)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// The words and signs of a text, without white space, comments, strings and character literals.
fn tokens(text: &str) -> Vec<SourceToken<'_>> {
    let (mut rest, mut line, mut tokens) = (text, 1, Vec::new());
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_length(rest);
        let length = match skipped {
            0 if rest.starts_with("::") => 2,
            0 => rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len()),
            skipped => skipped,
        };
        let (token, after) = rest.split_at(length.max(first.len_utf8()));
        if skipped == 0 && !first.is_whitespace() {
            tokens.push(SourceToken { text: token, line });
        }
        line += token.matches('\n').count();
        rest = after;
    }
    tokens
}

/// The length of the comment, string or character literal at the start; 0 if there is none.
fn skipped_length(text: &str) -> usize {
    let through = |start: usize, end: &str| {
        let found = text.get(start..).and_then(|rest| rest.find(end));
        found.map_or(text.len(), |position| start + position + end.len())
    };
    if text.starts_with("//") {
        return through(2, "\n");
    }
    if text.starts_with("/*") {
        return through(2, "*/");
    }
    let after_prefix = text.trim_start_matches(['b', 'c']);
    let prefix = text.len() - after_prefix.len();
    if let Some(raw) = after_prefix.strip_prefix('r').filter(|_| prefix <= 1) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw.trim_start_matches('#').starts_with('"') {
            return through(prefix + 1 + hashes + 1, &format!("\"{}", "#".repeat(hashes)));
        }
    }
    let mut characters = text.char_indices();
    match characters.next() {
        Some((_, '"')) => {}
        // A character literal; a lifetime has no second quote.
        Some((_, '\'')) => match (characters.next(), characters.next()) {
            (Some((_, '\\')), _) => return through(3, "'"),
            (_, Some((end, '\''))) => return end + 1,
            _ => return 0,
        },
        _ => return 0,
    }
    let mut is_escaped = false;
    for (index, character) in characters {
        if character == '"' && !is_escaped {
            return index + 1;
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    text.len()
}
