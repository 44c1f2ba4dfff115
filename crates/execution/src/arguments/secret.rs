//! Arguments that a schema declares secret (`writeOnly`, `format: password`, `x-secret`): masked wherever something
//! of a call is kept. What cannot be told within reason is masked too.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;

use secrecy::SecretString;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgate_domain::headers::MASK;
use toolgate_domain::json::{self, Members};

use super::outline::{Id, Node, Outline};

/// More steps than this are not taken to find the secrets of one call.
const STEPS_MAX: usize = 200_000;
/// Nor is more text read for it; what lies deep is read once for each level.
const READ_MAX: usize = 16 << 20;
/// More secret values than this are not looked for elsewhere.
const SECRETS_MAX: usize = 64;
/// Nor are values of more bytes than this: looking for them takes time for each byte of them at each byte of an answer.
const SECRETS_MAX_BYTES: usize = 4 << 10;

/// Whether a schema with these keywords declares its value secret.
pub(super) fn is_declared(keywords: &Map<String, Value>) -> bool {
    let is_true = |keyword: &str| keywords.get(keyword) == Some(&Value::Bool(true));
    is_true("writeOnly") || is_true("x-secret") || keywords.get("format").is_some_and(|format| format == "password")
}

/// The subschemas on the way to a secret: where none leads, nothing has to be looked at.
#[derive(Debug)]
pub(super) struct SecretPlaces {
    /// By number of the subschema; empty where nothing is secret.
    leads: Vec<bool>,
    /// Those that lead on through a member of an object,
    through_members: HashSet<Id>,
    /// and through an item of an array.
    through_items: HashSet<Id>,
}

/// The arguments of a call as they may be kept.
#[derive(Debug)]
pub(crate) struct MaskedArguments<'a> {
    /// The JSON text.
    pub(crate) json: Cow<'a, str>,
    /// What was masked, for an upstream may repeat it; `None` where that could not be told.
    pub(crate) secrets: Option<Vec<SecretString>>,
}

impl SecretPlaces {
    pub(super) fn of(outline: &Outline) -> Self {
        let leads = if outline.nodes.iter().any(|node| node.is_secret) { leads(outline) } else { Vec::new() };
        let through = |parts: fn(&Node) -> Vec<Id>| {
            let leads_on = |node: &Node| parts(node).into_iter().any(|part| is_set(&leads, part));
            (0..).zip(&outline.nodes).filter(|(_, node)| leads_on(node)).map(|(id, _)| id).collect()
        };
        let through_members = through(|node| node.properties.values().chain(&node.every_property).copied().collect());
        let through_items = through(|node| node.items.iter().chain(&node.every_item).copied().collect());
        Self { leads, through_members, through_items }
    }

    pub(super) fn mask<'a>(&self, outline: &Outline, arguments: &'a str) -> MaskedArguments<'a> {
        if self.leads.is_empty() {
            return MaskedArguments { json: Cow::Borrowed(arguments), secrets: Some(Vec::new()) };
        }
        let mut walk =
            Walk { places: self, outline, steps: 0, read: 0, out: String::new(), secrets: Vec::new(), secret_bytes: 0 };
        match serde_json::from_str(arguments).ok().and_then(|arguments| walk.value(arguments, &[0])) {
            Some(()) => MaskedArguments { json: Cow::Owned(walk.out), secrets: Some(walk.secrets) },
            None => MaskedArguments { json: Cow::Owned(json_mask()), secrets: None },
        }
    }
}

/// By number of the subschema, whether it leads to a secret.
fn leads(outline: &Outline) -> Vec<bool> {
    let mut leads: Vec<bool> = outline.nodes.iter().map(|node| node.is_secret).collect();
    // References may lead back, so it is done again until nothing new is found.
    loop {
        let new: Vec<Id> = (0..leads.len())
            .filter(|&id| !is_set(&leads, id) && parts(outline, id).any(|part| is_set(&leads, part)))
            .collect();
        if new.is_empty() {
            return leads;
        }
        for id in new {
            leads.get_mut(id).into_iter().for_each(|lead| *lead = true);
        }
    }
}

fn is_set(leads: &[bool], id: Id) -> bool {
    leads.get(id).copied().unwrap_or(false)
}

/// Whatever a subschema applies to its value or to parts of it.
fn parts(outline: &Outline, id: Id) -> impl Iterator<Item = Id> {
    outline.nodes.get(id).into_iter().flat_map(|node| {
        let any = [&node.in_place, &node.every_property, &node.items, &node.every_item];
        any.into_iter().flatten().chain(node.properties.values()).copied()
    })
}

fn json_mask() -> String {
    format!("\"{MASK}\"")
}

