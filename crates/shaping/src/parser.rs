//! Parses a body, or a part of it, into a [`Tree`]. The same pass applies `fields`, `omit` and `drop_empty`, recognises
//! blobs, and measures texts. Elements that cannot fit into the budget are checked and counted, but not stored.

use toolgate_domain::json::DEPTH_MAX;
use toolgate_domain::shaping::BlobShaping;

use crate::blob;
use crate::cost::{Cost, TOKEN};
use crate::lexer::{JsonLexer, closing_bracket};
use crate::projection::{Projection, ProjectionState};
use crate::tree::{BRACKETS, Node, NodeKind, TextLimit, Tree, key_cost, rest_cost, saturated, scalar_cost};

/// The cost of `[application/pdf, 147 KiB: r_7Kq2mD…]`.
const BLOB_COST: Cost = 24 * TOKEN;
/// The cost of `[… 14 items]`.
const COLLAPSED_COST: Cost = 7 * TOKEN;
/// The members of an object are stored up to this multiple of the budget; then its arrays and objects are collapsed.
const OBJECT_FACTOR: Cost = 4;
/// The values of a tree are stored up to this multiple of the budget.
const TREE_FACTOR: Cost = 12;
/// Maximum number of values that are stored without a budget; a body with more is not shaped.
const NODES_MAX: usize = 1_000_000;

/// The form of the parsed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One value.
    Value,
    /// The elements of an array, from one of them to the closing bracket.
    Elements,
    /// The members of an object, from one of them to the closing bracket.
    Members,
    /// Values up to the end of the body, one on each line.
    Lines,
}

/// The rules for parsing one body.
pub(crate) struct ParseRules<'p, 's> {
    pub(crate) projection: &'p mut Projection<'s>,
    /// The projection state of the first value.
    pub(crate) state: ProjectionState,
    pub(crate) drop_empty: bool,
    pub(crate) blobs: BlobShaping,
    /// The maximum cost of the content that can be shown.
    pub(crate) budget: Option<Cost>,
    /// Whether costs are measured.
    pub(crate) measures: bool,
    /// Whether a list ends at the first element that is not stored, instead of counting the others.
    pub(crate) stops_early: bool,
}

/// Parses `body` from `at`. Unless `form` is `Value`, the root is a container that is read from one of its children on.
pub(crate) fn parse<'b>(body: &'b str, at: usize, form: Form, rules: ParseRules<'_, '_>) -> Option<Tree<'b>> {
    u32::try_from(body.len()).ok()?;
    let mut parser = Parser {
        lexer: JsonLexer::new(body, at),
        body,
        nodes: Vec::new(),
        open: Vec::new(),
        stored_cost: 0,
        rules,
        form,
    };
    parser.run()?;
    let is_compact = !parser.lexer.has_space;
    Some(Tree { body, nodes: parser.nodes, is_compact })
}

/// A container that is being read.
struct OpenContainer {
    node: usize,
    is_object: bool,
    state: ProjectionState,
    total: u32,
    /// The cost of the stored children, with long strings shortened.
    shown_cost: Cost,
    /// The cost of the stored children with whole strings.
    full_cost: Cost,
    /// The offset of the first child.
    first_at: usize,
    /// The offset of the first child that is not stored; 0 if all are.
    rest_at: usize,
    /// The size of the children that are not stored.
    rest_bytes: usize,
    /// The highest cost of a string in it.
    longest: u32,
    /// Whether the text written differs from the body.
    is_changed: bool,
}

struct Parser<'b, 'p, 's> {
    lexer: JsonLexer<'b>,
    body: &'b str,
    nodes: Vec<Node>,
    open: Vec<OpenContainer>,
    stored_cost: Cost,
    rules: ParseRules<'p, 's>,
    form: Form,
}

/// The next child of an open container.
enum Next {
    /// A value to store, with the start and end of its key.
    Value(Option<(u32, u32)>, ProjectionState),
    /// A value that was read already, or the end of a container.
    Done,
}

