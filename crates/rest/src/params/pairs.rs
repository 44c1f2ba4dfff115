//! The pairs of a query or a form. Names say where a value belongs, as PHP has it: `a[]=1&a[]=2` and `a[0]=1&a[1]=2` are
//! a list, `settings[capture]=off` is a member of an object, and so on inwards.

use indexmap::IndexMap;
use serde::Serialize;
use toolgate_domain::json::DEPTH_MAX;

use super::body::Input;

/// A value, or what has parts.
#[derive(Serialize)]
#[serde(untagged)]
enum Node {
    Text(String),
    List(Vec<Node>),
    Object(IndexMap<String, Node>),
}

/// Reads pairs. A list of texts is one text, with commas between them.
pub(super) fn read_pairs(encoded: &[u8]) -> IndexMap<String, Input> {
    let mut parts = IndexMap::new();
    for (name, value) in form_urlencoded::parse(encoded) {
        let mut path = path(&name);
        let first = path.next().unwrap_or_default();
        put(&mut parts, first, path, value.into_owned());
    }
    parts.into_iter().map(|(name, node)| (name, input(node.settled()))).collect()
}

/// The parts of `a[b][c]`, from the outside in. A name that is not of that form, or too deep, is one part.
fn path(name: &str) -> impl Iterator<Item = &str> {
    let inner = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let inner = inner.filter(|(first, rest)| !first.is_empty() && rest.split("][").count() < DEPTH_MAX);
    let (first, rest) = inner.map_or((name, None), |(first, rest)| (first, Some(rest)));
    std::iter::once(first).chain(rest.into_iter().flat_map(|rest| rest.split("][")))
}

fn put<'a>(parts: &mut IndexMap<String, Node>, key: &str, mut path: impl Iterator<Item = &'a str>, value: String) {
    let key = if key.is_empty() { parts.len().to_string() } else { key.to_owned() };
    let Some(next) = path.next() else { return drop(parts.insert(key, Node::Text(value))) };
    let node = parts.entry(key).or_insert_with(|| Node::Object(IndexMap::new()));
    if !matches!(node, Node::Object(_)) {
        *node = Node::Object(IndexMap::new());
    }
    if let Node::Object(inner) = node {
        // The depth is bounded by that of a path.
        put(inner, next, &mut path as &mut dyn Iterator<Item = &'a str>, value);
    }
}

impl Node {
    /// What has only numbers for keys is a list.
    fn settled(self) -> Self {
        let Self::Object(parts) = self else { return self };
        let is_list = parts.keys().all(|key| key.bytes().all(|byte| byte.is_ascii_digit()));
        let settled = parts.into_iter().map(|(key, node)| (key, node.settled()));
        if is_list { Self::List(settled.map(|(_, node)| node).collect()) } else { Self::Object(settled.collect()) }
    }
}

fn input(node: Node) -> Input {
    match node {
        Node::Text(text) => Input::Text(text),
        Node::List(nodes) if nodes.iter().all(|node| matches!(node, Node::Text(_))) => {
            let texts =
                nodes.into_iter().filter_map(|node| if let Node::Text(text) = node { Some(text) } else { None });
            Input::Text(texts.collect::<Vec<_>>().join(","))
        }
        node => serde_json::value::to_raw_value(&node).map_or_else(|_| Input::Text(String::new()), Input::Json),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Vec<(String, String)> {
        let shown = |input: Input| match input {
            Input::Text(text) => text,
            Input::Json(value) => format!("JSON {value}"),
        };
        read_pairs(query.as_bytes()).into_iter().map(|(name, input)| (name, shown(input))).collect()
    }

    #[track_caller]
    fn assert_read(query: &str, expected: &[(&str, &str)]) {
        let read = read(query);
        let read: Vec<(&str, &str)> = read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(read, expected, "{query}");
    }

    #[test]
    fn lists_are_read_as_php_spells_them() {
        assert_read("a[]=1&b=x&a[]=2,3&c%5B0%5D=4&c[1]=5", &[("a", "1,2,3"), ("b", "x"), ("c", "4,5")]);
        let arguments = r#"JSON [{"name":"x","required":"1"},{"name":"y"}]"#;
        assert_read("a[0][name]=x&a[0][required]=1&a[1][name]=y", &[("a", arguments)]);
    }

    #[test]
    fn objects_are_read_as_php_spells_them() {
        assert_read("s[capture]=off&s[n]=5&t=1", &[("s", r#"JSON {"capture":"off","n":"5"}"#), ("t", "1")]);
        assert_read("s[a][b][]=1&s[a][b][]=2&s[a][c]=%22", &[("s", r#"JSON {"a":{"b":["1","2"],"c":"\""}}"#)]);
        // The last word on a name counts.
        assert_read("s=1&s[a]=2", &[("s", r#"JSON {"a":"2"}"#)]);
        assert_read("s[a]=2&s=1", &[("s", "1")]);
        assert_read("s[a]=1&s[a]=2", &[("s", r#"JSON {"a":"2"}"#)]);
    }

    #[test]
    fn what_is_not_so_spelled_is_a_name() {
        for name in ["[a]", "a[", "a]", "a[b", "[]", "a[b]c"] {
            assert_read(&format!("{name}=1"), &[(name, "1")]);
        }
        let deep = format!("a{}", "[b]".repeat(100));
        assert_read(&format!("{deep}=1"), &[(&deep, "1")]);
        read(&"a[b]".repeat(100_000));
    }
}