/// Writes arguments again, without their secrets.
struct Walk<'a> {
    places: &'a SecretPlaces,
    outline: &'a Outline,
    steps: usize,
    /// Bytes that were read.
    read: usize,
    out: String,
    secrets: Vec<SecretString>,
    secret_bytes: usize,
}

impl Walk<'_> {
    /// `None` where it takes too long, the text is no JSON, or it cannot be told where a secret is.
    fn value(&mut self, value: &RawValue, schemas: &[Id]) -> Option<()> {
        let schemas = self.applied(schemas)?;
        let nodes = || schemas.iter().filter_map(|&id| self.outline.nodes.get(id));
        if schemas.is_empty() {
            self.out.push_str(value.get());
        } else if nodes().any(|node| node.is_secret) {
            self.out.push_str(&json_mask());
            self.note(value)?;
        } else {
            self.parts(value, &schemas)?;
        }
        Some(())
    }

    /// What lies on the way to a secret. `None` where it is not of the shape in which the secret was to come: a secret
    /// may be anywhere in it.
    fn parts(&mut self, value: &RawValue, schemas: &[Id]) -> Option<()> {
        let nodes = || schemas.iter().filter_map(|&id| self.outline.nodes.get(id));
        let lead_on = |places: &HashSet<Id>| schemas.iter().any(|id| places.contains(id));
        match value.get().as_bytes().first()? {
            b'{' if lead_on(&self.places.through_members) => {
                let every: Vec<Id> = nodes().flat_map(|node| node.every_property.iter().copied()).collect();
                self.object(value, schemas, &every)
            }
            b'[' if lead_on(&self.places.through_items) => {
                let every: Vec<Id> =
                    nodes().flat_map(|node| node.items.iter().chain(&node.every_item).copied()).collect();
                self.array(value, &every)
            }
            b'n' | b't' | b'f' => {
                self.out.push_str(value.get());
                Some(())
            }
            _ => None,
        }
    }

    fn object(&mut self, value: &RawValue, schemas: &[Id], every: &[Id]) -> Option<()> {
        let members: Members = self.parsed(value)?;
        self.out.push('{');
        for (index, (name, member)) in members.iter().enumerate() {
            self.out.push_str(if index == 0 { "" } else { "," });
            self.out.push_str(json::raw_string(name).get());
            self.out.push(':');
            let nodes = schemas.iter().filter_map(|&id| self.outline.nodes.get(id));
            let own: Vec<Id> = nodes.filter_map(|node| node.properties.get(name).copied()).collect();
            self.value(member, &[&own, every].concat())?;
        }
        self.out.push('}');
        Some(())
    }

    fn array(&mut self, value: &RawValue, every: &[Id]) -> Option<()> {
        let items: Vec<&RawValue> = self.parsed(value)?;
        self.out.push('[');
        for (index, item) in items.into_iter().enumerate() {
            self.out.push_str(if index == 0 { "" } else { "," });
            self.value(item, every)?;
        }
        self.out.push(']');
        Some(())
    }

    /// These schemas and those they apply to the same value, as far as they lead to a secret.
    fn applied(&mut self, schemas: &[Id]) -> Option<Vec<Id>> {
        let (mut open, mut seen, mut found) = (schemas.to_vec(), HashSet::new(), Vec::new());
        self.steps += 1;
        while let Some(id) = open.pop() {
            self.steps += 1;
            if is_set(&self.places.leads, id) && seen.insert(id) {
                found.push(id);
                open.extend(self.outline.nodes.get(id).into_iter().flat_map(|node| &node.in_place));
            }
        }
        (self.steps <= STEPS_MAX).then_some(found)
    }

    /// Every text and number of a secret value.
    fn note(&mut self, value: &RawValue) -> Option<()> {
        match value.get().as_bytes().first()? {
            b'"' => self.note_text(&json::as_string(value)?),
            b'{' => {
                let members: Members = self.parsed(value)?;
                members.values().try_for_each(|member| self.note(member))
            }
            b'[' => {
                let items: Vec<&RawValue> = self.parsed(value)?;
                items.into_iter().try_for_each(|item| self.note(item))
            }
            b'-' | b'0'..=b'9' => self.note_text(value.get()),
            _ => Some(()),
        }
    }

    fn note_text(&mut self, text: &str) -> Option<()> {
        self.secret_bytes += text.len();
        if self.secrets.len() >= SECRETS_MAX || self.secret_bytes > SECRETS_MAX_BYTES {
            return None;
        }
        self.secrets.push(text.into());
        Some(())
    }

    /// The parts of an object or an array.
    fn parsed<'v, T: Deserialize<'v>>(&mut self, value: &'v RawValue) -> Option<T> {
        self.read += value.get().len();
        if self.read > READ_MAX {
            return None;
        }
        serde_json::from_str(value.get()).ok()
    }
}
