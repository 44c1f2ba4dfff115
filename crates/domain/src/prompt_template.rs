//! `{{name}}` placeholders of prompts and static resources.
//!
//! A template is filled in one pass: values are inserted verbatim and never expanded again, so that the argument
//! `{{other}}` stays text. Unknown placeholders stay text too, because templates may contain code with braces. The
//! result is limited in size: a template of a megabyte can repeat an argument of a megabyte a hundred thousand times.

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::text::CONTENT_MAX;

/// Maximum length of a filled template, in bytes.
pub const FILLED_MAX: usize = 8 * CONTENT_MAX;

/// The filled template would exceed [`FILLED_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filled with these values, the text would be longer than {FILLED_MAX} bytes")]
pub struct TooLong;

/// Replaces each `{{name}}` by the value of that name, if there is one. Spaces around the name are allowed.
///
/// The innermost pair of nested braces is the placeholder: `{{{a}}}` is the value of `a` in braces.
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
        let filled = split_placeholder(head).and_then(|(before, name)| Some((before, value_of(name)?)));
        if let Some((before, value)) = filled {
            push_limited(&mut out, before)?;
            push_limited(&mut out, value.as_ref())?;
        } else {
            push_limited(&mut out, head)?;
            push_limited(&mut out, "}}")?;
        }
        rest = tail;
    }
    push_limited(&mut out, rest)?;
    Ok(out)
}

/// Fills the string values of a JSON document; member names, numbers and white space stay unchanged.
///
/// The document must be JSON; then the result is JSON too.
pub fn fill_json<V: AsRef<str>>(document: &str, value_of: impl Fn(&str) -> Option<V>) -> Result<String, TooLong> {
    let mut out = String::with_capacity(document.len());
    let mut rest = document;
    while let Some((before, string, after)) = split_string(rest) {
        push_limited(&mut out, before)?;
        let is_name = after.trim_start().starts_with(':');
        let filled = if is_name { None } else { fill_string(string, &value_of) };
        push_limited(&mut out, filled.transpose()?.as_deref().unwrap_or(string))?;
        rest = after;
    }
    push_limited(&mut out, rest)?;
    Ok(out)
}

/// Splits `head`, the text before a `}}`, at its last `{{` into the text before the placeholder and its name.
fn split_placeholder(head: &str) -> Option<(&str, &str)> {
    let (before, inside) = head.rsplit_once("{{")?;
    let name = inside.trim();
    (!name.is_empty()).then_some((before, name))
}

/// Appends `text`, unless the result would exceed [`FILLED_MAX`].
fn push_limited(out: &mut String, text: &str) -> Result<(), TooLong> {
    if out.len() + text.len() > FILLED_MAX {
        return Err(TooLong);
    }
    out.push_str(text);
    Ok(())
}

/// Splits a document into the text before its first string, the string with its quotes, and the rest.
fn split_string(document: &str) -> Option<(&str, &str, &str)> {
    let (before, from_quote) = document.split_at_checked(document.find('"')?)?;
    let mut escaped = false;
    let is_end = |byte: u8| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    // The position is the length of the content; 2 is added for both quotes.
    let len = from_quote.bytes().skip(1).position(is_end)? + 2;
    let (string, after) = from_quote.split_at_checked(len)?;
    Some((before, string, after))
}

/// Fills the placeholders of a JSON string. Returns `None` if nothing changes, so that its escapes stay as written.
fn fill_string<V: AsRef<str>>(string: &str, value_of: &impl Fn(&str) -> Option<V>) -> Option<Result<String, TooLong>> {
    let text: String = serde_json::from_str(string).ok()?;
    match fill(&text, value_of) {
        Ok(filled) if filled == text => None,
        Ok(filled) => Some(Ok(Value::from(filled).to_string())),
        Err(too_long) => Some(Err(too_long)),
    }
}