impl Parser<'_, '_, '_> {
    fn run(&mut self) -> Option<()> {
        self.lexer.skip_space();
        let leading_space = std::mem::take(&mut self.lexer.has_space);
        if self.form == Form::Value {
            self.value(None, self.rules.state)?;
        } else {
            self.push_container(None, self.form == Form::Members, self.lexer.at, self.rules.state);
            self.child()?;
        }
        while !self.open.is_empty() {
            self.after_child()?;
        }
        let end_of_values = self.lexer.has_space;
        self.lexer.skip_space();
        let is_whole = self.form != Form::Value || self.rules.stops_early || self.lexer.peek().is_none();
        self.lexer.has_space = end_of_values || (leading_space && self.form == Form::Lines);
        is_whole.then_some(())
    }

    /// Reads the next child, or the end of the container.
    fn after_child(&mut self) -> Option<()> {
        let container = self.open.last()?;
        let (is_object, is_root) = (container.is_object, self.open.len() == 1);
        if is_root && self.form == Form::Lines {
            return self.next_line();
        }
        self.lexer.skip_space();
        match self.lexer.peek()? {
            b',' => {
                self.lexer.at += 1;
                self.lexer.skip_space();
                if is_root && self.stops_here() {
                    return self.close();
                }
                self.child()
            }
            byte if byte == closing_bracket(is_object) => {
                self.lexer.at += 1;
                self.close()
            }
            _ => None,
        }
    }

    /// Reads the next line of the root, or its end.
    fn next_line(&mut self) -> Option<()> {
        let end_of_value = self.lexer.at;
        self.lexer.skip_space();
        if self.lexer.peek().is_none() || self.stops_here() {
            return self.close();
        }
        self.body.get(end_of_value..self.lexer.at)?.contains('\n').then_some(())?;
        self.child()
    }

    /// Whether the rest of the root need not be read.
    fn stops_here(&self) -> bool {
        self.rules.stops_early && self.form != Form::Value && self.open.last().is_some_and(|root| root.rest_at > 0)
    }

    /// Reads one member or element of the container that was opened last.
    fn child(&mut self) -> Option<()> {
        match self.next_child()? {
            Next::Value(key, state) => self.value(key, state),
            Next::Done => Some(()),
        }
    }

    fn next_child(&mut self) -> Option<Next> {
        let at = self.lexer.at;
        let container = self.open.last()?;
        let mut state = container.state;
        let mut key = None;
        if container.is_object {
            let (start, end) = self.lexer.key()?;
            let name = self.body.get(start..end)?;
            let Some(member_state) = self.rules.projection.member(state, name) else {
                self.lexer.skip_value()?;
                self.open.last_mut()?.is_changed = true;
                return Some(Next::Done);
            };
            state = member_state;
            key = Some((u32::try_from(start).ok()?, u32::try_from(end).ok()?));
        }
        if !self.is_full()? {
            return Some(Next::Value(key, state));
        }
        let is_container = matches!(self.lexer.peek()?, b'{' | b'[');
        let is_root_member = key.is_some() && self.open.len() == 1;
        if is_root_member && (!is_container || self.nodes.len() < NODES_MAX / 10) {
            // The scalars of the root are always shown.
            if is_container {
                self.collapsed(key)?;
            } else {
                self.value(key, state)?;
            }
            return Some(Next::Done);
        }
        let value_at = self.lexer.at;
        self.lexer.skip_value()?;
        if self.rules.drop_empty && key.is_some() && is_empty(self.body.get(value_at..self.lexer.at)?) {
            self.open.last_mut()?.is_changed = true;
            return Some(Next::Done);
        }
        let bytes = self.lexer.at - at;
        let container = self.open.last_mut()?;
        container.total += 1;
        container.rest_bytes += bytes;
        container.is_changed = true;
        if container.rest_at == 0 {
            container.rest_at = at;
        }
        Some(Next::Done)
    }

    /// Whether the budget is used up, so that the next child of the container need not be stored.
    fn is_full(&self) -> Option<bool> {
        let container = self.open.last()?;
        let Some(budget) = self.rules.budget else {
            return if self.nodes.len() < NODES_MAX { Some(false) } else { None };
        };
        let factor = if container.is_object { OBJECT_FACTOR } else { 1 };
        let is_over = container.shown_cost > budget.saturating_mul(factor);
        let has_one = container.total > 0;
        Some(container.rest_at > 0 || (has_one && (is_over || self.stored_cost > budget.saturating_mul(TREE_FACTOR))))
    }

    fn value(&mut self, key: Option<(u32, u32)>, state: ProjectionState) -> Option<()> {
        match self.lexer.peek()? {
            b'{' | b'[' if self.open.len() >= DEPTH_MAX => self.collapsed(key),
            byte @ (b'{' | b'[') => {
                let start = self.lexer.at;
                self.lexer.at += 1;
                self.lexer.skip_space();
                self.push_container(key, byte == b'{', start, state);
                if self.lexer.peek()? == closing_bracket(byte == b'{') {
                    self.lexer.at += 1;
                    self.close()
                } else {
                    self.child()
                }
            }
            byte => self.scalar(key, byte),
        }
    }

    fn scalar(&mut self, key: Option<(u32, u32)>, first: u8) -> Option<()> {
        let start = self.lexer.at;
        self.lexer.scalar()?;
        let text = self.body.get(start..self.lexer.at)?;
        if self.rules.drop_empty && key.is_some() && is_empty(text) {
            self.open.last_mut()?.is_changed = true;
            return Some(());
        }
        let is_string = first == b'"';
        let content = if is_string { text.get(1..text.len() - 1)? } else { text };
        let is_blob = is_string && self.rules.blobs != BlobShaping::Keep && blob::detect(content).is_some();
        let (kind, cost) = match (is_string, is_blob) {
            (_, true) => (NodeKind::Blob, BLOB_COST),
            (true, _) => (NodeKind::String, self.cost_of(content, scalar_cost)),
            _ => (NodeKind::Literal, self.cost_of(content, scalar_cost)),
        };
        let own_cost = saturated(cost + self.cost_of_key(key));
        let longest = if kind == NodeKind::String { own_cost } else { 0 };
        self.add_child(&NewChild { key, kind, start, own_cost, longest, total: 0, is_changed: is_blob })
    }

    /// Stores an array or an object without its content.
    fn collapsed(&mut self, key: Option<(u32, u32)>) -> Option<()> {
        let start = self.lexer.at;
        let is_object = self.lexer.peek()? == b'{';
        let total = u32::try_from(self.lexer.skip_value()?).ok()?;
        if self.rules.drop_empty && key.is_some() && total == 0 {
            self.open.last_mut()?.is_changed = true;
            return Some(());
        }
        let own_cost = saturated(COLLAPSED_COST + self.cost_of_key(key));
        let kind = NodeKind::Collapsed { is_object };
        self.add_child(&NewChild { key, kind, start, own_cost, longest: 0, total, is_changed: true })?;
        let (bytes, container) = (self.lexer.at - start, self.nodes.last_mut()?);
        container.rest_cost = rest_cost(0, 0, bytes);
        Some(())
    }

    fn cost_of_key(&self, key: Option<(u32, u32)>) -> Cost {
        let key = key.and_then(|(start, end)| self.body.get(start as usize..end as usize));
        key.map_or(0, |key| self.cost_of(key, key_cost))
    }

    fn cost_of(&self, text: &str, cost: fn(&str) -> Cost) -> Cost {
        if self.rules.measures { cost(text) } else { 0 }
    }

    fn add_child(&mut self, child: &NewChild) -> Option<()> {
        let NewChild { key, kind, start, own_cost, longest, total, is_changed } = *child;
        let index = u32::try_from(self.nodes.len()).ok()?;
        let (start, end) = (u32::try_from(start).ok()?, u32::try_from(self.lexer.at).ok()?);
        let node = Node {
            kind,
            is_changed,
            key,
            start,
            end,
            next: index + 1,
            total,
            rest_at: 0,
            rest_cost: 0,
            own_cost,
            cost: own_cost,
            longest,
        };
        self.nodes.push(node);
        let text = if longest > 0 { TextLimit::STEPS[0].shown_cost(own_cost.into()) } else { own_cost.into() };
        self.stored_cost += text;
        if let Some(parent) = self.open.last_mut() {
            parent.total += 1;
            parent.shown_cost += text;
            parent.full_cost += Cost::from(own_cost);
            parent.longest = parent.longest.max(longest);
            parent.is_changed |= is_changed;
        }
        Some(())
    }

    fn push_container(&mut self, key: Option<(u32, u32)>, is_object: bool, start: usize, state: ProjectionState) {
        let start_u32 = u32::try_from(start).unwrap_or(u32::MAX);
        self.open.push(OpenContainer {
            node: self.nodes.len(),
            is_object,
            state,
            total: 0,
            shown_cost: 0,
            full_cost: 0,
            first_at: self.lexer.at,
            rest_at: 0,
            rest_bytes: 0,
            longest: 0,
            is_changed: false,
        });
        let own_cost = saturated(BRACKETS + self.cost_of_key(key));
        self.nodes.push(Node {
            kind: if is_object { NodeKind::Object } else { NodeKind::Array },
            is_changed: false,
            key,
            start: start_u32,
            end: start_u32,
            next: 0,
            total: 0,
            rest_at: 0,
            rest_cost: 0,
            own_cost,
            cost: own_cost,
            longest: 0,
        });
    }

    fn close(&mut self) -> Option<()> {
        let container = self.open.pop()?;
        let next = u32::try_from(self.nodes.len()).ok()?;
        let end = u32::try_from(self.lexer.at).ok()?;
        let node = &mut self.nodes[container.node];
        if self.rules.drop_empty && node.key.is_some() && container.total == 0 {
            self.nodes.truncate(container.node);
            self.open.last_mut()?.is_changed = true;
            return Some(());
        }
        node.next = next;
        node.end = end;
        node.total = container.total;
        node.longest = container.longest;
        node.is_changed = container.is_changed;
        if container.rest_at > 0 {
            node.rest_at = u32::try_from(container.rest_at).ok()?;
            let stored_bytes = container.rest_at - container.first_at;
            node.rest_cost = rest_cost(container.full_cost, stored_bytes, container.rest_bytes);
        }
        let (own, rest) = (Cost::from(node.own_cost), Cost::from(node.rest_cost));
        if let Some(parent) = self.open.last_mut() {
            parent.total += 1;
            parent.shown_cost += container.shown_cost + own;
            parent.full_cost += container.full_cost + own + rest;
            parent.longest = parent.longest.max(container.longest);
            parent.is_changed |= container.is_changed;
        }
        Some(())
    }
}

/// A child of the open container that was read up to the position of the lexer.
struct NewChild {
    key: Option<(u32, u32)>,
    kind: NodeKind,
    start: usize,
    own_cost: u32,
    longest: u32,
    total: u32,
    is_changed: bool,
}

/// Whether a value is empty.
fn is_empty(text: &str) -> bool {
    matches!(text, "null" | "\"\"" | "[]" | "{}")
}
