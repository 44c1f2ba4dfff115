//! Counts the members of responses by their paths. Arrays do not add a step to a path, as in the paths of `fields` and
//! `omit`.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::blob;
use crate::cost::Cost;
use crate::projection::unescaped;
use crate::tree::{Node, NodeKind, Tree};

use super::host::url_host;

/// Maximum number of paths; members at further ones are not counted.
pub(super) const PATHS_MAX: usize = 2000;
/// Maximum number of distinct values that are counted at a path.
pub(super) const DISTINCT_MAX: usize = 100;
/// Maximum size of arrays and objects that are compared, in bytes; longer ones are all different.
const COMPARED_BYTES_MAX: usize = 4096;
/// Maximum length of a name, in bytes; a longer one does not fit into a rule and is not counted.
const NAME_BYTES_MAX: usize = 800;

/// The index of a path. The root is the first one, and each path follows its parent.
pub(super) type PathId = usize;
/// The path of the root.
pub(super) const ROOT: PathId = 0;

/// A range in one of the texts.
#[derive(Clone, Copy)]
pub(super) struct TextRange {
    pub(super) response: usize,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A path with statistics of its values.
#[derive(Default)]
pub(super) struct PathEntry {
    pub(super) name: String,
    pub(super) parent: PathId,
    pub(super) children: HashMap<String, PathId>,
    /// Number of responses that have it.
    pub(super) responses: usize,
    /// The last response that was counted in `responses`.
    last_response: Option<usize>,
    /// The last response in which the path was added to `content` of the tree.
    last_content: Option<usize>,
    pub(super) values: usize,
    /// Number of values that are null, `""`, `[]` or `{}`.
    pub(super) empty: usize,
    /// Number of scalars that are not empty, including elements of arrays.
    pub(super) leaves: usize,
    pub(super) urls: usize,
    /// Number of URLs with the host of the API.
    pub(super) api_urls: usize,
    pub(super) blobs: usize,
    /// Whether an array of objects was seen at the path.
    pub(super) is_list: bool,
    /// The cost of all values, with their keys.
    pub(super) cost: Cost,
    /// For each value hash: the number of occurrences and the first of them.
    distinct: HashMap<u64, (usize, TextRange)>,
}

impl PathEntry {
    /// The number of different values, up to [`DISTINCT_MAX`].
    pub(super) fn distinct(&self) -> usize {
        self.distinct.len()
    }

    /// The most frequent value and how often it occurs.
    pub(super) fn most_frequent(&self) -> Option<(usize, TextRange)> {
        self.distinct.values().copied().max_by_key(|(count, _)| *count)
    }

    fn count(&mut self, hash: u64, range: TextRange) {
        if let Some((count, _)) = self.distinct.get_mut(&hash) {
            *count += 1;
        } else if self.distinct.len() < DISTINCT_MAX {
            self.distinct.insert(hash, (1, range));
        }
    }
}

/// The paths of several responses.
pub(super) struct PathTree {
    pub(super) entries: Vec<PathEntry>,
    /// For each response, the paths that have a scalar that is not empty.
    pub(super) content: Vec<Vec<PathId>>,
    /// Whether all members were counted.
    pub(super) is_complete: bool,
    api_host: Option<String>,
}

impl PathTree {
    pub(super) fn new(api_host: Option<String>) -> Self {
        Self { entries: vec![PathEntry::default()], content: Vec::new(), is_complete: true, api_host }
    }

