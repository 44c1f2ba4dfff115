//! `{{name}}` placeholders of prompts and static resources.
//!
//! A template is filled in one pass from front to back: a value goes in as it is and is never looked at again, so
//! an argument that says `{{other}}` stays just that. What is no placeholder, or has no value, stays text: authors
//! write about code, and code is full of braces. A template of a megabyte may repeat an argument of a megabyte
//! a hundred thousand times, hence the limit on what comes out.

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::text::CONTENT_MAX;

/// Longest text that filling may lead to, in bytes.
pub const FILLED_MAX: usize = 8 * CONTENT_MAX;

/// The values are too long for the placeholders they go into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filled with these values, the text would be longer than {FILLED_MAX} bytes")]
pub struct TooLong;

/// Replaces each `{{name}}`, spaces around the name allowed, by the value of that name where there is one.
///
/// Of nested braces the innermost pair counts: `{{{a}}}` is the value of `a` in braces.
///
/// ```
/// use toolgate_domain::prompt_template::fill;
///
/// let filled = fill("Dear {{ name }}, {{x}}", |name| (name == "name").then_some("Ada"));
/// assert_eq!(filled.as_deref(), Ok("Dear Ada, {{x}}"));
/// ```
pub fn fill<V: AsRef<str>>(template: &str, value_of: impl Fn(&str) -> Option<V>) -> Result<String, TooLong> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((head, tail)) = rest.split_once("}}") {
        let filled = placeholder(head).and_then(|(before, name)| Some((before, value_of(name)?)));
        if let Some((before, value)) = filled {
            push(&mut out, before)?;
            push(&mut out, value.as_ref())?;
        } else {
            push(&mut out, head)?;
            push(&mut out, "}}")?;
        }
        rest = tail;
    }
    push(&mut out, rest)?;
    Ok(out)
}

/// Fills the strings of a JSON document that are values; names, numbers and white space stay as they are.
///
/// The document has to be JSON, and the result is JSON.
pub fn fill_json<V: AsRef<str>>(document: &str, value_of: impl Fn(&str) -> Option<V>) -> Result<String, TooLong> {
    let mut out = String::with_capacity(document.len());
    let mut rest = document;
    while let Some((before, string, after)) = split_string(rest) {
        push(&mut out, before)?;
        let is_name = after.trim_start().starts_with(':');
        let filled = if is_name { None } else { filled_string(string, &value_of) };
        push(&mut out, filled.transpose()?.as_deref().unwrap_or(string))?;
        rest = after;
    }
    push(&mut out, rest)?;
    Ok(out)
}

/// What stands before the last `{{`, and the name behind it; `head` ends where `}}` begins.
fn placeholder(head: &str) -> Option<(&str, &str)> {
    let (before, inside) = head.rsplit_once("{{")?;
    let name = inside.trim();
    (!name.is_empty()).then_some((before, name))
}

fn push(out: &mut String, text: &str) -> Result<(), TooLong> {
    if out.len() + text.len() > FILLED_MAX {
        return Err(TooLong);
    }
    out.push_str(text);
    Ok(())
}

/// A document before its first string, the string in its quotes, and the rest.
fn split_string(document: &str) -> Option<(&str, &str, &str)> {
    let (before, from_quote) = document.split_at_checked(document.find('"')?)?;
    let mut escaped = false;
    let is_end = |byte: u8| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    let len = from_quote.bytes().skip(1).position(is_end)? + 2;
    let (string, after) = from_quote.split_at_checked(len)?;
    Some((before, string, after))
}

/// The string with its placeholders filled; `None` where it has none, so that its spelling stays.
fn filled_string<V: AsRef<str>>(
    string: &str,
    value_of: &impl Fn(&str) -> Option<V>,
) -> Option<Result<String, TooLong>> {
    let text: String = serde_json::from_str(string).ok()?;
    match fill(&text, value_of) {
        Ok(filled) if filled == text => None,
        Ok(filled) => Some(Ok(Value::from(filled).to_string())),
        Err(too_long) => Some(Err(too_long)),
    }
}
