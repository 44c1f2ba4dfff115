//! Builds a JSON value from the events of a YAML parser.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{ErrorKind, Event, Marker, ScalarStyle, ScanError, Tag};
use serde_json::map::Entry;
use serde_json::{Map, Value};

use super::super::DocumentError;
use super::super::limits::{ALIAS_DEPTH_MAX, ALIASED_NODES_MAX, ANCHORED_NODES_MAX, ExceededLimit, ParseState};
use super::super::text::without_invisible;
use super::scalar;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;

pub(super) struct ValueBuilder {
    state: ParseState,
    /// The open lists and objects, from the root inwards.
    open: Vec<OpenNode>,
    root: Option<Value>,
    anchors: HashMap<usize, AnchoredNode>,
    /// Number of values that aliases have added.
    aliased_nodes: usize,
    /// Number of values that were copied because they have an anchor.
    anchored_nodes: usize,
    in_second_document: bool,
}

/// A list or an object whose end is not read yet.
struct OpenNode {
    content: OpenContent,
    anchor: usize,
    size: NodeSize,
}

enum OpenContent {
    List(Vec<Value>),
    Object {
        members: Map<String, Value>,
        /// The values of merge keys, in order.
        merged: Vec<Value>,
        next: NextPart,
    },
}

/// What the next value is in an object.
enum NextPart {
    Key,
    Value(String),
    /// The value of a merge key.
    Merged,
}

/// The size of a value with everything in it.
#[derive(Clone, Copy, Default)]
struct NodeSize {
    nodes: usize,
    depth: usize,
    /// The nesting of aliases in it.
    alias_depth: usize,
}

struct AnchoredNode {
    value: Value,
    size: NodeSize,
}

/// Why the document is refused at an event.
pub(super) enum YamlBuildError {
    Limit { limit: ExceededLimit, pointer: Pointer },
    Alias,
    SecondDocument,
}

impl YamlBuildError {
    pub(super) fn into_document_error(self, marker: Marker) -> DocumentError {
        let message = match self {
            Self::Limit { limit, pointer } => return limit.at(&pointer),
            Self::Alias => "the alias names no value that is complete at this position",
            Self::SecondDocument => "the file has more than one document",
        };
        super::syntax_error_at(message.to_owned(), marker)
    }
}

impl NodeSize {
    const SCALAR: Self = Self { nodes: 1, depth: 0, alias_depth: 0 };

    fn add_child(&mut self, child: Self) {
        self.nodes += child.nodes;
        self.depth = self.depth.max(child.depth + 1);
        self.alias_depth = self.alias_depth.max(child.alias_depth);
    }
}

impl ValueBuilder {
    pub(super) fn new(removed_characters: usize) -> Self {
        let mut state = ParseState::default();
        state.count_removed(removed_characters);
        Self {
            state,
            open: Vec::new(),
            root: None,
            anchors: HashMap::new(),
            aliased_nodes: 0,
            anchored_nodes: 0,
            in_second_document: false,
        }
    }

    /// From now on, every value but null is an error.
    pub(super) fn start_second_document(&mut self) {
        self.in_second_document = true;
    }

    pub(super) fn finish(self) -> (Value, Vec<ApiWarning>) {
        (self.root.unwrap_or(Value::Null), self.state.into_warnings())
    }

