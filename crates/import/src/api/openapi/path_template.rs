//! Path templates: `/pets/{petId}` with placeholders that the URL of a tool can have.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::naming::{UniqueNames, to_argument_name};

/// A path of the document as part of an `endpoint_url`.
#[derive(Debug, Default)]
pub(super) struct PathTemplate {
    /// The path with valid placeholders, beginning with `/`.
    pub(super) text: String,
    pub(super) placeholders: Vec<PathPlaceholder>,
}

/// A placeholder of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PathPlaceholder {
    /// The name in the document.
    pub(super) document_name: String,
    /// The name in the URL of the tool.
    pub(super) url_name: String,
}

impl PathTemplate {
    /// Reads a path. A fragment is cut off; a query stays; braces that are not a pair are literal.
    pub(super) fn parse(path: &str) -> Self {
        let path = path.split('#').next().unwrap_or_default();
        let mut template = Self::default();
        let mut names = UniqueNames::default();
        if !path.starts_with('/') {
            template.text.push('/');
        }
        let mut rest = path;
        while let Some((literal, from_brace)) = rest.find('{').and_then(|at| rest.split_at_checked(at)) {
            push_literal(&mut template.text, literal);
            let after_brace = from_brace.strip_prefix('{').unwrap_or_default();
            let is_name = |name: &str| !name.is_empty() && !name.contains(['{', '/']);
            if let Some((name, after)) = after_brace.split_once('}').filter(|(name, _)| is_name(name)) {
                template.push_placeholder(name, &mut names);
                rest = after;
            } else {
                push_literal(&mut template.text, "{");
                rest = after_brace;
            }
        }
        push_literal(&mut template.text, rest);
        template
    }

    fn push_placeholder(&mut self, name: &str, names: &mut UniqueNames) {
        let known = self.placeholders.iter().find(|placeholder| placeholder.document_name == name);
        let url_name = if let Some(placeholder) = known {
            placeholder.url_name.clone()
        } else {
            let url_name = names.take(&url_name(name));
            let placeholder = PathPlaceholder { document_name: name.to_owned(), url_name: url_name.clone() };
            self.placeholders.push(placeholder);
            url_name
        };
        self.text.extend(["{", &url_name, "}"]);
    }

    /// The placeholder for a parameter. RFC 6570 operators around its name are ignored.
    pub(super) fn placeholder(&self, parameter: &str) -> Option<&PathPlaceholder> {
        let is_operator = |c: char| !c.is_alphanumeric() && c != '_';
        let exact = self.placeholders.iter().find(|one| one.document_name == parameter);
        exact.or_else(|| self.placeholders.iter().find(|one| one.document_name.trim_matches(is_operator) == parameter))
    }
}

/// A name that a placeholder of a URL may have.
fn url_name(name: &str) -> String {
    let name = to_argument_name(name).replace('.', "_");
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { name } else { format!("p_{name}") }
}

/// Appends text of the document, with characters that a URL cannot have percent-encoded.
fn push_literal(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '{' | '}' | '\\' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c if c.is_whitespace() || c.is_control() => out.push_str(&percent_encoded(c)),
            c => out.push(c),
        }
    }
}

fn percent_encoded(c: char) -> Cow<'static, str> {
    let mut bytes = [0; 4];
    c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_get_names_that_a_url_may_have() {
        for (path, expected, names) in [
            ("/pets/{petId}", "/pets/{petId}", "petId"),
            ("/a/{pet.id}/{1}", "/a/{pet_id}/{p_1}", "pet.id 1"),
            ("/a/{x.y}/{x_y}", "/a/{x_y}/{x_y_2}", "x.y x_y"),
            ("/a/{id}/b/{id}", "/a/{id}/b/{id}", "id"),
            ("pets", "/pets", ""),
            ("/a?b=c&d={e}", "/a?b=c&d={e}", "e"),
            ("/a#b", "/a", ""),
            ("/a/{b", "/a/%7Bb", ""),
            ("/a/b}", "/a/b%7D", ""),
            ("/a/{}", "/a/%7B%7D", ""),
            ("/a b/{c d}", "/a%20b/{c_d}", "c d"),
            ("/x/{a}.{b}", "/x/{a}.{b}", "a b"),
            ("/x({k})", "/x({k})", "k"),
        ] {
            let template = PathTemplate::parse(path);
            assert_eq!(template.text, expected, "{path}");
            let found: Vec<_> = template.placeholders.iter().map(|one| one.document_name.as_str()).collect();
            assert_eq!(found.join(" "), names, "{path}");
        }
        assert!(PathTemplate::parse("/{+name}").placeholder("name").is_some());
    }
}
