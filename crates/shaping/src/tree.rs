//! A JSON document as a flat list of nodes that refer to the text of the body. Numbers and strings stay as they are in
//! the body, members stay in their order, and duplicate keys are preserved.

use crate::cost::{BRACKET, Cost, PUNCTUATION, TOKEN, scale, text_cost};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A number, `true`, `false` or `null`.
    Literal,
    String,
    /// A string of binary content.
    Blob,
    Array,
    Object,
    /// An array or an object whose content is not in the tree.
    Collapsed {
        is_object: bool,
    },
}

impl NodeKind {
    pub(crate) fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object | Self::Collapsed { .. })
    }
}

/// A value. In the list it is followed by its children, then by its next sibling.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// Whether a part of it was dropped, replaced or not stored, so that it cannot be copied from the body.
    pub(crate) is_changed: bool,
    /// Start and end of the key, without quotes; `None` for elements.
    pub(crate) key: Option<(u32, u32)>,
    /// The offset of the value in the body, with quotes and brackets.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index after the last node inside.
    pub(crate) next: u32,
    /// The number of elements or members, including those that are not stored.
    pub(crate) total: u32,
    /// The offset of the first child that is not stored; 0 if all are stored.
    pub(crate) rest_at: u32,
    /// The cost of the children that are not stored.
    pub(crate) rest_cost: u32,
    /// The cost of the key, the punctuation, and the text of a scalar.
    pub(crate) own_cost: u32,
    /// The cost including the children, with strings shortened by the limit of the last [`Tree::measure`].
    pub(crate) cost: u32,
    /// The cost of the longest string inside.
    pub(crate) longest: u32,
}

impl Node {
    /// The offset of the member or element in the body.
    pub(crate) fn offset(&self) -> usize {
        self.key.map_or(self.start, |(start, _)| start.saturating_sub(1)) as usize
    }
}

/// The limit for strings in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextLimit {
    /// Maximum cost of a string that is shown completely.
    pub(crate) longest: Cost,
    /// The cost of the shown part of a longer string.
    pub(crate) head: Cost,
}

impl TextLimit {
    /// No string is shortened.
    pub(crate) const NONE: Self = Self { longest: Cost::MAX, head: Cost::MAX };
    /// The limits that are tried in order, from long texts to small budgets.
    pub(crate) const STEPS: [Self; 3] = [Self::new(400, 300), Self::new(100, 70), Self::new(30, 20)];

    const fn new(longest: Cost, head: Cost) -> Self {
        Self { longest: longest * TOKEN, head: head * TOKEN }
    }

    /// The cost of the shown part of a string with this cost.
    pub(crate) fn shown_cost(self, cost: Cost) -> Cost {
        // The note with the number of remaining characters takes six tokens.
        if cost > self.longest { self.head + 6 * TOKEN } else { cost }
    }
}

/// The nodes of a document, the root first.
pub(crate) struct Tree<'b> {
    pub(crate) body: &'b str,
    pub(crate) nodes: Vec<Node>,
    /// Whether there is no white space between values.
    pub(crate) is_compact: bool,
}

impl<'b> Tree<'b> {
    pub(crate) fn text(&self, start: u32, end: u32) -> &'b str {
        self.body.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The raw text of a node.
    pub(crate) fn raw(&self, node: &Node) -> &'b str {
        self.text(node.start, node.end)
    }

    /// The text of a string between its quotes.
    pub(crate) fn content(&self, node: &Node) -> &'b str {
        self.text(node.start + 1, node.end.saturating_sub(1))
    }

    /// The key of a member between its quotes.
    pub(crate) fn key(&self, node: &Node) -> Option<&'b str> {
        node.key.map(|(start, end)| self.text(start, end))
    }

    /// The indexes of the stored children.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[parent].next as usize;
        let first = Some(parent + 1).filter(|first| *first < end);
        std::iter::successors(first, move |child| Some(self.nodes[*child].next as usize).filter(|next| *next < end))
    }

    /// Sums up the costs from the leaves to the root, with strings shortened by `limit`; returns the cost of the root.
    pub(crate) fn measure(&mut self, limit: TextLimit) -> Cost {
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let cost = match node.kind {
                NodeKind::String => limit.shown_cost(node.own_cost.into()),
                NodeKind::Literal | NodeKind::Blob => node.own_cost.into(),
                _ => {
                    let children: Cost = self.children(index).map(|child| Cost::from(self.nodes[child].cost)).sum();
                    children + Cost::from(node.own_cost) + Cost::from(node.rest_cost)
                }
            };
            self.nodes[index].cost = saturated(cost);
        }
        self.nodes.first().map_or(0, |root| root.cost.into())
    }
}

pub(crate) fn saturated(cost: Cost) -> u32 {
    u32::try_from(cost).unwrap_or(u32::MAX)
}

/// The cost of a key with the punctuation after it.
pub(crate) fn key_cost(key: &str) -> Cost {
    text_cost(key) + PUNCTUATION
}

/// The cost of a string or another scalar with the punctuation after it.
pub(crate) fn scalar_cost(text: &str) -> Cost {
    text_cost(text) + PUNCTUATION
}

/// The cost of the brackets of a container.
pub(crate) const BRACKETS: Cost = 2 * BRACKET;

/// Estimates the cost of children that are not stored from the cost of those that are.
pub(crate) fn rest_cost(stored_cost: Cost, stored_bytes: usize, rest_bytes: usize) -> u32 {
    // Without stored children, a token for four bytes is assumed.
    let cost =
        if stored_bytes == 0 { rest_bytes as Cost * TOKEN / 4 } else { scale(stored_cost, rest_bytes, stored_bytes) };
    saturated(cost)
}