    /// Counts the members of a response. Its costs must have been measured.
    pub(super) fn add(&mut self, tree: &Tree<'_>) {
        self.content.push(Vec::new());
        // The containers around a node: the index of the node after each, and its path.
        let mut open: Vec<(usize, PathId)> = Vec::new();
        let mut index = 0;
        while let Some(node) = tree.nodes.get(index) {
            while open.last().is_some_and(|(end, _)| *end <= index) {
                open.pop();
            }
            let parent = open.last().map_or(ROOT, |(_, path)| *path);
            let path = match tree.key(node) {
                None => Some(parent),
                Some(key) => self.member(parent, &unescaped(key)),
            };
            let Some(path) = path else {
                self.is_complete = false;
                index = node.next as usize;
                continue;
            };
            if node.key.is_some() {
                self.count(path, tree, node);
            }
            self.entries[path].is_list |= node.key.is_none() && node.kind == NodeKind::Object;
            if !matches!(node.kind, NodeKind::Array | NodeKind::Object) && !is_empty(tree, node) {
                self.record_content(path);
            }
            self.is_complete &= !matches!(node.kind, NodeKind::Collapsed { .. });
            open.push((node.next as usize, path));
            index += 1;
        }
    }

    /// The path of a member; `None` if there are too many.
    fn member(&mut self, parent: PathId, name: &str) -> Option<PathId> {
        if let Some(path) = self.entries[parent].children.get(name) {
            return Some(*path);
        }
        if self.entries.len() > PATHS_MAX || name.len() > NAME_BYTES_MAX {
            return None;
        }
        let path = self.entries.len();
        self.entries.push(PathEntry { name: name.to_owned(), parent, ..PathEntry::default() });
        self.entries[parent].children.insert(name.to_owned(), path);
        Some(path)
    }

    fn count(&mut self, path: PathId, tree: &Tree<'_>, node: &Node) {
        let response = self.content.len() - 1;
        let range = TextRange { response, start: node.start, end: node.end };
        let hash = value_hash(tree, node, range);
        let (is_url, is_api_url) = self.url_kind(tree, node);
        let entry = &mut self.entries[path];
        if entry.last_response != Some(response) {
            entry.last_response = Some(response);
            entry.responses += 1;
        }
        entry.values += 1;
        entry.empty += usize::from(is_empty(tree, node));
        entry.urls += usize::from(is_url);
        entry.api_urls += usize::from(is_api_url);
        entry.blobs += usize::from(node.kind == NodeKind::String && blob::detect(tree.content(node)).is_some());
        entry.cost += Cost::from(node.cost);
        entry.count(hash, range);
    }

    fn record_content(&mut self, path: PathId) {
        let response = self.content.len() - 1;
        self.entries[path].leaves += 1;
        let last = self.entries[path].last_content.replace(response);
        if last != Some(response) {
            self.content[response].push(path);
        }
    }

    /// Whether a value is a URL, and whether its host is that of the API.
    fn url_kind(&self, tree: &Tree<'_>, node: &Node) -> (bool, bool) {
        if node.kind != NodeKind::String {
            return (false, false);
        }
        let text = tree.content(node);
        let head = text.get(..text.floor_char_boundary(300)).unwrap_or_default();
        let host = url_host(head);
        let is_api = host.as_deref().is_some_and(|host| self.api_host.as_deref() == Some(host));
        (host.is_some(), is_api)
    }

    /// The paths from the root to a path, without the root.
    pub(super) fn lineage(&self, path: PathId) -> Vec<PathId> {
        let up = std::iter::successors(Some(path), |path| Some(self.entries[*path].parent));
        let mut lineage: Vec<PathId> = up.take_while(|path| *path != ROOT).collect();
        lineage.reverse();
        lineage
    }
}

fn is_empty(tree: &Tree<'_>, node: &Node) -> bool {
    match node.kind {
        NodeKind::Literal | NodeKind::String => matches!(tree.raw(node), "null" | "\"\""),
        NodeKind::Blob => false,
        NodeKind::Array | NodeKind::Object | NodeKind::Collapsed { .. } => node.total == 0,
    }
}

/// A hash that is equal for equal texts, except for long arrays and objects, which are all different.
fn value_hash(tree: &Tree<'_>, node: &Node, range: TextRange) -> u64 {
    let mut hasher = DefaultHasher::new();
    let text = tree.raw(node);
    if node.kind.is_container() && text.len() > COMPARED_BYTES_MAX {
        (range.response, range.start).hash(&mut hasher);
    } else {
        text.hash(&mut hasher);
    }
    hasher.finish()
}
