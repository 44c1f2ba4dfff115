//! Where `$ref` leads. jsonschema resolves references on its own; we do it first, because only an outline
//! that knows every target can say what a schema costs, and to answer with the place of a wrong one.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::Draft;
use serde_json::{Map, Value};
use url::Url;

/// What a schema is called that gives itself no `$id`.
#[expect(clippy::expect_used, reason = "a constant, which every test parses")]
pub(super) static UNNAMED: LazyLock<Url> = LazyLock::new(|| Url::parse("schema://input/").expect("a valid address"));

/// The names a document gives to its parts. Parts are JSON pointers into it.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Part by absolute address, without fragment.
    resources: HashMap<Url, String>,
    /// Part by absolute address with the anchor as fragment.
    anchors: HashMap<Url, String>,
    /// Parts by dynamic anchor: which one is meant depends on the way to it, so all count.
    dynamic: HashMap<String, Vec<String>>,
}

/// What a reference leads to.
#[derive(Debug)]
pub(super) enum Target {
    /// These parts; several where the reference is dynamic.
    Parts(Vec<String>),
    /// A name of this document that it does not define.
    Dangling,
    /// Another document.
    Outside,
}

impl References {
    /// Notes the names that the schema at `place` gives itself; returns the base of what is inside it.
    pub(super) fn note(&mut self, keywords: &Map<String, Value>, place: &str, base: &Url, draft: Draft) -> Url {
        let text = |keyword: &str| keywords.get(keyword).and_then(Value::as_str);
        let id = text(if draft == Draft::Draft4 { "id" } else { "$id" });
        let mut base = base.clone();
        match id.and_then(|id| base.join(id).ok()) {
            // Until draft 7, an `$id` of `#name` was an anchor.
            Some(named) if named.fragment().is_some_and(|name| !name.is_empty()) => {
                self.anchors.insert(named, place.to_owned());
            }
            Some(mut named) => {
                named.set_fragment(None);
                base = named;
                self.resources.insert(base.clone(), place.to_owned());
            }
            None => {}
        }
        if place.is_empty() {
            self.resources.insert(base.clone(), String::new());
        }
        for anchor in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text) {
            self.anchors.insert(with_fragment(&base, anchor), place.to_owned());
        }
        if let Some(anchor) = text("$dynamicAnchor") {
            self.dynamic.entry(anchor.to_owned()).or_default().push(place.to_owned());
        }
        if keywords.get("$recursiveAnchor") == Some(&Value::Bool(true)) {
            self.dynamic.entry(String::new()).or_default().push(place.to_owned());
        }
        base
    }

    /// Follows `reference` from a schema whose base is `base`.
    pub(super) fn follow(&self, reference: &str, base: &Url, is_dynamic: bool) -> Target {
        let Ok(address) = base.join(reference) else { return Target::Outside };
        let fragment = decoded(address.fragment().unwrap_or_default());
        let mut document = address.clone();
        document.set_fragment(None);
        let Some(root) = self.resources.get(&document) else { return Target::Outside };
        let part = match fragment.as_str() {
            "" => Some(root.clone()),
            pointer if pointer.starts_with('/') => Some(format!("{root}{pointer}")),
            anchor => self.anchors.get(&with_fragment(&document, anchor)).cloned(),
        };
        let Some(part) = part else { return Target::Dangling };
        let others = self.dynamic.get(&fragment).filter(|_| is_dynamic).into_iter().flatten().cloned();
        Target::Parts(others.chain([part]).collect())
    }
}

fn with_fragment(base: &Url, fragment: &str) -> Url {
    let mut address = base.clone();
    address.set_fragment(Some(fragment));
    address
}

fn decoded(fragment: &str) -> String {
    percent_encoding::percent_decode_str(fragment).decode_utf8_lossy().into_owned()
}