    /// The error for a document that the parser refuses after the events so far.
    pub(super) fn scan_error(&self, error: &ScanError) -> DocumentError {
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => ExceededLimit::Depth.at(&self.pointer()),
            _ => super::syntax_error_at(error.info(), *error.marker()),
        }
    }

    pub(super) fn add(&mut self, event: Event<'_>) -> Result<(), YamlBuildError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.count(1)?;
                self.scalar(text, style, anchor, tag.as_deref())
            }
            Event::SequenceStart(_, anchor, _) => self.start(OpenContent::List(Vec::new()), anchor),
            Event::MappingStart(_, anchor, _) => {
                self.start(OpenContent::Object { members: Map::new(), merged: Vec::new(), next: NextPart::Key }, anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => self.alias(anchor),
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: Cow<'_, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Result<(), YamlBuildError> {
        let is_plain = style == ScalarStyle::Plain && !tag.is_some_and(is_string_tag);
        if self.in_second_document {
            let is_null = is_plain && scalar::plain(text.into_owned()).is_null();
            return if is_null { Ok(()) } else { Err(YamlBuildError::SecondDocument) };
        }
        let (text, removed) = without_invisible(text);
        self.state.count_removed(removed);
        let is_key = self.next_part().is_some_and(|next| matches!(next, NextPart::Key));
        let is_merge = is_key && is_plain && text == "<<";
        let value = if is_plain && !is_key { scalar::plain(text) } else { Value::String(text) };
        self.remember(anchor, &value, NodeSize::SCALAR)?;
        match self.next_part() {
            Some(next) if is_merge => *next = NextPart::Merged,
            _ => self.place(value, NodeSize::SCALAR),
        }
        Ok(())
    }

    /// What the next value is, if the innermost open node is an object.
    fn next_part(&mut self) -> Option<&mut NextPart> {
        match &mut self.open.last_mut()?.content {
            OpenContent::Object { next, .. } => Some(next),
            OpenContent::List(_) => None,
        }
    }

    fn start(&mut self, content: OpenContent, anchor: usize) -> Result<(), YamlBuildError> {
        if self.in_second_document {
            return Err(YamlBuildError::SecondDocument);
        }
        self.count(1)?;
        let entered = self.state.enter();
        self.check(entered)?;
        self.open.push(OpenNode { content, anchor, size: NodeSize::SCALAR });
        Ok(())
    }

    fn end(&mut self) -> Result<(), YamlBuildError> {
        let Some(node) = self.open.pop() else { return Ok(()) };
        self.state.leave();
        let value = match node.content {
            OpenContent::List(mut items) => {
                items.shrink_to_fit();
                Value::Array(items)
            }
            OpenContent::Object { mut members, merged, .. } => {
                for value in merged {
                    merge(&mut members, value);
                }
                Value::Object(members)
            }
        };
        self.remember(node.anchor, &value, node.size)?;
        self.place(value, node.size);
        Ok(())
    }

    fn alias(&mut self, anchor: usize) -> Result<(), YamlBuildError> {
        let node = self.anchors.get(&anchor).ok_or(YamlBuildError::Alias)?;
        let mut size = node.size;
        self.aliased_nodes = self.aliased_nodes.saturating_add(size.nodes);
        size.alias_depth += 1;
        let result = match () {
            () if self.aliased_nodes > ALIASED_NODES_MAX => Err(ExceededLimit::AliasedNodes),
            () if size.alias_depth > ALIAS_DEPTH_MAX => Err(ExceededLimit::AliasDepth),
            () if size.depth > self.state.remaining_depth() => Err(ExceededLimit::Depth),
            () => self.state.add_nodes(size.nodes),
        };
        self.check(result)?;
        // The lookup is repeated because `check` borrows the builder; the clone comes after the limits.
        let value = self.anchors.get(&anchor).map_or(Value::Null, |node| node.value.clone());
        self.place(value, size);
        Ok(())
    }

    /// Stores a copy of a value that has an anchor; the parser uses 0 for no anchor.
    fn remember(&mut self, anchor: usize, value: &Value, size: NodeSize) -> Result<(), YamlBuildError> {
        if anchor == 0 {
            return Ok(());
        }
        self.anchored_nodes = self.anchored_nodes.saturating_add(size.nodes);
        let result = if self.anchored_nodes > ANCHORED_NODES_MAX { Err(ExceededLimit::AnchoredNodes) } else { Ok(()) };
        self.check(result)?;
        self.anchors.insert(anchor, AnchoredNode { value: value.clone(), size });
        Ok(())
    }

    /// Puts a complete value into the innermost open list or object.
    fn place(&mut self, value: Value, size: NodeSize) {
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(value);
            return;
        };
        parent.size.add_child(size);
        let (members, merged, next) = match &mut parent.content {
            OpenContent::List(items) => return items.push(value),
            OpenContent::Object { members, merged, next } => (members, merged, next),
        };
        match std::mem::replace(next, NextPart::Key) {
            NextPart::Key => *next = NextPart::Value(key_text(value)),
            NextPart::Merged => merged.push(value),
            NextPart::Value(key) => match members.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
                Entry::Occupied(mut entry) => {
                    let key = entry.key().clone();
                    entry.insert(value);
                    let pointer = self.pointer().member(&key);
                    self.state.warn_duplicate_key(pointer);
                }
            },
        }
    }

    fn count(&mut self, nodes: usize) -> Result<(), YamlBuildError> {
        let result = self.state.add_nodes(nodes);
        self.check(result)
    }

    fn check(&self, result: Result<(), ExceededLimit>) -> Result<(), YamlBuildError> {
        result.map_err(|limit| YamlBuildError::Limit { limit, pointer: self.pointer() })
    }

    /// The position of the value that is read next.
    fn pointer(&self) -> Pointer {
        self.open.iter().fold(Pointer::root(), |pointer, node| match &node.content {
            OpenContent::List(items) => pointer.item(items.len()),
            OpenContent::Object { next: NextPart::Value(key), .. } => pointer.member(key),
            OpenContent::Object { .. } => pointer,
        })
    }
}

fn is_string_tag(tag: &Tag) -> bool {
    tag.is_yaml_core_schema_tag("str")
}

/// The text of a key; a list or an object as a key is written as JSON.
fn key_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Adds the members of the value of a merge key that the object does not have.
fn merge(members: &mut Map<String, Value>, value: Value) {
    match value {
        Value::Object(others) => {
            for (key, value) in others {
                members.entry(key).or_insert(value);
            }
        }
        Value::Array(items) => items.into_iter().filter(Value::is_object).for_each(|item| merge(members, item)),
        _ => {}
    }
}
