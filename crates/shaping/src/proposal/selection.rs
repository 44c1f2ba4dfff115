//! Which members a proposal leaves out, and why.

use toolgate_domain::closed_set;

use super::path_tree::{PathEntry, PathId, PathTree, ROOT};
use crate::cost::Cost;
use crate::paging::is_paging_name;

closed_set! {
    /// Why a member is proposed to be left out.
    pub enum OmitReason {
        /// It is almost always empty.
        Empty = "empty",
        /// It almost always has the same value.
        Constant = "constant",
        /// It is a URL: one of the API, or a member `*_url`.
        Url = "url",
        /// It is an id or a version that a model does not need, as `node_id` next to `id`.
        DuplicateId = "duplicate_id",
        /// It is binary content.
        Blob = "blob",
        /// All of its members are left out.
        Members = "members",
    }
}

/// The share of values that must agree, in percent.
const SHARE_MIN: usize = 95;
/// Fewer responses do not show that a member is always empty or always the same.
const RESPONSES_MIN: usize = 3;
/// Nor do fewer values.
const EMPTY_VALUES_MIN: usize = 5;
const CONSTANT_VALUES_MIN: usize = 10;
/// The share of blobs among values that are not empty, in percent.
const BLOB_SHARE_MIN: usize = 50;

/// The reason for each path, by its id.
pub(super) struct Selection {
    pub(super) reasons: Vec<Option<OmitReason>>,
}

impl Selection {
    /// Selects what may be left out. In each response something remains, and so it does in each list or object that most
    /// of the responses consists of.
    pub(super) fn new(tree: &PathTree, takes_blobs: bool) -> Self {
        let reason = |path: PathId| (path != ROOT).then(|| reason(tree, path, takes_blobs)).flatten();
        let mut selection = Self { reasons: (0..tree.entries.len()).map(reason).collect() };
        selection.restore_main_lists(tree);
        selection.restore_only_content(tree);
        selection.fold(tree);
        selection
    }

    /// Whether a path is inside one that is left out.
    pub(super) fn is_inside(&self, tree: &PathTree, path: PathId) -> bool {
        tree.lineage(tree.entries[path].parent).iter().any(|outer| self.reasons[*outer].is_some())
    }

    /// Whether a path is left out, by itself or with one around it.
    fn is_left_out(&self, tree: &PathTree, path: PathId) -> bool {
        self.reasons[path].is_some() || self.is_inside(tree, path)
    }

    /// Keeps a path and those around it.
    pub(super) fn restore(&mut self, tree: &PathTree, path: PathId) {
        for outer in tree.lineage(path) {
            self.reasons[outer] = None;
        }
    }

    /// Keeps the content of lists and objects that are most of the responses, if nothing of it would remain.
    fn restore_main_lists(&mut self, tree: &PathTree) {
        let total: Cost = tree.entries[ROOT].children.values().map(|path| tree.entries[*path].cost).sum();
        let mut has_rest = vec![false; tree.entries.len()];
        for (path, entry) in tree.entries.iter().enumerate() {
            if entry.leaves > 0 && !self.is_left_out(tree, path) {
                tree.lineage(path).into_iter().for_each(|outer| has_rest[outer] = true);
            }
        }
        for (path, entry) in tree.entries.iter().enumerate().skip(1) {
            if entry.children.is_empty() || has_rest[path] || entry.cost.saturating_mul(2) <= total {
                continue;
            }
            for inner in (path + 1..tree.entries.len()).filter(|inner| tree.lineage(*inner).contains(&path)) {
                self.reasons[inner] = self.reasons[inner].filter(|reason| *reason == OmitReason::Empty);
            }
            self.restore(tree, path);
        }
    }

    /// Keeps the most expensive member of a response of which nothing would remain.
    fn restore_only_content(&mut self, tree: &PathTree) {
        for content in &tree.content {
            let has_rest = content.iter().any(|path| *path == ROOT || !self.is_left_out(tree, *path));
            let largest = content.iter().copied().max_by_key(|path| tree.entries[*path].cost);
            if let Some(path) = largest.filter(|_| !has_rest) {
                self.restore(tree, path);
            }
        }
    }

    /// Leaves out objects whose members are all left out.
    fn fold(&mut self, tree: &PathTree) {
        for (path, entry) in tree.entries.iter().enumerate().skip(1).rev() {
            let has_members = !entry.children.is_empty() && entry.leaves == 0;
            let is_bare = entry.children.values().all(|child| self.reasons[*child].is_some());
            if has_members && is_bare && self.reasons[path].is_none() && !is_protected(&entry.name) {
                self.reasons[path] = Some(OmitReason::Members);
            }
        }
    }
}

fn reason(tree: &PathTree, path: PathId, takes_blobs: bool) -> Option<OmitReason> {
    let entry = &tree.entries[path];
    let filled = entry.values - entry.empty;
    if is_protected(&entry.name) {
        return None;
    }
    if is_share(entry.empty, entry.values) && has_evidence(entry, EMPTY_VALUES_MIN) {
        Some(OmitReason::Empty)
    } else if is_duplicate_id(tree, entry) {
        Some(OmitReason::DuplicateId)
    } else if is_share(entry.api_urls, filled) || (entry.name.ends_with("_url") && is_share(entry.urls, filled)) {
        Some(OmitReason::Url)
    } else if takes_blobs && entry.blobs > 0 && entry.blobs * 100 >= filled * BLOB_SHARE_MIN {
        Some(OmitReason::Blob)
    } else {
        let same = entry.most_frequent().map_or(0, |(count, _)| count);
        let is_constant = is_share(same, entry.values) && has_evidence(entry, CONSTANT_VALUES_MIN);
        is_constant.then_some(OmitReason::Constant)
    }
}

fn is_share(part: usize, whole: usize) -> bool {
    whole > 0 && part * 100 >= whole * SHARE_MIN
}

fn has_evidence(entry: &PathEntry, values_min: usize) -> bool {
    entry.responses >= RESPONSES_MIN && entry.values >= values_min
}

/// Whether a member says that something failed or that more follows: it must be seen when that happens, however rare it
/// is.
fn is_protected(name: &str) -> bool {
    const NAMES: &[&str] = &["error", "errors", "message", "messages", "warning", "warnings"];
    is_paging_name(name) || NAMES.contains(&name.to_ascii_lowercase().as_str())
}

/// Whether a member only repeats which object it is, or which version of it.
fn is_duplicate_id(tree: &PathTree, entry: &PathEntry) -> bool {
    let letters = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let siblings = &tree.entries[entry.parent].children;
    match letters(&entry.name).as_str() {
        "etag" | "odataetag" => true,
        "nodeid" => ["id", "_id", "uuid", "number"].iter().any(|name| siblings.contains_key(*name)),
        _ => false,
    }
}
