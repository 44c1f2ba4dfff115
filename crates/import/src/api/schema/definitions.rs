//! The targets of references, each converted once for a document, with the names they have in `$defs`.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::measure;
use super::vocabulary::each_reference;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::reference::Located;
use crate::api::schema::SchemaDirection;

/// The converted target of a reference.
pub(super) struct Definition {
    pub(super) value: Value,
    /// The size of the schema as JSON text.
    pub(super) bytes: usize,
    /// The names of the definitions it refers to.
    pub(super) references: Vec<String>,
    pub(super) warnings: Vec<ApiWarning>,
}

impl Definition {
    pub(super) fn new(value: Value, warnings: Vec<ApiWarning>) -> Self {
        let mut references = Vec::new();
        each_reference(&value, &mut |name| references.push(name.to_owned()));
        references.sort_unstable();
        references.dedup();
        Self { bytes: measure::bytes(&value), value, references, warnings }
    }
}

/// The progress of the conversion of a target.
#[derive(Clone, Default)]
pub(super) enum ConversionProgress {
    #[default]
    Pending,
    Active,
    Done(Rc<Definition>),
}

struct DefinitionEntry<'a> {
    source: Located<'a>,
    request: ConversionProgress,
    response: ConversionProgress,
}

/// All targets of the document that were found so far.
#[derive(Default)]
pub(super) struct DefinitionStore<'a> {
    names: HashMap<Pointer, String>,
    entries: HashMap<String, DefinitionEntry<'a>>,
}

impl<'a> DefinitionStore<'a> {
    /// The name of a target; the same for the same position.
    pub(super) fn name(&mut self, target: &Located<'a>) -> String {
        if let Some(name) = self.names.get(&target.pointer) {
            return name.clone();
        }
        let name = self.free_name(&plain_name(target.pointer.last_part()));
        self.names.insert(target.pointer.clone(), name.clone());
        let entry = DefinitionEntry {
            source: target.clone(),
            request: ConversionProgress::Pending,
            response: ConversionProgress::Pending,
        };
        self.entries.insert(name.clone(), entry);
        name
    }

    fn free_name(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        candidates.find(|candidate| !self.entries.contains_key(candidate)).unwrap_or_default()
    }

    pub(super) fn source(&self, name: &str) -> Option<Located<'a>> {
        self.entries.get(name).map(|entry| entry.source.clone())
    }

    pub(super) fn progress(&self, name: &str, direction: SchemaDirection) -> ConversionProgress {
        let Some(entry) = self.entries.get(name) else { return ConversionProgress::Active };
        match direction {
            SchemaDirection::Request => entry.request.clone(),
            SchemaDirection::Response => entry.response.clone(),
        }
    }

    pub(super) fn set_progress(&mut self, name: &str, direction: SchemaDirection, progress: ConversionProgress) {
        let Some(entry) = self.entries.get_mut(name) else { return };
        match direction {
            SchemaDirection::Request => entry.request = progress,
            SchemaDirection::Response => entry.response = progress,
        }
    }
}

/// A name that needs no escapes in a JSON pointer or URI, of at most 64 characters.
fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let plain: String = name.chars().take(64).map(|c| if is_plain(c) { c } else { '_' }).collect();
    if plain.is_empty() { "schema".to_owned() } else { plain }
}
