//! Proposes rules for `omit` from earlier responses of a tool: for members that are almost always empty or the same,
//! URLs of the API, duplicate ids and binary content. Nothing is applied.

mod host;
mod omit_rules;
mod path_tree;
mod prefix;
mod selection;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;

use toolgate_domain::json::{self, JsonObject};
use toolgate_domain::shaping::{BlobShaping, OmitRule, PATHS_MAX as RULES_MAX, Shaping};
use toolgate_domain::tokens;

use crate::cost::{Cost, TOKEN};
use crate::parser::{Form, ParseRules, parse};
use crate::projection::Projection;
use crate::response::{Part, ShapingInput};
use crate::shape::shape;
use crate::tree::TextLimit;

use host::url_host;
use omit_rules::{ProposedRule, omit_rules, path_text};
use path_tree::{PathId, PathTree, ROOT, TextRange};
use prefix::{ReadableJson, readable_json};
pub use selection::OmitReason;
use selection::Selection;

/// Maximum number of responses that are read.
pub const PROPOSAL_RESPONSES_MAX: usize = 50;
/// Number of bytes of a response that are read.
const RESPONSE_BYTES_MAX: usize = 2 << 20;
/// Maximum length of a constant in the report, in characters; a longer one is shortened.
const CONSTANT_CHARS_MAX: usize = 100;

/// Proposed rules for the responses of a tool, with their effect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// Number of responses that were read. Equal ones are counted once, and texts other than JSON are not read.
    pub responses: usize,
    /// Number of responses of which only the beginning was available.
    pub truncated: usize,
    /// New rules for `omit`, sorted by the tokens that they save.
    pub omit: Vec<String>,
    /// The members of the responses, in their order. Members inside of an omitted one are not listed.
    pub paths: Vec<PathReport>,
    /// Mean tokens of a response with the current rules.
    pub tokens_before: usize,
    /// Mean tokens of a response with the new rules as well.
    pub tokens_after: usize,
}

/// Statistics of the values at a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathReport {
    /// The path, as in `labels[].name`.
    pub path: String,
    /// Share of the responses that have it, from 0 to 1.
    pub share: f64,
    /// Number of different values, counted up to 100.
    pub distinct: usize,
    /// Mean tokens in a response, with the key.
    pub mean_tokens: f64,
    /// Share of the values that are empty, from 0 to 1.
    pub empty: f64,
    /// Why the path is proposed for `omit`; `None` if it is not proposed.
    pub reason: Option<OmitReason>,
    /// Mean tokens that omitting it saves in a response; 0 if it is not proposed.
    pub tokens_saved: f64,
    /// The value that is almost always the same, as JSON, shortened; only if that is the reason.
    pub constant: Option<String>,
}

/// Proposes rules from responses. `current` contains the current rules of the tool, if any; `upstream_url` is the URL
/// of its upstream, which may be a template.
pub fn propose(responses: &[ShapingInput<'_>], current: Option<&Shaping>, upstream_url: &str) -> Proposal {
    let mut seen = HashSet::new();
    let distinct = responses.iter().filter(|response| seen.insert(response.body)).take(PROPOSAL_RESPONSES_MAX);
    let mut texts: Vec<ReadableJson<'_>> = distinct.filter_map(|response| readable_json(head(response.body))).collect();
    let current = current.filter(|current| !current.is_off());
    let rules = current.cloned().unwrap_or_default();
    let tree = read_paths(&mut texts, &rules, url_host(upstream_url));
    let mut selection = Selection::new(&tree, rules.blobs == BlobShaping::Keep);
    let omit = omit_rules(&tree, &selection, RULES_MAX.saturating_sub(rules.omit.len()));
    remove_unused_reasons(&tree, &mut selection, &omit);
    let omit: Vec<String> = omit.into_iter().map(|rule| rule.text).collect();
    let report = |path| report(&tree, &selection, &texts, path);
    Proposal {
        responses: texts.len(),
        truncated: texts.iter().filter(|text| text.is_truncated).count(),
        paths: in_tree_order(&tree).into_iter().filter(|path| !selection.is_inside(&tree, *path)).map(report).collect(),
        tokens_before: mean_tokens(&texts, current),
        tokens_after: mean_tokens(&texts, with_omit(current, &omit).as_deref()),
        omit,
    }
}

/// The shaping object of a tool with further rules in `omit`.
pub fn merge_omit(current: Option<&JsonObject>, omit: &[String]) -> JsonObject {
    let mut members = current.map(JsonObject::members).unwrap_or_default();
    let stored = members.get("omit").and_then(|value| serde_json::from_str(value.get()).ok());
    let mut entries: Vec<String> = stored.unwrap_or_default();
    entries.extend(omit.iter().cloned());
    members.insert("omit".to_owned(), json::raw(serde_json::Value::from(entries).to_string()));
    JsonObject::from_members(&members)
}

fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(RESPONSE_BYTES_MAX)).unwrap_or_default()
}

