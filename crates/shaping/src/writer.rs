//! Writes a tree within a budget: long strings are shortened, arrays are cut after their first elements, and deeply
//! nested values are collapsed. The result is valid JSON; it never ends inside of a value.

use std::fmt::Write as _;

use toolgate_domain::shaping::BlobShaping;

use crate::blob::{self, Blob};
use crate::cost::{Cost, TOKEN};
use crate::gap::{Gap, GapKind, ValuePath, ValueStep};
use crate::long_text::{characters, head_bytes};
use crate::projection::unescaped;
use crate::share::shares;
use crate::table::{self, TableColumns};
use crate::tree::{Node, NodeKind, TextLimit, Tree};

/// Depth from which containers need [`SUBTREE_MIN`] instead of [`CONTAINER_MIN`].
const SUBTREE_DEPTH: usize = 6;
/// Minimum budget of a container; with less it is collapsed.
const CONTAINER_MIN: Cost = 12 * TOKEN;
/// Minimum budget of a deeply nested container.
const SUBTREE_MIN: Cost = 64 * TOKEN;
/// An element that does not fit is shown in part if at least 1 / `PARTIAL_DIVISOR` of the budget remains.
const PARTIAL_DIVISOR: Cost = 2;

/// The rules for writing values.
#[derive(Clone, Copy)]
pub(crate) struct WriteRules<'r> {
    /// Whether white space between values is removed.
    pub(crate) wrap: bool,
    pub(crate) blobs: BlobShaping,
    /// The reference of the whole response, if it is stored.
    pub(crate) reference: Option<&'r str>,
    pub(crate) text_limit: TextLimit,
    /// Whether only arrays are cut: strings and objects stay whole.
    pub(crate) arrays_only: bool,
    /// Whether arrays of similar objects are written as tables.
    pub(crate) tables: bool,
}

/// The written text, with its gaps and blobs.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) blobs: Vec<Blob>,
}

/// The position of the root of a tree in its body.
pub(crate) struct RootPosition {
    pub(crate) path: ValuePath,
    /// The index of the first element, if the root starts in the middle of an array.
    pub(crate) first_element: usize,
    /// The number of elements of the array or of members of the object, if the root starts in the middle.
    pub(crate) total: Option<usize>,
    /// Whether the root is a list of lines.
    pub(crate) has_lines: bool,
    /// Whether the scalars of the root were written before.
    pub(crate) containers_only: bool,
}

impl RootPosition {
    pub(crate) fn whole(has_lines: bool) -> Self {
        Self { path: ValuePath::default(), first_element: 0, total: None, has_lines, containers_only: false }
    }
}

/// Writes `tree` at a cost of about `budget`.
pub(crate) fn write(tree: &Tree<'_>, root: RootPosition, rules: WriteRules<'_>, budget: Cost) -> Written {
    let mut writer = Writer { tree, rules, path: root.path.0.clone(), root, written: Written::default() };
    if !tree.nodes.is_empty() {
        writer.value(0, budget, 0);
    }
    writer.written
}

struct Writer<'w, 'b> {
    tree: &'w Tree<'b>,
    rules: WriteRules<'w>,
    root: RootPosition,
    path: Vec<ValueStep>,
    written: Written,
}

