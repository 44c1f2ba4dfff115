//! Paths to members of a response: `user.login`, `labels[].name`, `hits.hits[]._source.title`.
//!
//! Each step is the name of a member, with `*` as wildcard. Arrays on the way are stepped into with or without `[]`,
//! because an API may return a list of results or a single one. A backslash escapes `.`, `*`, `[` and itself.

use crate::fault::Fault;
use crate::shaping::PATH_CHARS_MAX;
use crate::shaping::name_pattern::NamePattern;
use crate::text;

/// A path from the root of a response, or from the elements of a list at its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    text: String,
    steps: Vec<NamePattern>,
}

impl FieldPath {
    /// Parses a path. Faults name `field`.
    pub fn parse(field: &str, text: &str) -> Result<Self, Fault> {
        text::check_not_empty(field, text, PATH_CHARS_MAX)?;
        let steps = parse_steps(text).ok_or_else(|| {
            let form = "write the names of members with dots between them, as in labels[].name";
            Fault::invalid_pattern(field, format!("{field}: '{text}' is not a path; {form}."))
        })?;
        Ok(Self { text: text.to_owned(), steps })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The name of the member at each step; at least one.
    pub fn steps(&self) -> &[NamePattern] {
        &self.steps
    }
}

/// Members that are dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OmitRule {
    /// All members with a matching name, at any depth.
    AnyDepth(NamePattern),
    /// The members at this path.
    Path(FieldPath),
}

impl OmitRule {
    /// Parses a rule. Faults name `field`. A name without dots and brackets applies at any depth.
    pub fn parse(field: &str, text: &str) -> Result<Self, Fault> {
        let path = FieldPath::parse(field, text)?;
        match path.steps.as_slice() {
            [name] if !text.starts_with("[]") => Ok(Self::AnyDepth(name.clone())),
            _ => Ok(Self::Path(path)),
        }
    }
}

/// The steps of a path; `None` if a name is empty, a bracket is not part of `[]`, or a backslash is the last character.
fn parse_steps(text: &str) -> Option<Vec<NamePattern>> {
    let rest = text.trim_start_matches("[]");
    let rest = if rest.len() < text.len() { rest.strip_prefix('.')? } else { rest };
    let mut characters = rest.chars().peekable();
    let mut steps = Vec::new();
    loop {
        let mut literals = vec![String::new()];
        let mut is_indexed = false;
        while let Some(character) = characters.next_if(|c| *c != '.') {
            match character {
                '[' if characters.next() == Some(']') => is_indexed = true,
                '[' => return None,
                _ if is_indexed => return None,
                '*' => literals.push(String::new()),
                '\\' => literals.last_mut()?.push(characters.next()?),
                other => literals.last_mut()?.push(other),
            }
        }
        if literals == [""] {
            return None;
        }
        steps.push(NamePattern::new(literals));
        if characters.next().is_none() {
            return Some(steps);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<Vec<String>> {
        let path = FieldPath::parse("fields[0]", text).ok()?;
        Some(path.steps().iter().map(|step| step.as_literal().unwrap_or("*").to_owned()).collect())
    }

    #[test]
    fn a_path_is_a_list_of_names() {
        for (text, expected) in [
            ("number", &["number"][..]),
            ("user.login", &["user", "login"]),
            ("labels[].name", &["labels", "name"]),
            ("matrix[][].x", &["matrix", "x"]),
            ("data[]", &["data"]),
            ("[].id", &["id"]),
            ("hits.hits[]._source.title", &["hits", "hits", "_source", "title"]),
            ("a.*.b", &["a", "*", "b"]),
            (r"@odata\.count", &["@odata.count"]),
            (r"a\[\]\*\\", &[r"a[]*\"]),
            ("größe", &["größe"]),
        ] {
            assert_eq!(names(text).as_deref(), Some(&expected.iter().map(|&s| s.to_owned()).collect::<Vec<_>>()[..]));
        }
    }

    #[test]
    fn invalid_paths_are_refused() {
        for bad in ["", ".", "a.", ".a", "a..b", "[]", "[].", "[]a", "a[0]", "a[", "a[]b", "a]x[", r"a\"] {
            assert_eq!(names(bad), None, "{bad}");
        }
        let fault = FieldPath::parse("fields[2]", "a[0]").unwrap_err().inside("shaping");
        let expected = "shaping[fields][2]: 'a[0]' is not a path; write the names of members with dots between them, as in labels[].name.";
        assert_eq!(fault.message, expected);
    }

    #[test]
    fn a_bare_name_is_omitted_at_any_depth_and_a_path_from_the_root() {
        assert!(matches!(OmitRule::parse("omit", "*_url"), Ok(OmitRule::AnyDepth(name)) if name.matches("a_url")));
        for path in ["user.url", "[].url", "a.*"] {
            assert!(matches!(OmitRule::parse("omit", path), Ok(OmitRule::Path(_))), "{path}");
        }
    }
}
