//! Gaps: the content that a part leaves out, with enough information to continue reading without the earlier parts.

use std::fmt::{self, Write as _};

use crate::format::ResponseFormat;

/// Maximum number of steps of a path in a label; a longer path is shown by its last steps.
const LABEL_STEPS_MAX: usize = 12;
/// Maximum length of a path in a label, in bytes.
const LABEL_BYTES_MAX: usize = 160;

/// A step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueStep {
    /// A member, by its name without escapes.
    Member(String),
    /// An element, by its index.
    Element(usize),
}

/// A path from the root, written as `hits.hits[3].title`. A backslash comes before dots and brackets that are part of a
/// name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValuePath(pub(crate) Vec<ValueStep>);

impl ValuePath {
    /// Parses a path; `None` if the text is not a path. `[]`, and a `$` at the start, are ignored.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text.trim().strip_prefix('$').unwrap_or(text.trim());
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('[') {
                let (index, after) = after.split_once(']')?;
                if !index.is_empty() {
                    steps.push(ValueStep::Element(index.parse().ok()?));
                }
                rest = after;
            } else {
                let (name, after) = read_name(rest.strip_prefix('.').unwrap_or(rest))?;
                steps.push(ValueStep::Member(name));
                rest = after;
            }
        }
        Some(Self(steps))
    }
}

/// A name up to the next dot or bracket, and the text after it.
fn read_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.chars();
    loop {
        let rest = characters.as_str();
        match characters.next() {
            Some('\\') => name.push(characters.next()?),
            Some('.' | '[') | None => return (!name.is_empty()).then_some((name, rest)),
            Some(other) => name.push(other),
        }
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                ValueStep::Element(index) => write!(f, "[{index}]")?,
                ValueStep::Member(name) => {
                    if position > 0 {
                        f.write_char('.')?;
                    }
                    for character in name.chars() {
                        if matches!(character, '.' | '[' | ']' | '\\') {
                            f.write_char('\\')?;
                        }
                        f.write_char(character)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The kind of content that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GapKind {
    /// The elements of an array from `from` on.
    Elements { from: usize, total: usize },
    /// The last `left` of the `total` members of an object. With `containers_only`, the scalars among them were shown
    /// already.
    Members { left: usize, total: usize, containers_only: bool },
    /// An array or an object.
    Subtree,
    /// The rest of a string.
    LongText,
    /// The lines of a text from `from` on.
    TextLines { from: usize, total: usize },
}

/// Content that a part leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The path of the value that the content belongs to.
    pub(crate) path: ValuePath,
    /// The offset of the content in the body.
    pub(crate) at: usize,
    pub(crate) kind: GapKind,
}

impl Gap {
    /// The label of this content in a part with several gaps: `hits.hits[8:]`.
    pub(crate) fn label(&self) -> String {
        let path = self.short_path();
        match self.kind {
            GapKind::Elements { from, .. } | GapKind::TextLines { from, .. } => format!("{path}[{from}:]"),
            GapKind::LongText => format!("{path} (rest)"),
            GapKind::Members { .. } | GapKind::Subtree => path,
        }
    }

    /// The path, or its end if it is long.
    fn short_path(&self) -> String {
        let steps = &self.path.0;
        let last = steps.get(steps.len().saturating_sub(LABEL_STEPS_MAX)..).unwrap_or_default();
        let path = ValuePath(last.to_vec()).to_string();
        let start = path.ceil_char_boundary(path.len().saturating_sub(LABEL_BYTES_MAX));
        let end = path.get(start..).unwrap_or_default();
        if last.len() == steps.len() && start == 0 { path } else { format!("…{end}") }
    }
}

/// The state after a part: the content that is still to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Continuation {
    pub(crate) format: ResponseFormat,
    pub(crate) gaps: Vec<Gap>,
    /// The estimated tokens of all parts so far.
    pub(crate) shown_tokens: usize,
    /// The estimated tokens of all parts together.
    pub(crate) total_tokens: usize,
}

/// A summary of the content that was left out, for the note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOutSummary {
    /// Number of elements of arrays that are left out.
    pub items: usize,
    /// Number of all elements of these arrays.
    pub items_total: usize,
    /// Number of lines of a text, or rows of a table, that are left out.
    pub lines: usize,
    /// Number of all lines or rows.
    pub lines_total: usize,
    /// Number of shortened strings.
    pub long_texts: usize,
    /// Number of arrays and objects that are left out as a whole.
    pub subtrees: usize,
    /// Number of members of objects that are left out.
    pub members: usize,
    /// Estimated tokens that were shown so far.
    pub shown_tokens: usize,
    /// Estimated tokens of the whole response.
    pub total_tokens: usize,
}

impl Continuation {
    /// A summary of the content that is still to be read.
    pub fn left_out(&self) -> LeftOutSummary {
        let mut summary = LeftOutSummary {
            shown_tokens: self.shown_tokens,
            total_tokens: self.total_tokens.max(self.shown_tokens),
            ..LeftOutSummary::default()
        };
        for gap in &self.gaps {
            match gap.kind {
                GapKind::Elements { from, total } => {
                    summary.items += total.saturating_sub(from);
                    summary.items_total += total;
                }
                GapKind::TextLines { from, total } => {
                    summary.lines += total.saturating_sub(from);
                    summary.lines_total += total;
                }
                GapKind::Members { left, .. } => summary.members += left,
                GapKind::Subtree => summary.subtrees += 1,
                GapKind::LongText => summary.long_texts += 1,
            }
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_of_a_long_path_shows_its_end() {
        let label = |path: &str| {
            let path = ValuePath::parse(path).unwrap();
            Gap { path, at: 0, kind: GapKind::Elements { from: 8, total: 9 } }.label()
        };
        assert_eq!(label("hits.hits"), "hits.hits[8:]");
        assert_eq!(label("a.".repeat(50).trim_end_matches('.')), format!("…{}[8:]", ["a"; 12].join(".")));
        assert!(label(&"é".repeat(5000)).len() < 200);
    }

    #[test]
    fn a_path_is_written_and_read_back() {
        for text in ["", "items", "hits.hits[3].title", "[0]", "[0][1].a", r"a\.b\[x\].c\\d"] {
            assert_eq!(ValuePath::parse(text).unwrap().to_string(), text);
        }
        for (text, written) in [("$.items", "items"), ("items[].name", "items.name"), (" a ", "a"), (".a", "a")] {
            assert_eq!(ValuePath::parse(text).unwrap().to_string(), written);
        }
        for bad in ["a..b", "a.", "a[", "a[x]", r"a\"] {
            assert_eq!(ValuePath::parse(bad), None, "{bad}");
        }
    }
}
