//! Parses the pairs of a query or a form in the notation of PHP: `a[]=1&a[]=2` and `a[0]=1&a[1]=2` are a list,
//! `settings[capture]=off` is a member of an object, to any depth.

use indexmap::IndexMap;
use serde::Serialize;
use toolgate_domain::json::DEPTH_MAX;

use super::input::Input;

/// A text, a list or an object.
#[derive(Serialize)]
#[serde(untagged)]
enum FormNode {
    Text(String),
    List(Vec<FormNode>),
    Object(IndexMap<String, FormNode>),
}

/// Reads the pairs by name. A list of texts becomes one comma-separated text.
pub(super) fn read_pairs(encoded: &[u8]) -> IndexMap<String, Input> {
    let mut parts = IndexMap::new();
    for (name, value) in form_urlencoded::parse(encoded) {
        let mut path = path_segments(&name);
        let first = path.next().unwrap_or_default();
        insert_at(&mut parts, first, path, value.into_owned());
    }
    parts.into_iter().map(|(name, node)| (name, to_input(node.normalized()))).collect()
}

/// The segments of `a[b][c]`, outermost first. A name of another form, or nested too deep, is one segment.
fn path_segments(name: &str) -> impl Iterator<Item = &str> {
    let split = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let split = split.filter(|(first, rest)| !first.is_empty() && rest.split("][").count() < DEPTH_MAX);
    let (first, rest) = split.map_or((name, None), |(first, rest)| (first, Some(rest)));
    std::iter::once(first).chain(rest.into_iter().flat_map(|rest| rest.split("][")))
}

fn insert_at<'a>(
    parts: &mut IndexMap<String, FormNode>,
    key: &str,
    mut path: impl Iterator<Item = &'a str>,
    value: String,
) {
    let key = if key.is_empty() { parts.len().to_string() } else { key.to_owned() };
    let Some(next) = path.next() else { return drop(parts.insert(key, FormNode::Text(value))) };
    let node = parts.entry(key).or_insert_with(|| FormNode::Object(IndexMap::new()));
    if !matches!(node, FormNode::Object(_)) {
        *node = FormNode::Object(IndexMap::new());
    }
    if let FormNode::Object(inner) = node {
        // Recursion is bounded: `path_segments` yields at most `DEPTH_MAX` segments. The trait object keeps the type
        // finite.
        insert_at(inner, next, &mut path as &mut dyn Iterator<Item = &'a str>, value);
    }
}

impl FormNode {
    /// Turns an object whose keys are all numbers into a list.
    fn normalized(self) -> Self {
        let Self::Object(parts) = self else { return self };
        let is_list = parts.keys().all(|key| key.bytes().all(|byte| byte.is_ascii_digit()));
        let normalized = parts.into_iter().map(|(key, node)| (key, node.normalized()));
        if is_list {
            Self::List(normalized.map(|(_, node)| node).collect())
        } else {
            Self::Object(normalized.collect())
        }
    }
}

fn to_input(node: FormNode) -> Input {
    match node {
        FormNode::Text(text) => Input::Text(text),
        FormNode::List(nodes) if nodes.iter().all(|node| matches!(node, FormNode::Text(_))) => {
            let texts =
                nodes.into_iter().filter_map(|node| if let FormNode::Text(text) = node { Some(text) } else { None });
            Input::Text(texts.collect::<Vec<_>>().join(","))
        }
        node => serde_json::value::to_raw_value(&node).map_or_else(|_| Input::Text(String::new()), Input::Json),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Vec<(String, String)> {
        let to_text = |input: Input| match input {
            Input::Text(text) => text,
            Input::Json(value) => format!("JSON {value}"),
        };
        read_pairs(query.as_bytes()).into_iter().map(|(name, input)| (name, to_text(input))).collect()
    }

    #[track_caller]
    fn assert_read(query: &str, expected: &[(&str, &str)]) {
        let read = read(query);
        let read: Vec<(&str, &str)> = read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(read, expected, "{query}");
    }

    #[test]
    fn lists_are_read_in_php_notation() {
        assert_read("a[]=1&b=x&a[]=2,3&c%5B0%5D=4&c[1]=5", &[("a", "1,2,3"), ("b", "x"), ("c", "4,5")]);
        let arguments = r#"JSON [{"name":"x","required":"1"},{"name":"y"}]"#;
        assert_read("a[0][name]=x&a[0][required]=1&a[1][name]=y", &[("a", arguments)]);
    }

    #[test]
    fn objects_are_read_in_php_notation() {
        assert_read("s[capture]=off&s[n]=5&t=1", &[("s", r#"JSON {"capture":"off","n":"5"}"#), ("t", "1")]);
        assert_read("s[a][b][]=1&s[a][b][]=2&s[a][c]=%22", &[("s", r#"JSON {"a":{"b":["1","2"],"c":"\""}}"#)]);
        // The last value of a name wins.
        assert_read("s=1&s[a]=2", &[("s", r#"JSON {"a":"2"}"#)]);
        assert_read("s[a]=2&s=1", &[("s", "1")]);
        assert_read("s[a]=1&s[a]=2", &[("s", r#"JSON {"a":"2"}"#)]);
    }

    #[test]
    fn other_bracket_notations_are_plain_names() {
        for name in ["[a]", "a[", "a]", "a[b", "[]", "a[b]c"] {
            assert_read(&format!("{name}=1"), &[(name, "1")]);
        }
        let deep = format!("a{}", "[b]".repeat(100));
        assert_read(&format!("{deep}=1"), &[(&deep, "1")]);
        // A very long name must not overflow the stack.
        read(&"a[b]".repeat(100_000));
    }
}
