//! The skeleton of a schema: which subschemas it has and to which part of a value each applies. Drawing it
//! enforces the limits on size before a compiler sees the schema; [`super::price`] walks it later.

mod pen;

use std::collections::HashSet;

use ahash::HashMap;
use jsonschema::Draft;
use serde_json::Value;

use super::error::{Place, SchemaError};
use super::price::Rates;

/// How deeply schemas may be nested in schemas.
pub const MAX_DEPTH: usize = 32;

/// Number of a subschema.
pub(super) type Id = usize;

/// A subschema, as far as work is concerned.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Where it stands.
    pub(super) place: String,
    /// Schemas applied to the same value: `allOf`, `$ref`, `if`...
    pub(super) in_place: Vec<Id>,
    /// Schemas of single properties.
    pub(super) properties: HashMap<String, Id>,
    /// Schemas that may apply to any property.
    pub(super) every_property: Vec<Id>,
    /// Schemas of property names.
    pub(super) names: Vec<Id>,
    /// Schemas of single items.
    pub(super) items: Vec<Id>,
    /// Schemas that may apply to any item.
    pub(super) every_item: Vec<Id>,
    /// Whether what it applies to is a secret.
    pub(super) is_secret: bool,
    /// What its own keywords cost.
    pub(super) rates: Rates,
}

/// All subschemas; the first is the schema itself.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) nodes: Vec<Node>,
}

/// The draft that the schema at `place` names, if it names one.
pub(super) fn draft_of(schema: &Value, place: &str) -> Result<Option<Draft>, SchemaError> {
    let Some(name) = schema.get("$schema") else { return Ok(None) };
    match name.as_str().map(Draft::from_schema_uri) {
        None | Some(Draft::Unknown) => {
            Err(SchemaError::UnknownDraft { at: Place(place.to_owned()), uri: name.to_string() })
        }
        draft => Ok(draft),
    }
}

impl Outline {
    /// Draws the outline of a schema within the limits, with all its references joined.
    pub(super) fn draw(schema: &Value, draft: Draft) -> Result<Self, SchemaError> {
        let outline = Self { nodes: pen::draw(schema, draft)? };
        outline.check_circles()?;
        Ok(outline)
    }

    /// Every property that some schema of the root object names.
    pub(super) fn properties_of_the_root(&self) -> HashSet<&str> {
        let (mut names, mut seen, mut open) = (HashSet::new(), HashSet::new(), vec![0]);
        while let Some(id) = open.pop() {
            let Some(node) = self.nodes.get(id).filter(|_| seen.insert(id)) else { continue };
            names.extend(node.properties.keys().map(String::as_str));
            open.extend(&node.in_place);
        }
        names
    }

    /// Refuses schemas that apply themselves to the same value without end.
    fn check_circles(&self) -> Result<(), SchemaError> {
        let mut state = vec![Visit::Pending; self.nodes.len()];
        (0..self.nodes.len()).try_for_each(|id| self.check_circle(id, &mut state))
    }

    fn check_circle(&self, id: Id, state: &mut [Visit]) -> Result<(), SchemaError> {
        let (Some(node), Some(visit)) = (self.nodes.get(id), state.get_mut(id)) else { return Ok(()) };
        match visit {
            Visit::Done => return Ok(()),
            Visit::Open => return Err(SchemaError::EndlessReference { at: Place(node.place.clone()) }),
            Visit::Pending => *visit = Visit::Open,
        }
        node.in_place.iter().try_for_each(|&next| self.check_circle(next, state))?;
        if let Some(visit) = state.get_mut(id) {
            *visit = Visit::Done;
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Visit {
    Pending,
    Open,
    Done,
}
