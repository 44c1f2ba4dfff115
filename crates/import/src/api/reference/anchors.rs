//! The `$id`s and anchors of a document.

use std::collections::HashMap;

use serde_json::Value;

use super::Located;
use crate::api::pointer::Pointer;
use crate::api::problem::ProblemCode;

/// The positions of the `$id`s and anchors of a document. Built at the first reference that is not a JSON pointer into
/// the document.
pub(super) struct AnchorIndex<'a> {
    root: Located<'a>,
    /// Schemas with `$id`, in the order of the document.
    resources: Vec<(&'a str, Located<'a>)>,
    /// Schemas by anchor; several resources may use the same anchor.
    anchors: HashMap<&'a str, Vec<Located<'a>>>,
}

impl<'a> AnchorIndex<'a> {
    pub(super) fn build(root: &Located<'a>) -> Self {
        let mut index = Self { root: root.clone(), resources: Vec::new(), anchors: HashMap::new() };
        index.visit(&Step { parent: None, part: StepPart::Root }, root.value);
        index
    }

    fn visit(&mut self, step: &Step<'_, 'a>, value: &'a Value) {
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    self.register(key, member, step, value);
                    self.visit(&Step { parent: Some(step), part: StepPart::Member(key) }, member);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.visit(&Step { parent: Some(step), part: StepPart::Item(index) }, item);
                }
            }
            _ => {}
        }
    }

    fn register(&mut self, key: &str, name: &'a Value, step: &Step<'_, 'a>, value: &'a Value) {
        let Some(name) = name.as_str() else { return };
        let located = || Located { value, pointer: step.pointer() };
        match key {
            "$id" | "$self" => self.resources.push((name, located())),
            "$anchor" | "$dynamicAnchor" => self.anchors.entry(name).or_default().push(located()),
            _ => {}
        }
    }

    /// The target of a reference in the object at `pointer`.
    pub(super) fn find(&self, reference: &str, pointer: &Pointer) -> Result<Located<'a>, ProblemCode> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let enclosing = self.resources.iter().rev().filter(|(_, resource)| pointer.is_within(&resource.pointer));
        if uri.is_empty() {
            let mut bases = enclosing.map(|(_, resource)| resource).chain([&self.root]);
            return bases.find_map(|base| self.find_fragment(base, fragment)).ok_or(ProblemCode::RefUnresolved);
        }
        let base = enclosing.map(|(id, _)| *id).next().unwrap_or_default();
        let resource = self.resources.iter().find(|(id, _)| *id == uri || *id == join(base, uri));
        let (_, resource) = resource.ok_or(ProblemCode::RefExternal)?;
        self.find_fragment(resource, fragment).ok_or(ProblemCode::RefUnresolved)
    }

    /// The target of a fragment (a JSON pointer or an anchor) within a resource.
    fn find_fragment(&self, base: &Located<'a>, fragment: &str) -> Option<Located<'a>> {
        if fragment.is_empty() || fragment.starts_with('/') {
            return base.descend(fragment);
        }
        let candidates = self.anchors.get(fragment)?;
        candidates.iter().find(|located| located.pointer.is_within(&base.pointer)).cloned()
    }
}

/// Resolves a relative URI against a base URI, whose last path segment it replaces.
fn join(base: &str, uri: &str) -> String {
    let (folder, _) = base.rsplit_once('/').unwrap_or_default();
    format!("{folder}/{}", uri.strip_prefix("./").unwrap_or(uri))
}

/// A position while the document is walked. Its pointer is built only where it is needed.
struct Step<'s, 'a> {
    parent: Option<&'s Step<'s, 'a>>,
    part: StepPart<'a>,
}

enum StepPart<'a> {
    Root,
    Member(&'a str),
    Item(usize),
}

impl Step<'_, '_> {
    fn pointer(&self) -> Pointer {
        let parent = self.parent.map_or_else(Pointer::root, Step::pointer);
        match self.part {
            StepPart::Root => parent,
            StepPart::Member(key) => parent.member(key),
            StepPart::Item(index) => parent.item(index),
        }
    }
}
