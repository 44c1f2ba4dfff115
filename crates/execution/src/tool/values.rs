//! JSON values as text for paths, queries, headers and forms. Numbers keep all their digits: none is converted to a
//! float.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// The text of a string, a number or a boolean; `None` for other values.
pub(super) fn scalar_text(text: &str) -> Option<Cow<'_, str>> {
    match text.as_bytes().first()? {
        b'"' => Some(decode_string(text)),
        b'{' | b'[' | b'n' => None,
        _ => Some(Cow::Borrowed(text)),
    }
}

/// A scalar, or the scalars of a list joined with commas. Nulls in a list are skipped.
/// `None` for objects and for lists that contain an object or a list.
pub(super) fn joined_text(value: &str) -> Option<Cow<'_, str>> {
    let Some(items) = items(value) else { return scalar_text(value) };
    let mut out = String::new();
    for (index, item) in items.into_iter().map(RawValue::get).filter(|item| *item != "null").enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&scalar_text(item)?);
    }
    Some(Cow::Owned(out))
}

/// Calls `visit` with the text of a value, or with that of each item of a list: for destinations in which a name may be
/// repeated. Null is skipped; objects and nested lists are passed as JSON.
pub(super) fn for_each_text(value: &str, mut visit: impl FnMut(&str)) {
    let mut visit_one = |value: &str| {
        if value != "null" {
            visit(&scalar_text(value).unwrap_or(Cow::Borrowed(value)));
        }
    };
    match items(value) {
        Some(items) => items.into_iter().map(RawValue::get).for_each(visit_one),
        None => visit_one(value),
    }
}

pub(super) fn items(value: &str) -> Option<Vec<&RawValue>> {
    value.starts_with('[').then(|| serde_json::from_str(value).ok())?
}

/// A JSON text in which strings have only the escapes that JSON requires: a URL or a header that contains it does not
/// depend on how the client wrote its message. Numbers keep all their digits.
pub(super) fn canonical_json(value: &str) -> Cow<'_, str> {
    if !value.contains(r"\u") && !value.contains(r"\/") {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, string)) = rest.find('"').and_then(|start| rest.split_at_checked(start)) {
        let Some((string, after)) = string.split_at_checked(string_length(string)) else { break };
        out.push_str(before);
        match serde_json::from_str::<String>(string).and_then(|text| serde_json::to_string(&text)) {
            Ok(text) => out.push_str(&text),
            Err(_) => out.push_str(string),
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The length in bytes of the JSON string at the beginning of a text, with its quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// The characters of a JSON string; borrowed if it has no escapes.
fn decode_string(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
        _ => Cow::Owned(serde_json::from_str(text).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_text_has_only_necessary_escapes() {
        for (json, text) in [
            (r#""k\u00e4se \ud83d\ude00""#, r#""käse 😀""#),
            (
                r#"{"a\u0062":"\/x\"\\","n":1.00,"l":[true,null,"\u0001\n"]}"#,
                r#"{"ab":"/x\"\\","n":1.00,"l":[true,null,"\u0001\n"]}"#,
            ),
            (r#"["\ud800","\u00e9"]"#, r#"["\ud800","é"]"#),
            (r#"{"a":"b\\"}"#, r#"{"a":"b\\"}"#),
            ("12", "12"),
        ] {
            assert_eq!(canonical_json(json), text, "{json}");
        }
    }

    #[test]
    fn scalars_are_written_unchanged() {
        for (json, text) in [
            ("\"a b\"", Some("a b")),
            (r#""\u00e9\n\"""#, Some("é\n\"")),
            ("\"\"", Some("")),
            ("123456789012345678901234", Some("123456789012345678901234")),
            ("1.0", Some("1.0")),
            ("-1e400", Some("-1e400")),
            ("true", Some("true")),
            ("null", None),
            ("[]", None),
            ("{}", None),
        ] {
            assert_eq!(scalar_text(json).as_deref(), text, "{json}");
        }
    }

    #[test]
    fn lists_of_scalars_are_joined_and_others_are_not() {
        for (json, text) in [
            (r#"["a",1,true]"#, Some("a,1,true")),
            ("[1,null,2]", Some("1,2")),
            ("[null,2]", Some("2")),
            ("[]", Some("")),
            ("7", Some("7")),
            ("[[1]]", None),
            (r#"[{"a":1}]"#, None),
            ("{}", None),
            ("null", None),
        ] {
            assert_eq!(joined_text(json).as_deref(), text, "{json}");
        }
    }

    #[test]
    fn lists_yield_one_text_per_item() {
        for (json, expected) in [
            (r#"["a",null,{"b":[1]},[2]]"#, vec!["a", r#"{"b":[1]}"#, "[2]"]),
            (r#"{"a":1}"#, vec![r#"{"a":1}"#]),
            ("null", vec![]),
            ("\"\"", vec![""]),
        ] {
            let mut texts = Vec::new();
            for_each_text(json, |text| texts.push(text.to_owned()));
            assert_eq!(texts, expected, "{json}");
        }
    }
}
