//! Resolves references within a schema.

use serde_json::Value;

/// Maximum length of a chain of references that is followed.
const CHAIN_MAX: usize = 32;

/// The target of a `$ref`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LocalRef<'a> {
    /// A schema of the same document.
    Found(&'a Value),
    /// The target is in another document, or does not exist.
    Foreign,
}

/// Resolves a `$ref` in the document `root`. Chains of bare references are followed to their end.
pub(crate) fn resolve<'a>(root: &'a Value, reference: &str) -> LocalRef<'a> {
    let mut target = lookup(root, reference);
    for _ in 0..CHAIN_MAX {
        let Some(found) = target else { return LocalRef::Foreign };
        match bare_reference(found) {
            None => return LocalRef::Found(found),
            Some(next) => target = lookup(root, next),
        }
    }
    LocalRef::Foreign
}

/// The reference of a schema that has no other member.
fn bare_reference(schema: &Value) -> Option<&str> {
    let object = schema.as_object().filter(|object| object.len() == 1)?;
    object.get("$ref")?.as_str()
}

fn lookup<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.is_empty() || fragment == "/" {
        return Some(root);
    }
    let fragment = percent_decode(fragment);
    if fragment.starts_with('/') {
        root.pointer(&fragment).filter(|found| is_schema(found))
    } else {
        by_anchor(root, &fragment)
    }
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// The definition with this anchor; anchors elsewhere are not supported.
fn by_anchor<'a>(root: &'a Value, anchor: &str) -> Option<&'a Value> {
    let definitions = ["$defs", "definitions"].into_iter().filter_map(|key| root.get(key)?.as_object());
    let mut definitions = definitions.flat_map(|map| map.values());
    definitions.find(|schema| schema.get("$anchor").and_then(Value::as_str) == Some(anchor))
}

/// Decodes `%XX`. The text stays as it is if the result would not be UTF-8.
fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let (mut decoded, mut index) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(index) {
        let hex = text.get(index + 1..index + 3).filter(|_| *byte == b'%');
        if let Some(value) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            decoded.push(value);
            index += 3;
        } else {
            decoded.push(*byte);
            index += 1;
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_followed_within_the_document() {
        let root = json!({
            "$defs": {
                "a": {"type": "string"}, "b": {"$ref": "#/$defs/a"}, "loop": {"$ref": "#/$defs/loop"},
                "x y/z": {"type": "null"}, "n": {"$anchor": "named"},
            },
            "enum": [1],
        });
        let found = |reference: &str| match resolve(&root, reference) {
            LocalRef::Found(value) => Some(value),
            LocalRef::Foreign => None,
        };
        assert_eq!(found("#/$defs/a"), Some(&json!({"type": "string"})));
        assert_eq!(found("#/$defs/b"), Some(&json!({"type": "string"})));
        assert_eq!(found("#/$defs/x%20y~1z"), Some(&json!({"type": "null"})));
        assert_eq!(found("#named"), Some(&json!({"$anchor": "named"})));
        assert_eq!(found("#"), Some(&root));
        for bad in ["#/$defs/loop", "#/$defs/none", "other.json#/a", "#/enum/0", "", "#/%zz", "https://a.example/s"] {
            assert_eq!(found(bad), None, "{bad}");
        }
    }
}
