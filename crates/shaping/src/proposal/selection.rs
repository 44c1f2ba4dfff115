//! Selects the members that a proposal omits.

use toolgate_domain::closed_set;

use super::path_tree::{PathEntry, PathId, PathTree, ROOT};
use crate::cost::Cost;
use crate::paging::is_paging_name;

closed_set! {
    /// Why a member is proposed for `omit`.
    pub enum OmitReason {
        /// It is almost always empty.
        Empty = "empty",
        /// It almost always has the same value.
        Constant = "constant",
        /// It is a URL: one of the API, or a member `*_url`.
        Url = "url",
        /// It is a second id of its object, such as `node_id` next to `id`, or a version for caches, such as `etag`.
        DuplicateId = "duplicate_id",
        /// It is binary content.
        Blob = "blob",
        /// All of its members are omitted.
        Members = "members",
    }
}

/// Minimum share of values that are empty, equal or URLs, in percent.
const SHARE_PERCENT_MIN: usize = 95;
/// Minimum number of responses from which it is concluded that a member is always empty or constant.
const RESPONSES_MIN: usize = 3;
/// Minimum number of values from which it is concluded that a member is always empty.
const EMPTY_VALUES_MIN: usize = 5;
/// Minimum number of values from which it is concluded that a member is constant.
const CONSTANT_VALUES_MIN: usize = 10;
/// Minimum share of blobs among the values that are not empty, in percent.
const BLOB_PERCENT_MIN: usize = 50;

/// The reason for each path, by its id.
pub(super) struct Selection {
    pub(super) reasons: Vec<Option<OmitReason>>,
}

impl Selection {
    /// Selects the members to omit. Each response keeps some content, and so does each list or object that makes up
    /// more than half of the responses.
    pub(super) fn new(tree: &PathTree, omits_blobs: bool) -> Self {
        let reason = |path: PathId| if path == ROOT { None } else { omit_reason(tree, path, omits_blobs) };
        let mut selection = Self { reasons: (0..tree.entries.len()).map(reason).collect() };
        selection.restore_main_lists(tree);
        selection.restore_only_content(tree);
        selection.select_emptied_objects(tree);
        selection
    }

    /// Whether a path is inside of an omitted one.
    pub(super) fn is_inside(&self, tree: &PathTree, path: PathId) -> bool {
        tree.lineage(tree.entries[path].parent).iter().any(|outer| self.reasons[*outer].is_some())
    }

    /// Whether a path is omitted, by itself or with an enclosing one.
    fn is_omitted(&self, tree: &PathTree, path: PathId) -> bool {
        self.reasons[path].is_some() || self.is_inside(tree, path)
    }

    /// Deselects a path and those that enclose it.
    pub(super) fn restore(&mut self, tree: &PathTree, path: PathId) {
        for outer in tree.lineage(path) {
            self.reasons[outer] = None;
        }
    }

    /// Deselects the content of lists and objects that make up more than half of the responses, if none would remain.
    fn restore_main_lists(&mut self, tree: &PathTree) {
        let total: Cost = tree.entries[ROOT].children.values().map(|path| tree.entries[*path].cost).sum();
        let mut has_remaining_content = vec![false; tree.entries.len()];
        for (path, entry) in tree.entries.iter().enumerate() {
            if entry.leaves > 0 && !self.is_omitted(tree, path) {
                tree.lineage(path).into_iter().for_each(|outer| has_remaining_content[outer] = true);
            }
        }
        for (path, entry) in tree.entries.iter().enumerate().skip(1) {
            if entry.children.is_empty() || has_remaining_content[path] || entry.cost.saturating_mul(2) <= total {
                continue;
            }
            for inner in (path + 1..tree.entries.len()).filter(|inner| tree.lineage(*inner).contains(&path)) {
                self.reasons[inner] = self.reasons[inner].filter(|reason| *reason == OmitReason::Empty);
            }
            self.restore(tree, path);
        }
    }

    /// Deselects the most expensive member of each response of which no content would remain.
    fn restore_only_content(&mut self, tree: &PathTree) {
        for content in &tree.content {
            let has_remaining_content = content.iter().any(|path| *path == ROOT || !self.is_omitted(tree, *path));
            let largest = content.iter().copied().max_by_key(|path| tree.entries[*path].cost);
            if let Some(path) = largest.filter(|_| !has_remaining_content) {
                self.restore(tree, path);
            }
        }
    }

    /// Selects objects whose members are all selected.
    fn select_emptied_objects(&mut self, tree: &PathTree) {
        for (path, entry) in tree.entries.iter().enumerate().skip(1).rev() {
            let has_members = !entry.children.is_empty() && entry.leaves == 0;
            let has_only_omitted = entry.children.values().all(|child| self.reasons[*child].is_some());
            if has_members && has_only_omitted && self.reasons[path].is_none() && !is_protected(&entry.name) {
                self.reasons[path] = Some(OmitReason::Members);
            }
        }
    }
}

fn omit_reason(tree: &PathTree, path: PathId, omits_blobs: bool) -> Option<OmitReason> {
    let entry = &tree.entries[path];
    let filled = entry.values - entry.empty;
    if is_protected(&entry.name) {
        return None;
    }
    if is_almost_all(entry.empty, entry.values) && has_evidence(entry, EMPTY_VALUES_MIN) {
        Some(OmitReason::Empty)
    } else if is_duplicate_id(tree, entry) {
        Some(OmitReason::DuplicateId)
    } else if is_almost_all(entry.api_urls, filled)
        || (entry.name.ends_with("_url") && is_almost_all(entry.urls, filled))
    {
        Some(OmitReason::Url)
    } else if omits_blobs && entry.blobs > 0 && entry.blobs * 100 >= filled * BLOB_PERCENT_MIN {
        Some(OmitReason::Blob)
    } else {
        let same = entry.most_frequent().map_or(0, |(count, _)| count);
        let is_constant = is_almost_all(same, entry.values) && has_evidence(entry, CONSTANT_VALUES_MIN);
        is_constant.then_some(OmitReason::Constant)
    }
}

/// Whether `part` is at least [`SHARE_PERCENT_MIN`] of `whole`.
fn is_almost_all(part: usize, whole: usize) -> bool {
    whole > 0 && part * 100 >= whole * SHARE_PERCENT_MIN
}

fn has_evidence(entry: &PathEntry, values_min: usize) -> bool {
    entry.responses >= RESPONSES_MIN && entry.values >= values_min
}

/// Whether a member reports a failure or a further page. It is never omitted, even if it is almost always empty.
fn is_protected(name: &str) -> bool {
    const NAMES: &[&str] = &["error", "errors", "message", "messages", "warning", "warnings"];
    is_paging_name(name) || NAMES.contains(&name.to_ascii_lowercase().as_str())
}

/// Whether a member is a second id of its object, or a version for caches.
fn is_duplicate_id(tree: &PathTree, entry: &PathEntry) -> bool {
    let normalized = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let siblings = &tree.entries[entry.parent].children;
    match normalized(&entry.name).as_str() {
        "etag" | "odataetag" => true,
        // A second id is superfluous only if the object has a first one.
        "nodeid" => ["id", "_id", "uuid", "number"].iter().any(|name| siblings.contains_key(*name)),
        _ => false,
    }
}
