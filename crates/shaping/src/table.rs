//! Writes arrays of similar objects as tables: CSV at the root, `{"columns":…,"rows":…}` inside other values.

use std::collections::HashMap;

use crate::cost::{Cost, PUNCTUATION, text_cost};
use crate::csv::write_cell;
use crate::gap::ValueStep;
use crate::long_text::head_bytes;
use crate::projection::unescaped;
use crate::tree::{Node, NodeKind, TextLimit, Tree};

/// Minimum number of rows of a table; for fewer, the header would cost more than it saves.
const ROWS_MIN: usize = 5;
/// Minimum share of cells that have a value, in percent.
const FILLED_PERCENT_MIN: usize = 80;
/// Maximum number of columns of a table.
const COLUMNS_MAX: usize = 200;

/// The columns of a table: the paths of all scalars, joined by dots.
pub(crate) struct TableColumns {
    names: Vec<String>,
    positions: HashMap<String, usize>,
}

/// The columns of an array, if it can be a table. The rest of an array (`is_partial`) may have any number of rows.
pub(crate) fn columns(tree: &Tree<'_>, array: usize, is_partial: bool) -> Option<TableColumns> {
    let mut columns = TableColumns { names: Vec::new(), positions: HashMap::new() };
    let (mut rows, mut cells, mut scalars) = (0, 0, 0);
    for row in tree.children(array) {
        if tree.nodes[row].kind != NodeKind::Object || tree.nodes[row].rest_at > 0 {
            return None;
        }
        let mut seen = Vec::new();
        for leaf in leaves(tree, row)? {
            let name = leaf.name();
            let position = columns.add(name)?;
            if seen.contains(&position) {
                return None;
            }
            seen.push(position);
            cells += 1;
            scalars += usize::from(!tree.nodes[leaf.node].kind.is_container());
        }
        rows += 1;
    }
    let is_filled = scalars * 100 >= rows * columns.names.len() * FILLED_PERCENT_MIN && cells > 0;
    (is_filled && (rows >= ROWS_MIN || (is_partial && rows > 0))).then_some(columns)
}

/// A value in a cell, with the keys that lead to it.
struct Leaf<'b> {
    node: usize,
    keys: Vec<&'b str>,
}

impl Leaf<'_> {
    fn name(&self) -> String {
        let names: Vec<_> = self.keys.iter().map(|key| unescaped(key)).collect();
        names.join(".")
    }
}

/// The scalars of an object and of the objects in it, and its arrays of scalars; `None` if it holds anything else.
fn leaves<'b>(tree: &Tree<'b>, row: usize) -> Option<Vec<Leaf<'b>>> {
    let mut found = Vec::new();
    let mut keys: Vec<(usize, &'b str)> = Vec::new();
    let end = tree.nodes[row].next as usize;
    let mut index = row + 1;
    while index < end {
        let node = &tree.nodes[index];
        keys.retain(|(inside, _)| index < *inside);
        let path = |key| keys.iter().map(|(_, key)| *key).chain([key]).collect();
        let key = tree.key(node)?;
        match node.kind {
            NodeKind::Object if node.total > 0 => {
                keys.push((node.next as usize, key));
                index += 1;
                continue;
            }
            NodeKind::Array if node.rest_at > 0 || has_containers(tree, index) => return None,
            NodeKind::Collapsed { .. } | NodeKind::Blob => return None,
            _ => found.push(Leaf { node: index, keys: path(key) }),
        }
        index = node.next as usize;
    }
    Some(found)
}

fn has_containers(tree: &Tree<'_>, array: usize) -> bool {
    tree.children(array).any(|child| tree.nodes[child].kind.is_container() || tree.nodes[child].kind == NodeKind::Blob)
}

impl TableColumns {
    /// The position of a column, which is added if it is new.
    fn add(&mut self, name: String) -> Option<usize> {
        if let Some(position) = self.positions.get(&name) {
            return Some(*position);
        }
        let position = self.names.len();
        self.names.push(name.clone());
        self.positions.insert(name, position);
        (position < COLUMNS_MAX).then_some(position)
    }

    pub(crate) fn header_cost(&self) -> Cost {
        self.names.iter().map(|name| text_cost(name) + PUNCTUATION).sum()
    }

    /// Writes the text before the rows.
    pub(crate) fn write_header(&self, is_csv: bool, out: &mut String) {
        if is_csv {
            write_row(self.names.iter().map(|name| Some(name.as_str())), out);
        } else {
            out.push_str("{\"columns\":");
            out.push_str(&serde_json::Value::from(self.names.clone()).to_string());
            out.push_str(",\"rows\":[");
        }
    }

    /// Writes the text after the rows.
    pub(crate) fn write_end(is_csv: bool, out: &mut String) {
        if !is_csv {
            out.push_str("]}");
        }
    }

    /// The cells of one object.
    pub(crate) fn row(&self, tree: &Tree<'_>, row: usize, limit: TextLimit, is_csv: bool) -> TableRow {
        let mut cells: Vec<Option<String>> = vec![None; self.names.len()];
        let mut long_texts = Vec::new();
        for leaf in leaves(tree, row).into_iter().flatten() {
            let node = &tree.nodes[leaf.node];
            let (text, cut_at) = cell(tree, node, limit, is_csv);
            if let Some(at) = cut_at {
                let steps = leaf.keys.iter().map(|key| ValueStep::Member(unescaped(key).into_owned())).collect();
                long_texts.push((steps, at));
            }
            if let Some(slot) = self.positions.get(&leaf.name()).and_then(|position| cells.get_mut(*position)) {
                *slot = Some(text);
            }
        }
        let mut text = String::new();
        if is_csv {
            write_row(cells.iter().map(Option::as_deref), &mut text);
        } else {
            let cells: Vec<&str> = cells.iter().map(|cell| cell.as_deref().unwrap_or("null")).collect();
            text = format!("[{}]", cells.join(","));
        }
        TableRow { cost: text_cost(&text), text, long_texts }
    }
}

/// A row of a table.
pub(crate) struct TableRow {
    pub(crate) text: String,
    pub(crate) cost: Cost,
    /// The shortened strings: their paths within the row, and the offsets of the rest in the body.
    pub(crate) long_texts: Vec<(Vec<ValueStep>, usize)>,
}

/// The text of a cell, and the offset of the rest in the body if the text is shortened.
fn cell(tree: &Tree<'_>, node: &Node, limit: TextLimit, is_csv: bool) -> (String, Option<usize>) {
    if node.kind != NodeKind::String {
        let raw = tree.raw(node);
        return (if is_csv && raw == "null" { String::new() } else { raw.to_owned() }, None);
    }
    let content = tree.content(node);
    let is_long = Cost::from(node.own_cost) > limit.longest;
    let end = if is_long { head_bytes(content, limit.head) } else { content.len() };
    let (head, rest) = content.split_at_checked(end).unwrap_or((content, ""));
    let mark = if rest.is_empty() { "" } else { "…" };
    let text = if is_csv { format!("{}{mark}", unescaped(head)) } else { format!("\"{head}{mark}\"") };
    (text, (!rest.is_empty()).then_some(node.start as usize + 1 + end))
}

fn write_row<'c>(cells: impl Iterator<Item = Option<&'c str>>, out: &mut String) {
    for (position, text) in cells.enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_cell(text.unwrap_or_default(), out);
    }
    out.push('\n');
}
