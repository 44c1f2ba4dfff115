//! Resolution of `$ref` within a document.

use serde_json::Value;

use crate::api::document::Document;
use crate::api::pointer::Pointer;
use crate::api::problem::ProblemCode;

/// A value of the document with its position.
#[derive(Clone, Debug)]
pub(crate) struct Located<'a> {
    pub(crate) value: &'a Value,
    pub(crate) pointer: Pointer,
}

/// A reference that cannot be resolved.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceError {
    pub(crate) code: ProblemCode,
    pub(crate) message: String,
    /// The object that holds the `$ref`.
    pub(crate) pointer: Pointer,
}

/// Resolves the references of one document.
pub(crate) struct Resolver<'a> {
    document: &'a Document,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        Self { document }
    }

    pub(crate) fn root(&self) -> Located<'a> {
        Located { value: &self.document.root, pointer: Pointer::root() }
    }

    /// Follows the `$ref` of `located`, and the `$ref` of its target, until an object without one is reached.
    pub(crate) fn resolve(&self, located: Located<'a>) -> Result<Located<'a>, ReferenceError> {
        Ok(located)
    }
}

impl<'a> Located<'a> {
    pub(crate) fn member(&self, key: &str) -> Option<Located<'a>> {
        Some(Located { value: self.value.get(key)?, pointer: self.pointer.member(key) })
    }

    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = (&'a str, Located<'a>)> + use<'a, '_> {
        let members = self.value.as_object().into_iter().flatten();
        members.map(|(key, value)| (key.as_str(), Located { value, pointer: self.pointer.member(key) }))
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = Located<'a>> + use<'a, '_> {
        let items = self.value.as_array().into_iter().flatten().enumerate();
        items.map(|(index, value)| Located { value, pointer: self.pointer.item(index) })
    }
}
