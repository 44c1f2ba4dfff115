//! Rules of `omit` for the members that are left out: few, short, and without effect on members that are kept.

use std::collections::{BTreeMap, HashMap};

use toolgate_domain::shaping::OmitRule;

use super::path_tree::{PathId, PathTree, ROOT};
use super::selection::{OmitReason, Selection};
use crate::cost::Cost;

/// The rule for all members that end in `_url`.
const URL_GLOB: &str = "*_url";
const URL_SUFFIX: &str = "_url";

/// A rule and the paths that it leaves out.
pub(super) struct ProposedRule {
    pub(super) text: String,
    pub(super) paths: Vec<PathId>,
}

/// The rules for a selection, those that save most first, at most `room`.
pub(super) fn omit_rules(tree: &PathTree, selection: &Selection, room: usize) -> Vec<ProposedRule> {
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
    rules.truncate(room);
    rules
}

/// How often a name is left out and kept.
#[derive(Default)]
struct NameCount {
    omitted: usize,
    kept: usize,
}

/// The names of the paths that are not inside others that are left out.
struct NameUse {
    visible: Vec<PathId>,
    names: HashMap<String, NameCount>,
    /// Whether all names that end in `_url` are left out, and there are several.
    has_url_glob: bool,
    /// Whether there may be paths that are not known.
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
                None => count.kept += 1,
            }
        }
        let urls: Vec<&NameCount> =
            names.iter().filter(|(name, _)| name.ends_with(URL_SUFFIX)).map(|(_, count)| count).collect();
        let has_url_glob = tree.is_complete && urls.len() > 1 && urls.iter().all(|count| count.kept == 0);
        Self { visible, has_url_glob, is_complete: tree.is_complete, names }
    }

    fn rule(&self, tree: &PathTree, path: PathId, reason: OmitReason) -> String {
        let name = &tree.entries[path].name;
        if self.has_url_glob && name.ends_with(URL_SUFFIX) {
            return URL_GLOB.to_owned();
        }
        let lineage = tree.lineage(path);
        let is_by_name = matches!(reason, OmitReason::Url | OmitReason::DuplicateId);
        let count = self.names.get(name).filter(|count| self.is_complete && count.kept == 0);
        if count.is_some_and(|count| is_by_name || count.omitted > 1 || lineage.len() == 1) {
            return escaped(name);
        }
        let text = path_text(tree, path);
        // a name alone would apply at any depth
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

/// A name as a step of a path.
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
