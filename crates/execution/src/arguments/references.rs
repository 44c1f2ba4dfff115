//! Resolves `$ref`. jsonschema resolves references too; this module does it first, because the cost of a schema depends
//! on every target, and because the errors of this module contain the location of the wrong reference.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::Draft;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use url::Url;

/// The base URI of a schema without `$id`.
#[expect(clippy::expect_used, reason = "the URI is a constant, and tests parse it")]
pub(super) static DEFAULT_BASE: LazyLock<Url> = LazyLock::new(|| Url::parse("schema://input/").expect("a valid URI"));

/// The `$id`s and anchors of a document, each with a JSON pointer into it.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Pointers by absolute URI without fragment.
    resources: HashMap<Url, String>,
    /// Pointers by absolute URI with the anchor as fragment.
    anchors: HashMap<Url, String>,
    /// Pointers by dynamic anchor; `$recursiveAnchor` has the empty name. The target of a dynamic reference depends on
    /// the evaluation path, so every pointer of its anchor is a possible target.
    dynamic_anchors: HashMap<String, Vec<String>>,
}

/// The target of a reference.
#[derive(Debug)]
pub(super) enum ReferenceTarget {
    /// One pointer, or several for a dynamic reference.
    Pointers(Vec<String>),
    /// An anchor or pointer that this document does not define.
    Dangling,
    /// Another document.
    External,
}

impl References {
    /// Registers the `$id` and anchors of the schema at `pointer`; returns the base URI of its subschemas.
    pub(super) fn register(&mut self, keywords: &Map<String, Value>, pointer: &str, base: &Url, draft: Draft) -> Url {
        let text = |keyword: &str| keywords.get(keyword).and_then(Value::as_str);
        let id = text(if draft == Draft::Draft4 { "id" } else { "$id" });
        let mut base = base.clone();
        match id.and_then(|id| base.join(id).ok()) {
            // Until draft 7, an `$id` of `#name` was an anchor.
            Some(uri) if uri.fragment().is_some_and(|name| !name.is_empty()) => {
                self.anchors.insert(uri, pointer.to_owned());
            }
            Some(mut uri) => {
                uri.set_fragment(None);
                base = uri;
                self.resources.insert(base.clone(), pointer.to_owned());
            }
            None => {}
        }
        if pointer.is_empty() {
            self.resources.insert(base.clone(), String::new());
        }
        for anchor in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text) {
            self.anchors.insert(with_fragment(&base, anchor), pointer.to_owned());
        }
        if let Some(anchor) = text("$dynamicAnchor") {
            self.dynamic_anchors.entry(anchor.to_owned()).or_default().push(pointer.to_owned());
        }
        if keywords.get("$recursiveAnchor") == Some(&Value::Bool(true)) {
            self.dynamic_anchors.entry(String::new()).or_default().push(pointer.to_owned());
        }
        base
    }

    /// Resolves `reference` against the base URI of its schema.
    pub(super) fn resolve(&self, reference: &str, base: &Url, is_dynamic: bool) -> ReferenceTarget {
        let Ok(uri) = base.join(reference) else { return ReferenceTarget::External };
        let fragment = percent_decode_str(uri.fragment().unwrap_or_default()).decode_utf8_lossy();
        let mut document = uri.clone();
        document.set_fragment(None);
        let Some(root) = self.resources.get(&document) else { return ReferenceTarget::External };
        let pointer = match &*fragment {
            "" => Some(root.clone()),
            pointer if pointer.starts_with('/') => Some(format!("{root}{pointer}")),
            anchor => self.anchors.get(&with_fragment(&document, anchor)).cloned(),
        };
        let Some(pointer) = pointer else { return ReferenceTarget::Dangling };
        let dynamic_targets =
            self.dynamic_anchors.get(&*fragment).filter(|_| is_dynamic).into_iter().flatten().cloned();
        ReferenceTarget::Pointers(dynamic_targets.chain([pointer]).collect())
    }
}

fn with_fragment(base: &Url, fragment: &str) -> Url {
    let mut uri = base.clone();
    uri.set_fragment(Some(fragment));
    uri
}
