//! The messages of an XML error body: `Message` and `Code`, the fault of SOAP, problem details as XML.

use std::iter;

use super::{ArgumentName, clean};

/// The elements that hold a message, in lower case and without a prefix.
const MESSAGES: [&str; 9] =
    ["message", "faultstring", "errormessage", "text", "detail", "description", "msg", "reason", "title"];
/// The elements that hold a code.
const CODES: [&str; 3] = ["code", "errorcode", "error_code"];
/// How many messages are read.
const MESSAGES_MAX: usize = 4;
/// How many elements are read.
const ELEMENTS_MAX: usize = 500;

/// The start and the end of a section whose content is text, even if it looks like tags or entities.
const CDATA_START: &str = "<![CDATA[";
const CDATA_END: &str = "]]>";

/// Whether a body without a media type is XML.
pub(super) fn is_xml(body: &str) -> bool {
    body.trim_start().starts_with("<?xml")
}

/// The messages of a body; `None` if no known element has one.
pub(super) fn read(body: &str, argument_name: ArgumentName<'_>) -> Option<String> {
    let mut messages: Vec<String> = Vec::new();
    let mut code = None;
    for (name, text) in elements(body) {
        let text = || clean::sentence(&decode(text), argument_name).trim_end_matches('.').to_owned();
        if MESSAGES.contains(&name.as_str()) && messages.len() < MESSAGES_MAX {
            messages.extend(Some(text()).filter(|text| !text.is_empty()));
        } else if CODES.contains(&name.as_str()) {
            code = code.or_else(|| Some(text())).filter(|code| !code.is_empty());
        }
    }
    match (messages.as_mut_slice(), code) {
        ([], code) => return code,
        ([first, ..], Some(code)) if !first.contains(&code) && code.parse::<u16>().is_err() => {
            *first = format!("{first} ({code})");
        }
        _ => {}
    }
    messages.dedup();
    Some(messages.join("; "))
}

/// The names of elements with the raw text that follows their start tag.
fn elements(body: &str) -> impl Iterator<Item = (String, &str)> {
    let mut rest = body;
    let tags = iter::from_fn(move || {
        let (_, tag) = rest.split_once('<')?;
        let length = text_length(tag);
        let (tag, after) = tag.split_at(length);
        rest = after;
        Some(tag)
    });
    tags.take(ELEMENTS_MAX).filter_map(|tag| {
        let (head, text) = tag.split_once('>')?;
        let name = head.split([' ', '\t', '\n', '\r', '/']).next().filter(|name| !name.is_empty())?;
        let local = name.rsplit(':').next()?;
        (!text.trim().is_empty()).then(|| (local.to_ascii_lowercase(), text.trim()))
    })
}

/// The bytes before the next tag. CDATA sections, whose content may look like tags, are part of the text.
fn text_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = text.get(length..).unwrap_or_default();
        let Some(next) = rest.find('<') else { return text.len() };
        length += next;
        let Some(section) = rest.get(next..).and_then(|rest| rest.strip_prefix(CDATA_START)) else { return length };
        let Some(end) = section.find(CDATA_END) else { return text.len() };
        length += CDATA_START.len() + end + CDATA_END.len();
    }
}

/// Text with the content of CDATA sections, and with entities outside of them replaced.
fn decode(text: &str) -> String {
    let mut parts = text.split(CDATA_START);
    let mut decoded = parts.next().map(replace_entities).unwrap_or_default();
    for part in parts {
        let (data, after) = part.split_once(CDATA_END).unwrap_or((part, ""));
        decoded.push_str(data);
        decoded.push_str(&replace_entities(after));
    }
    decoded
}

fn replace_entities(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_owned(), |text, (entity, c)| text.replace(entity, c))
}