/// Counts the members that the current rules do not omit, and removes the texts that cannot be parsed.
fn read_paths(texts: &mut Vec<ReadableJson<'_>>, current: &Shaping, api_host: Option<String>) -> PathTree {
    let mut paths = PathTree::new(api_host);
    texts.retain(|text| {
        let mut projection = Projection::new(current);
        let rules = ParseRules {
            state: projection.root(),
            projection: &mut projection,
            drop_empty: current.drop_empty,
            blobs: BlobShaping::Keep,
            budget: None,
            stops_early: false,
            measures: true,
        };
        let parsed = parse(&text.text, 0, Form::Lines, rules);
        let is_parsed = parsed.is_some();
        if let Some(mut tree) = parsed {
            tree.measure(TextLimit::NONE);
            paths.add(&tree);
        }
        is_parsed
    });
    paths
}

/// Removes the reasons of paths that no rule omits.
fn remove_unused_reasons(tree: &PathTree, selection: &mut Selection, rules: &[ProposedRule]) {
    let omitted: HashSet<PathId> = rules.iter().flat_map(|rule| &rule.paths).copied().collect();
    for path in ROOT + 1..tree.entries.len() {
        if !tree.lineage(path).iter().any(|outer| omitted.contains(outer)) {
            selection.reasons[path] = None;
        }
    }
}

/// All paths in preorder: each before the paths inside it.
fn in_tree_order(tree: &PathTree) -> Vec<PathId> {
    let mut ordered = Vec::with_capacity(tree.entries.len());
    let mut waiting = vec![ROOT];
    while let Some(path) = waiting.pop() {
        let mut children: Vec<PathId> = tree.entries[path].children.values().copied().collect();
        children.sort_unstable_by_key(|child| std::cmp::Reverse(*child));
        waiting.extend(children);
        if path != ROOT {
            ordered.push(path);
        }
    }
    ordered
}

fn report(tree: &PathTree, selection: &Selection, texts: &[ReadableJson<'_>], path: PathId) -> PathReport {
    let entry = &tree.entries[path];
    let reason = selection.reasons[path];
    let mean_tokens = share(entry.cost, texts.len() as Cost * TOKEN, 10.0);
    let constant = entry.most_frequent().filter(|_| reason == Some(OmitReason::Constant));
    PathReport {
        path: path_text(tree, path),
        share: share(entry.responses as u64, texts.len() as u64, 1000.0),
        distinct: entry.distinct(),
        mean_tokens,
        empty: share(entry.empty as u64, entry.values as u64, 1000.0),
        reason,
        tokens_saved: if reason.is_some() { mean_tokens } else { 0.0 },
        constant: constant.map(|(_, range)| shown_text(texts, range)),
    }
}

/// A quotient, rounded to multiples of 1 / `precision`.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn share(part: u64, whole: u64, precision: f64) -> f64 {
    (part as f64 / whole.max(1) as f64 * precision).round() / precision
}

fn shown_text(texts: &[ReadableJson<'_>], range: TextRange) -> String {
    let text = texts.get(range.response).and_then(|text| text.text.get(range.start as usize..range.end as usize));
    let text = text.unwrap_or_default();
    match text.char_indices().nth(CONSTANT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The current rules with further rules in `omit`; `None` if there are neither.
fn with_omit<'s>(current: Option<&'s Shaping>, omit: &[String]) -> Option<Cow<'s, Shaping>> {
    if omit.is_empty() {
        return current.map(Cow::Borrowed);
    }
    let mut shaping = current.cloned().unwrap_or_default();
    shaping.omit.extend(omit.iter().filter_map(|text| OmitRule::parse("omit", text).ok()));
    Some(Cow::Owned(shaping))
}

/// The mean tokens of the texts after the rules are applied, without a budget.
fn mean_tokens(texts: &[ReadableJson<'_>], shaping: Option<&Shaping>) -> usize {
    let mut unlimited = shaping.cloned();
    if let Some(rules) = &mut unlimited {
        rules.max_tokens = None;
    }
    let count = |text: &ReadableJson<'_>| {
        let input = ShapingInput { body: &text.text, media_type: "", reference: None };
        let shaped = unlimited.as_ref().and_then(|rules| shape(&input, rules, Part::Start, None).ok());
        shaped.map_or_else(|| tokens::estimate(&text.text), |shaped| shaped.tokens_after)
    };
    let total: usize = texts.iter().map(count).sum();
    total.div_ceil(texts.len().max(1))
}