impl<'w> Writer<'w, '_> {
    fn out(&mut self) -> &mut String {
        &mut self.written.text
    }

    fn node(&self, index: usize) -> &'w Node {
        &self.tree.nodes[index]
    }

    /// Writes a value without its key.
    fn value(&mut self, index: usize, budget: Cost, depth: usize) {
        let node = self.node(index);
        match node.kind {
            NodeKind::Literal => {
                let raw = self.tree.raw(node);
                self.out().push_str(raw);
            }
            NodeKind::String => self.string(node),
            NodeKind::Blob => self.blob(node),
            NodeKind::Collapsed { .. } => self.collapsed(node),
            NodeKind::Array | NodeKind::Object => self.container(index, budget, depth),
        }
    }

    fn container(&mut self, index: usize, budget: Cost, depth: usize) {
        let node = self.node(index);
        let fits = Cost::from(node.cost) <= budget && node.rest_at == 0;
        // Without a budget for the response no costs are measured, so all shares are 0 and everything fits.
        let budget = if fits { Cost::MAX } else { budget };
        if let Some(columns) = self.columns(index, depth) {
            return self.table(index, &columns, budget, depth);
        }
        if fits && self.can_be_copied(node, depth) {
            let raw = self.tree.raw(node);
            return self.out().push_str(raw);
        }
        let budget_min = if depth < SUBTREE_DEPTH { CONTAINER_MIN } else { SUBTREE_MIN };
        if depth > 0 && budget < budget_min && !self.rules.arrays_only {
            return self.collapsed(node);
        }
        if node.kind == NodeKind::Array {
            self.array(index, budget, depth);
        } else {
            self.object(index, budget, depth);
        }
    }

    /// Whether the text of a value can be copied from the body.
    fn can_be_copied(&self, node: &Node, depth: usize) -> bool {
        let is_partial = depth == 0 && (self.root.total.is_some() || self.root.has_lines);
        (self.tree.is_compact || !self.rules.wrap)
            && !node.is_changed
            && !is_partial
            && !self.rules.tables
            && Cost::from(node.longest) <= self.rules.text_limit.longest
    }

    fn array(&mut self, index: usize, budget: Cost, depth: usize) {
        let has_lines = depth == 0 && self.root.has_lines;
        if !has_lines {
            self.out().push('[');
        }
        let separator = if has_lines { '\n' } else { ',' };
        let first = if depth == 0 { self.root.first_element } else { 0 };
        let node = self.node(index);
        let (mut left, mut shown) = (budget.saturating_sub(node.own_cost.into()), 0);
        let mut rest_at = node.rest_at as usize;
        for child in self.tree.children(index) {
            let cost = Cost::from(self.node(child).cost);
            let fits = cost <= left && self.node(child).rest_at == 0;
            // The budget that remains after complete elements may be used for a part of a large one.
            let is_partial = self.node(child).kind.is_container() && left >= budget / PARTIAL_DIVISOR;
            if shown > 0 && !fits && (!is_partial || self.rules.arrays_only) {
                rest_at = self.node(child).offset();
                break;
            }
            if shown > 0 {
                self.out().push(separator);
            }
            self.path.push(ValueStep::Element(first + shown));
            self.value(child, left, depth + 1);
            self.path.pop();
            shown += 1;
            left = if fits { left - cost } else { 0 };
        }
        if !has_lines {
            self.out().push(']');
        }
        self.elements_gap(node, depth, shown, rest_at);
    }

    /// Records the elements after those that were shown.
    fn elements_gap(&mut self, node: &Node, depth: usize, shown: usize, rest_at: usize) {
        let (first, total) = self.extent(node, depth);
        if first + shown < total {
            self.gap(rest_at, GapKind::Elements { from: first + shown, total });
        }
    }

    /// The index of the first element, and the number of all elements of the array.
    fn extent(&self, node: &Node, depth: usize) -> (usize, usize) {
        let whole = (0, node.total as usize);
        if depth > 0 { whole } else { (self.root.first_element, self.root.total.unwrap_or(whole.1)) }
    }

    fn gap(&mut self, at: usize, kind: GapKind) {
        self.written.gaps.push(Gap { path: ValuePath(self.path.clone()), at, kind });
    }

    fn object(&mut self, index: usize, budget: Cost, depth: usize) {
        let tree = self.tree;
        let is_root = depth == 0;
        let containers_only = is_root && self.root.containers_only;
        let is_shown = |child: &usize| !containers_only || tree.nodes[*child].kind.is_container();
        let children: Vec<usize> = tree.children(index).filter(is_shown).collect();
        let scalars = children.iter().filter(|child| !tree.nodes[**child].kind.is_container());
        let fixed: Cost = scalars.map(|child| Cost::from(tree.nodes[*child].cost)).sum();
        let available = budget.saturating_sub(fixed + Cost::from(self.node(index).own_cost));
        // The scalars of the root are always shown.
        let has_all_scalars = (is_root && self.root.total.is_none()) || fixed <= budget || self.rules.arrays_only;
        self.out().push('{');
        if has_all_scalars {
            self.members_with_all_scalars(index, &children, available, depth);
        } else {
            self.first_members(index, &children, budget, depth);
        }
        self.out().push('}');
    }

    /// Writes all scalars, and as many of the arrays and objects as have a share of the budget.
    fn members_with_all_scalars(&mut self, index: usize, children: &[usize], available: Cost, depth: usize) {
        let nodes = &self.tree.nodes;
        let containers: Vec<usize> =
            children.iter().copied().filter(|&child| nodes[child].kind.is_container()).collect();
        let shown_max = if self.rules.arrays_only { usize::MAX } else { at_least_one(available / CONTAINER_MIN) };
        let shown_containers = containers.get(..shown_max).unwrap_or(&containers);
        let costs: Vec<Cost> = shown_containers.iter().map(|&child| nodes[child].cost.into()).collect();
        let mut budgets = shares(&costs, available).into_iter();
        let mut is_first = true;
        for &child in children {
            let is_container = nodes[child].kind.is_container();
            let budget = if is_container { budgets.next() } else { Some(0) };
            if let Some(budget) = budget {
                self.member(child, budget, depth, &mut is_first);
            }
        }
        let first_hidden = containers.get(shown_containers.len()).copied();
        let hidden = containers.len() - shown_containers.len();
        self.members_gap(index, depth, first_hidden, hidden, true);
    }

    /// Writes the first members up to the budget.
    fn first_members(&mut self, index: usize, children: &[usize], budget: Cost, depth: usize) {
        let mut left = budget;
        let mut is_first = true;
        for (position, &child) in children.iter().enumerate() {
            let cost = Cost::from(self.node(child).cost);
            if !is_first && cost > left {
                return self.members_gap(index, depth, Some(child), children.len() - position, false);
            }
            self.member(child, left, depth, &mut is_first);
            left = left.saturating_sub(cost);
        }
        self.members_gap(index, depth, None, 0, false);
    }

    fn member(&mut self, child: usize, budget: Cost, depth: usize, is_first: &mut bool) {
        let node = self.node(child);
        let key = self.tree.key(node).unwrap_or_default();
        if !std::mem::take(is_first) {
            self.out().push(',');
        }
        let out = self.out();
        out.push('"');
        out.push_str(key);
        out.push_str("\":");
        self.path.push(ValueStep::Member(unescaped(key).into_owned()));
        self.value(child, budget, depth + 1);
        self.path.pop();
    }

    /// Records the members from `hidden` on, and those that are not stored.
    fn members_gap(&mut self, index: usize, depth: usize, hidden: Option<usize>, count: usize, containers_only: bool) {
        let node = self.node(index);
        let stored = self.tree.children(index).count();
        let not_stored = (node.total as usize).saturating_sub(stored);
        let left = count + not_stored;
        let at = hidden.map_or(node.rest_at as usize, |child| self.node(child).offset());
        if left > 0 && at > 0 {
            let total = if depth == 0 { self.root.total } else { None }.unwrap_or(node.total as usize);
            // Members that are not stored come after the hidden ones. At the root they are only arrays and objects.
            let containers_only =
                containers_only && (hidden.is_some() || depth == 0) && (not_stored == 0 || depth == 0);
            self.gap(at, GapKind::Members { left, total, containers_only });
        }
    }

    fn collapsed(&mut self, node: &Node) {
        let is_object = matches!(node.kind, NodeKind::Object | NodeKind::Collapsed { is_object: true });
        let (open, close) = if is_object { ('{', '}') } else { ('[', ']') };
        let unit = match (is_object, node.total) {
            (true, 1) => "member",
            (true, _) => "members",
            (false, 1) => "item",
            (false, _) => "items",
        };
        let total = node.total;
        // Writing to a string cannot fail.
        let _ = write!(self.out(), "\"{open}… {total} {unit}{close}\"");
        self.gap(node.start as usize, GapKind::Subtree);
    }

    fn string(&mut self, node: &Node) {
        let limit = self.rules.text_limit;
        if Cost::from(node.own_cost) <= limit.longest {
            let raw = self.tree.raw(node);
            return self.out().push_str(raw);
        }
        let content = self.tree.content(node);
        let end = head_bytes(content, limit.head);
        let (head, rest) = content.split_at_checked(end).unwrap_or((content, ""));
        let hidden = characters(rest);
        let _ = write!(self.out(), "\"{head}… (+{hidden} characters)\"");
        self.gap(node.start as usize + 1 + end, GapKind::LongText);
    }

    fn blob(&mut self, node: &Node) {
        let Some(found) = blob::detect(self.tree.content(node)) else {
            let raw = self.tree.raw(node);
            return self.out().push_str(raw);
        };
        let at = node.start as usize;
        let description = blob::describe(&found.media_type, found.bytes);
        let is_link = self.rules.blobs == BlobShaping::Link;
        let reference = self.rules.reference.filter(|_| is_link).map(|reference| format!("{reference}.{at}"));
        let _ = match &reference {
            Some(reference) => write!(self.out(), "\"[{description}: {reference}]\""),
            None => write!(self.out(), "\"[{description}]\""),
        };
        self.written.blobs.push(Blob { at, media_type: found.media_type, bytes: found.bytes, reference });
    }

    fn columns(&self, index: usize, depth: usize) -> Option<TableColumns> {
        let is_partial = depth == 0 && self.root.total.is_some();
        let is_array = self.node(index).kind == NodeKind::Array;
        (self.rules.tables && is_array).then(|| table::columns(self.tree, index, is_partial)).flatten()
    }

    /// Writes an array of objects as CSV if it is the root of the body, otherwise as a JSON object with columns and
    /// rows.
    fn table(&mut self, index: usize, columns: &TableColumns, budget: Cost, depth: usize) {
        let node = self.node(index);
        let is_csv = depth == 0 && self.root.path.0.is_empty();
        columns.write_header(is_csv, self.out());
        let (first, _) = self.extent(node, depth);
        let (mut left, mut shown) = (budget.saturating_sub(columns.header_cost()), 0);
        let mut rest_at = node.rest_at as usize;
        for child in self.tree.children(index) {
            let row = columns.row(self.tree, child, self.rules.text_limit, is_csv);
            if shown > 0 && row.cost > left {
                rest_at = self.node(child).offset();
                break;
            }
            if !is_csv && shown > 0 {
                self.out().push(',');
            }
            self.out().push_str(&row.text);
            self.path.push(ValueStep::Element(first + shown));
            for (steps, at) in row.long_texts {
                let depth_of_row = self.path.len();
                self.path.extend(steps);
                self.gap(at, GapKind::LongText);
                self.path.truncate(depth_of_row);
            }
            self.path.pop();
            shown += 1;
            left = left.saturating_sub(row.cost);
        }
        TableColumns::write_end(is_csv, self.out());
        self.elements_gap(node, depth, shown, rest_at);
    }
}

fn at_least_one(count: Cost) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX).max(1)
}
