//! Removes Markdown links, images and tables from descriptions.

/// The text without images and tables, and with the texts of links in place of the links.
pub(super) fn without_links_and_tables(text: &str) -> String {
    let lines = text.lines().filter(|line| !is_table_row(line));
    lines.map(without_links).collect::<Vec<_>>().join("\n")
}

fn is_table_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line.ends_with('|')
}

fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, from_bracket)) = rest.find('[').and_then(|at| rest.split_at_checked(at)) {
        let Some((text, after)) = link(from_bracket) else {
            out.push_str(before);
            out.push('[');
            rest = from_bracket.strip_prefix('[').unwrap_or_default();
            continue;
        };
        match before.strip_suffix('!') {
            // An image.
            Some(before) => out.push_str(before),
            None => out.extend([before, text]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Maximum length of the address of a link, in bytes.
const ADDRESS_MAX: usize = 2000;

/// The text of the link at the start of a text, and what follows the link.
fn link(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('[')?;
    // A second `[` ends the search, so that the time stays linear for a text with many of them.
    let (name, after) = text.find(['[', ']']).and_then(|end| text.split_at_checked(end))?;
    let after = after.strip_prefix(']')?;
    let end = match after.as_bytes().first()? {
        b'(' => b')',
        b'[' => b']',
        _ => return None,
    };
    let length = after.bytes().take(ADDRESS_MAX).position(|byte| byte == end)?;
    Some((name, after.get(length + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_their_text_and_tables_are_left_out() {
        for (text, expected) in [
            ("See [the docs](https://a.example/x).", "See the docs."),
            ("[a](b) and [c][d]", "a and c"),
            ("![logo](x.png) text", " text"),
            ("filter[name] and a[0]", "filter[name] and a[0]"),
            ("[unclosed", "[unclosed"),
            ("[a](b", "[a](b"),
            ("one\n| a | b |\n|---|---|\ntwo", "one\ntwo"),
            ("a | b", "a | b"),
            ("[[x](y)]", "[x]"),
        ] {
            assert_eq!(without_links_and_tables(text), expected, "{text}");
        }
    }
}
