//! JSON pointers into a document, as URI fragments: `#/paths/~1pets/get`.

use std::fmt;

use serde::{Serialize, Serializer};

/// The position of a value in a document.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub(crate) fn root() -> Self {
        Self("#".to_owned())
    }

    /// The member `key` of this value.
    pub(crate) fn member(&self, key: &str) -> Self {
        Self(format!("{}/{}", self.0, escape(key)))
    }

    /// The same pointer, if the document that it points into becomes the value at `base`.
    pub(crate) fn moved_to(&self, base: &Self) -> Self {
        Self(format!("{}{}", base.0, self.0.strip_prefix('#').unwrap_or(&self.0)))
    }

    /// The last part of the pointer as it is written, with `~1` for `/`.
    pub(crate) fn last_part(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Whether the value is `other` or within it.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.0.strip_prefix(&other.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The item `index` of this list.
    pub(crate) fn item(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }
}

/// A key with `~` and `/` escaped, as a part of a pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

impl fmt::Display for Pointer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Serialize for Pointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
