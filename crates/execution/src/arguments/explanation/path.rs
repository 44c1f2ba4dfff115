//! The path to a part of the arguments, in the form `lines[2].minutes`.

use std::fmt;

use serde_json::Value;

use super::shown;

/// The longest path that is shown, in characters.
const PATH_CHARS_MAX: usize = 80;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathStep {
    Member(String),
    Item(usize),
}

/// A path from the arguments to one of their parts; empty for the arguments themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ArgumentPath(pub(super) Vec<PathStep>);

impl ArgumentPath {
    pub(super) fn from_name(name: &str) -> Self {
        Self(vec![PathStep::Member(name.to_owned())])
    }

    /// The path of a JSON pointer into `arguments`. Whether a step is an index depends on the value there.
    pub(super) fn from_pointer(pointer: &str, arguments: &Value) -> Self {
        let mut value = Some(arguments);
        let steps = pointer.split('/').skip(1).map(|segment| {
            let name = segment.replace("~1", "/").replace("~0", "~");
            let index = value.filter(|value| value.is_array()).and_then(|_| name.parse::<usize>().ok());
            value = match index {
                Some(index) => value.and_then(|value| value.get(index)),
                None => value.and_then(|value| value.get(&name)),
            };
            index.map_or(PathStep::Member(name), PathStep::Item)
        });
        Self(steps.collect())
    }

    pub(super) fn member(&self, name: &str) -> Self {
        Self(self.0.iter().cloned().chain([PathStep::Member(name.to_owned())]).collect())
    }

    pub(super) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The part of `arguments` at this path.
    pub(super) fn value<'v>(&self, arguments: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(arguments, |value, step| match step {
            PathStep::Member(name) => value.get(name),
            PathStep::Item(index) => value.get(index),
        })
    }
}

/// `"state"`, `lines[2].minutes`.
impl fmt::Display for ArgumentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [PathStep::Member(name)] = self.0.as_slice() {
            return f.write_str(&shown::quoted(name));
        }
        let mut text = String::new();
        for step in &self.0 {
            match step {
                PathStep::Item(index) => text = format!("{text}[{index}]"),
                PathStep::Member(name) if is_plain(name) => {
                    text.push_str(if text.is_empty() { "" } else { "." });
                    text.push_str(name);
                }
                PathStep::Member(name) => text = format!("{text}[{}]", shown::quoted(name)),
            }
        }
        f.write_str(
            if text.is_empty() { "The call" } else { &text }.chars().take(PATH_CHARS_MAX).collect::<String>().as_str(),
        )
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 40
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte))
}
