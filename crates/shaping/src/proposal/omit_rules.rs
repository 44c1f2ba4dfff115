//! Builds rules for `omit` from the selected members: few and short rules that do not affect other members.

use std::collections::{BTreeMap, HashMap};

use toolgate_domain::shaping::OmitRule;

use super::path_tree::{PathId, PathTree, ROOT};
use super::selection::{OmitReason, Selection};
use crate::cost::Cost;

/// The rule for all members that end in `_url`.
const URL_GLOB: &str = "*_url";
const URL_SUFFIX: &str = "_url";

/// A rule and the paths that it omits.
pub(super) struct ProposedRule {
    pub(super) text: String,
    pub(super) paths: Vec<PathId>,
}

/// The rules for a selection, sorted by the cost that they save; at most `count_max`.
pub(super) fn omit_rules(tree: &PathTree, selection: &Selection, count_max: usize) -> Vec<ProposedRule> {
    let names = NameUse::new(tree, selection);
    let mut rules: BTreeMap<String, Vec<PathId>> = BTreeMap::new();
    for path in names.visible.iter().copied() {
        if let Some(reason) = selection.reasons[path] {
            rules.entry(names.rule(tree, path, reason)).or_default().push(path);
        }
    }
    let mut rules: Vec<ProposedRule> = rules
        .into_iter()
        .filter(|(text, _)| OmitRule::parse("omit", text).is_ok())
        .map(|(text, paths)| ProposedRule { text, paths })
        .collect();
    let saving = |rule: &ProposedRule| rule.paths.iter().map(|path| tree.entries[*path].cost).sum::<Cost>();
    rules.sort_by_key(|rule| std::cmp::Reverse(saving(rule)));
    rules.truncate(count_max);
    rules
}

/// The number of paths with a name that are omitted, and of those that are not.
#[derive(Default)]
struct NameCount {
    omitted: usize,
    not_omitted: usize,
}

/// The names of the paths that are not inside of an omitted path.
struct NameUse {
    visible: Vec<PathId>,
    names: HashMap<String, NameCount>,
    /// Whether there are several names that end in `_url`, and all of them are omitted.
    has_url_glob: bool,
    /// Whether all paths of the responses are known.
    is_complete: bool,
}

impl NameUse {
    fn new(tree: &PathTree, selection: &Selection) -> Self {
        let visible: Vec<PathId> =
            (ROOT + 1..tree.entries.len()).filter(|path| !selection.is_inside(tree, *path)).collect();
        let mut names: HashMap<String, NameCount> = HashMap::new();
        for path in &visible {
            let count = names.entry(tree.entries[*path].name.clone()).or_default();
            match selection.reasons[*path] {
                Some(_) => count.omitted += 1,
                None => count.not_omitted += 1,
            }
        }
        let urls: Vec<&NameCount> =
            names.iter().filter(|(name, _)| name.ends_with(URL_SUFFIX)).map(|(_, count)| count).collect();
        let has_url_glob = tree.is_complete && urls.len() > 1 && urls.iter().all(|count| count.not_omitted == 0);
        Self { visible, has_url_glob, is_complete: tree.is_complete, names }
    }

    fn rule(&self, tree: &PathTree, path: PathId, reason: OmitReason) -> String {
        let name = &tree.entries[path].name;
        if self.has_url_glob && name.ends_with(URL_SUFFIX) {
            return URL_GLOB.to_owned();
        }
        let lineage = tree.lineage(path);
        let is_by_name = matches!(reason, OmitReason::Url | OmitReason::DuplicateId);
        let count = self.names.get(name).filter(|count| self.is_complete && count.not_omitted == 0);
        if count.is_some_and(|count| is_by_name || count.omitted > 1 || lineage.len() == 1) {
            return escaped(name);
        }
        let text = path_text(tree, path);
        // A name alone would apply at any depth.
        if lineage.len() == 1 { format!("[].{text}") } else { text }
    }
}

/// The text of a path, as in `labels[].name`.
pub(super) fn path_text(tree: &PathTree, path: PathId) -> String {
    let mut text = String::new();
    for step in tree.lineage(path) {
        let entry = &tree.entries[step];
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(&escaped(&entry.name));
        if entry.is_list && step != path {
            text.push_str("[]");
        }
    }
    text
}

/// A name as a step of a path, with special characters escaped.
fn escaped(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for character in name.chars() {
        if matches!(character, '.' | '*' | '[' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
