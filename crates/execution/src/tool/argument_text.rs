//! Parses the arguments of a call once, into values for the validator and texts for the request: values round long
//! numbers, texts keep their digits.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate_domain::json;

use crate::content::json::write_json_string;

/// The members of an object by name, each as JSON text without insignificant white space.
pub(super) type ArgumentTexts = IndexMap<String, Box<str>>;

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Parses an object; `None` if the text is not a JSON object.
pub(super) fn parse(object: &str) -> Option<(Value, ArgumentTexts)> {
    let (mut values, mut texts) = (Map::new(), ArgumentTexts::new());
    let mut rest = object.trim_matches(SPACE).strip_prefix('{')?.strip_suffix('}')?.trim_start_matches(SPACE);
    while !rest.is_empty() {
        let (name, _, after_name) = parse_next::<String>(rest)?;
        let (value, text, after_value) = parse_next(after_name.trim_start_matches(SPACE).strip_prefix(':')?)?;
        texts.insert(name.clone(), compact(text));
        values.insert(name, value);
        rest = after_value.trim_start_matches(SPACE);
        if !rest.is_empty() {
            rest = rest.strip_prefix(',')?.trim_start_matches(SPACE);
            // A comma is followed by another member.
            rest.starts_with('"').then_some(())?;
        }
    }
    Some((Value::Object(values), texts))
}

/// The first value of a text, its own text, and the rest.
fn parse_next<'a, T: Deserialize<'a>>(text: &'a str) -> Option<(T, &'a str, &'a str)> {
    let text = text.trim_start_matches(SPACE);
    let mut stream = serde_json::Deserializer::from_str(text).into_iter();
    let value = stream.next()?.ok()?;
    let (value_text, rest) = text.split_at_checked(stream.byte_offset())?;
    Some((value, value_text, rest))
}

fn compact(text: &str) -> Box<str> {
    let is_space = |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let may_have_space = text.starts_with(['{', '[']) && text.bytes().any(is_space);
    if may_have_space { json::compact(text).into() } else { text.into() }
}

/// An object of members that are JSON texts, as JSON.
pub(crate) fn write_object<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    out.push(b'{');
    for (name, text) in members {
        if out.len() > 1 {
            out.push(b',');
        }
        write_json_string(name, &mut out);
        out.push(b':');
        out.extend_from_slice(text.as_bytes());
    }
    out.push(b'}');
    out
}

/// The texts as one JSON object.
pub(super) fn to_json(texts: &ArgumentTexts) -> String {
    let object = write_object(texts.iter().map(|(name, text)| (name.as_str(), text.as_ref())));
    String::from_utf8(object).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Compares with `serde_json`.
    fn assert_parsed(text: &str) {
        let tree = serde_json::from_str::<Value>(text).ok().filter(Value::is_object);
        let parsed = parse(text);
        assert_eq!(parsed.as_ref().map(|(value, _)| value), tree.as_ref(), "{text}");
        let Some((_, texts)) = parsed else { return };
        let members = serde_json::from_str::<json::Members>(text).unwrap();
        assert!(texts.keys().eq(members.keys()), "{text}");
        assert!(texts.values().map(AsRef::as_ref).eq(members.values().map(|raw| json::compact(raw.get()))), "{text}");
    }

    #[test]
    fn objects_are_parsed_like_serde_json_parses_them() {
        for text in [
            "{}",
            " {\n} ",
            r#"{"a":"x  y","b":[ 1 , {"c" : " x" } ],"d":12345678901234567890123 }"#,
            r#"{ "\u0061" : "\"}" , "n":null,"t":true ,"e":1e3,"z":-0.10}"#,
            r#"{"a":1,"a":[2]}"#,
            "",
            "{",
            "}",
            "[]",
            "null",
            r#""{}""#,
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1,}"#,
            r#"{,"a":1}"#,
            r#"{"a":1 "b":2}"#,
            r#"{"a":1}}"#,
            r#"{"a":1}{"b":2}"#,
            "{1:2}",
            r#"{"a":01}"#,
            r#"{"a":1e400}"#,
            r#"{"a":"\ud800"}"#,
            "{\"a\":1}\u{a0}",
        ] {
            assert_parsed(text);
        }
    }

    proptest! {
        #[test]
        fn nearly_valid_objects_are_parsed_like_serde_json_parses_them(
            text in r#"\{?( ?"[a-c]?" ?: ?("x"|-?[0-9]{1,3}|null|\{\}|\[ ?1, "y z"\]|\{"a": 1\}|1\.50|"\\u00e9")[,}]?){0,4}\}?"#
        ) {
            assert_parsed(&text);
        }
    }
}
