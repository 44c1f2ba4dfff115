//! Resolution of `$ref` within a document. Other documents are never fetched.

mod anchors;
#[cfg(test)]
mod tests;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::api::document::{Document, DocumentKind};
use crate::api::pointer::Pointer;
use crate::api::problem::ProblemCode;
use anchors::AnchorIndex;

/// Maximum length of a chain of references.
const CHAIN_MAX: usize = 32;

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
pub(crate) struct ReferenceResolver<'a> {
    document: &'a Document,
    /// Cached targets of pointers; `None` if a target does not exist.
    targets: RefCell<HashMap<&'a str, Option<Located<'a>>>>,
    anchors: OnceCell<AnchorIndex<'a>>,
}

impl<'a> ReferenceResolver<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        Self { document, targets: RefCell::default(), anchors: OnceCell::new() }
    }

    pub(crate) fn root(&self) -> Located<'a> {
        Located { value: &self.document.root, pointer: Pointer::root() }
    }

    pub(crate) fn kind(&self) -> DocumentKind {
        self.document.kind
    }

    /// Follows the `$ref` of `located`, and the `$ref` of its target, until an object without one is reached.
    pub(crate) fn resolve(&self, located: Located<'a>) -> Result<Located<'a>, ReferenceError> {
        let mut current = located;
        for _ in 0..CHAIN_MAX {
            let Some(reference) = current.text("$ref") else { return Ok(current) };
            current = self.follow(reference, &current.pointer)?;
        }
        let message = format!("The references form a cycle, or a chain of more than {CHAIN_MAX}.");
        Err(ReferenceError { code: ProblemCode::RefCycle, message, pointer: current.pointer })
    }

    /// The target of `reference`, which is a member of the object at `pointer`.
    pub(crate) fn follow(&self, reference: &'a str, pointer: &Pointer) -> Result<Located<'a>, ReferenceError> {
        if reference.starts_with("#/") || reference == "#" {
            let known = self.targets.borrow().get(reference).cloned();
            let target = known.unwrap_or_else(|| {
                let target = self.root().descend(reference);
                self.targets.borrow_mut().insert(reference, target.clone());
                target
            });
            if let Some(target) = target {
                return Ok(target);
            }
        }
        let anchors = self.anchors.get_or_init(|| AnchorIndex::build(&self.root()));
        anchors.find(reference, pointer).map_err(|code| ReferenceError {
            code,
            message: unresolved_message(code, reference),
            pointer: pointer.clone(),
        })
    }
}

fn unresolved_message(code: ProblemCode, reference: &str) -> String {
    let shown: String = reference.chars().take(200).collect();
    if code == ProblemCode::RefExternal {
        format!(
            "The reference {shown:?} points to another file. Send that file as well, or put the target into this document."
        )
    } else {
        format!("The document has nothing at the reference {shown:?}.")
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

    /// The value that the JSON pointer in a fragment (`#/a/b`) leads to from here.
    fn descend(&self, fragment: &str) -> Option<Located<'a>> {
        let parts = fragment.strip_prefix('#').unwrap_or(fragment).split('/').skip(1);
        let mut current = self.clone();
        for part in parts {
            // Some documents write a literal `%` in a reference, so both the decoded and the literal part are tried.
            let decoded = percent_decode_str(part).decode_utf8_lossy();
            current = current.child(&unescape(&decoded)).or_else(|| current.child(&unescape(part)))?;
        }
        Some(current)
    }

    fn child(&self, part: &str) -> Option<Located<'a>> {
        match self.value {
            Value::Object(_) => self.member(part),
            Value::Array(items) => {
                let index = part.parse().ok()?;
                Some(Located { value: items.get(index)?, pointer: self.pointer.item(index) })
            }
            _ => None,
        }
    }
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}
