//! Removes HTML tags from descriptions.

/// Tags that begin a new line.
const BLOCK_TAGS: [&str; 22] = [
    "p",
    "br",
    "div",
    "li",
    "ul",
    "ol",
    "tr",
    "table",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "blockquote",
    "hr",
    "dl",
    "dt",
    "dd",
    "details",
    "section",
];
/// Tags within a line. Other names in angle brackets are placeholders, such as `<token>`.
const INLINE_TAGS: [&str; 29] = [
    "a", "abbr", "b", "big", "center", "cite", "code", "del", "em", "font", "i", "img", "ins", "kbd", "mark", "s",
    "small", "span", "strong", "sub", "summary", "sup", "tbody", "td", "th", "thead", "tt", "u", "var",
];
/// Maximum length of a tag, in bytes.
const TAG_MAX: usize = 2000;
/// Entities and their characters. `&amp;` is the last one, so that `&amp;lt;` becomes `&lt;`.
const ENTITIES: [(&str, &str); 7] =
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&nbsp;", " "), ("&amp;", "&")];

/// The text without tags and comments. Code in backquotes is not changed.
pub(super) fn without_tags(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        // Every second part is between backquotes.
        if index % 2 == 0 { push_without_tags(&mut out, part) } else { out.push_str(part) }
    }
    out
}

fn push_without_tags(out: &mut String, text: &str) {
    let mut rest = text;
    let mut plain = String::with_capacity(text.len());
    while let Some((before, from_bracket)) = rest.find('<').and_then(|at| rest.split_at_checked(at)) {
        plain.push_str(before);
        if let Some((is_block, after)) = tag(from_bracket) {
            if is_block {
                plain.push('\n');
            }
            rest = after;
        } else {
            plain.push('<');
            rest = from_bracket.strip_prefix('<').unwrap_or_default();
        }
    }
    plain.push_str(rest);
    for (entity, character) in ENTITIES {
        plain = plain.replace(entity, character);
    }
    out.push_str(&plain);
}

/// The tag or comment at the start of a text: whether it begins a line, and the text after it.
fn tag(text: &str) -> Option<(bool, &str)> {
    if let Some(comment) = text.strip_prefix("<!--") {
        return Some((false, comment.split_once("-->").map_or("", |(_, after)| after)));
    }
    let text = text.strip_prefix('<')?;
    // A second `<` ends the search, so that the time stays linear for a text with many of them.
    let end = text.find(['<', '>']).filter(|end| *end <= TAG_MAX)?;
    let (inner, after) = text.split_at_checked(end)?;
    let after = after.strip_prefix('>')?;
    let is_closing = inner.starts_with('/');
    let name = inner.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next()?.to_ascii_lowercase();
    if BLOCK_TAGS.contains(&name.as_str()) {
        return Some((!is_closing || name == "p", after));
    }
    INLINE_TAGS.contains(&name.as_str()).then_some((false, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_removed_and_placeholders_stay() {
        for (text, expected) in [
            ("a <b>bold</b> text", "a bold text"),
            ("<p>one</p><p>two</p>", "\none\n\ntwo\n"),
            ("a<br/>b", "a\nb"),
            ("Bearer <token>", "Bearer <token>"),
            ("a < b > c", "a < b > c"),
            ("`<b>`", "`<b>`"),
            ("a &lt;b&gt; &amp;lt;", "a <b> &lt;"),
            ("x<!-- hidden -->y", "xy"),
            ("x<!-- hidden", "x"),
            ("<a href=\"https://a.example\">docs</a>", "docs"),
            ("<", "<"),
        ] {
            assert_eq!(without_tags(text), expected, "{text}");
        }
    }
}
