//! The tags of a tool, by which its owner finds it. Clients and models do not see them.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::fault::{Fault, FaultKind, Faults};
use crate::json;
use crate::text;

/// Maximum number of tags of one tool.
pub const TAGS_MAX: usize = 20;
/// Maximum length of a tag, in characters.
pub const TAG_CHARS_MAX: usize = 64;

/// The tags of a tool, in the order of their owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tags(Vec<String>);

impl Tags {
    /// Validates a list of tags: each has one line and occurs once.
    pub fn parse(field: &str, items: &[Box<RawValue>]) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let mut tags: Vec<String> = Vec::new();
        if items.len() > TAGS_MAX {
            return Err(Fault::too_many(field, TAGS_MAX, "tags").into());
        }
        for (index, item) in items.iter().enumerate() {
            let path = format!("{field}[{index}]");
            let Some(tag) = faults.ok_or_record(parse_tag(&path, item)) else { continue };
            if tags.contains(&tag) {
                faults.push(Fault::new(&path, FaultKind::DuplicateItems, format!("{path}: '{tag}' is already a tag.")));
            }
            tags.push(tag);
        }
        faults.into_result(Self(tags))
    }

    /// From their stored text.
    pub fn from_stored(text: &str) -> Self {
        Self(text.split('\n').filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
    }

    /// The text that is stored: an empty line, then a line for each tag. It contains [`Self::stored_tag`] of each tag.
    pub fn to_stored(&self) -> String {
        if self.0.is_empty() { String::new() } else { format!("\n{}\n", self.0.join("\n")) }
    }

    /// A text that stored tags contain only if `tag` is one of them.
    pub fn stored_tag(tag: &str) -> String {
        format!("\n{tag}\n")
    }

    /// The tags.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

fn parse_tag(path: &str, item: &RawValue) -> Result<String, Fault> {
    let tag = json::as_string(item).ok_or_else(|| Fault::invalid_type(path, "string"))?;
    let tag = text::display_name(path, &tag)?;
    text::check_length(path, &tag, TAG_CHARS_MAX)?;
    Ok(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(tags: &[&str]) -> Result<Tags, Faults> {
        let items: Vec<Box<RawValue>> = tags.iter().map(|tag| json::raw_string(tag)).collect();
        Tags::parse("tags", &items)
    }

    #[test]
    fn tags_are_stored_and_read_back_in_their_order() {
        for tags in [vec![], vec!["pet"], vec!["z", "a b, \"c\"", "Größe"]] {
            let parsed = parse(&tags).unwrap();
            assert_eq!(parsed.as_slice(), tags);
            assert_eq!(Tags::from_stored(&parsed.to_stored()), parsed);
            assert!(tags.iter().all(|tag| parsed.to_stored().contains(&Tags::stored_tag(tag))));
        }
        assert!(!parse(&["pets"]).unwrap().to_stored().contains(&Tags::stored_tag("pet")));
    }

    #[test]
    fn too_many_long_invisible_and_duplicate_tags_are_refused() {
        let many: Vec<String> = (0..=TAGS_MAX).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(parse(&many[1..]).is_ok());
        let longest = "ü".repeat(TAG_CHARS_MAX);
        assert!(parse(&[&longest]).is_ok());
        for (tags, field, kind) in [
            (many, "tags", FaultKind::TooManyItems),
            (vec!["a", ""], "tags[1]", FaultKind::TooShort),
            (vec![" "], "tags[0]", FaultKind::TooShort),
            (vec!["a\nb"], "tags[0]", FaultKind::InvalidPattern),
            (vec!["a\u{202e}"], "tags[0]", FaultKind::InvalidPattern),
            (vec!["a", "b", " a "], "tags[2]", FaultKind::DuplicateItems),
            (vec![&format!("{longest}x")], "tags[0]", FaultKind::TooLong),
        ] {
            let faults = parse(&tags).unwrap_err();
            let fault = faults.iter().next().unwrap();
            assert_eq!((fault.field.as_str(), fault.kind), (field, kind), "{tags:?}");
        }
    }
}
