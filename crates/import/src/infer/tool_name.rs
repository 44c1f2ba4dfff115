//! Derives the name of a tool: a verb from the method or the end of the path, and the nouns of the path.

use crate::naming::{NAME_MAX, truncate};
use crate::path_pattern::{PathPattern, PathToken};
use crate::spelling::{is_plural, singular_snake_case, to_snake_case};
use crate::tables::{CONTAINER_NOUNS, VERBS_WITH_PLURAL};

/// Maximum number of words in a name.
const WORDS_MAX: usize = 4;
/// The object of a tool if neither its path nor its host has a word for it.
const UNNAMED_OBJECT: &str = "data";
/// Nouns whose items are sent rather than created.
const SENT_NOUNS: [&str; 5] = ["message", "sms", "email", "mail", "notification"];

/// The parts of a tool's name, in snake case.
#[derive(Debug)]
pub(super) struct ToolNameParts {
    pub(super) method: String,
    pub(super) verb: Verb,
    /// The words after the verb; empty if the verb is the whole name.
    pub(super) object: String,
    /// Whether the object is a single item of a collection.
    pub(super) is_single_item: bool,
    /// The property that selects an item.
    pub(super) selector: Option<String>,
}

/// The verb of a tool's name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// Derived from the method.
    Method(String),
    /// The end of the path.
    Path(String),
    /// The name of an operation outside the path.
    Operation(String),
}

/// The sources of a name other than the method and the path.
pub(super) struct NameSources<'a> {
    /// The name of an operation outside the path, which is the whole name.
    pub(super) operation: Option<&'a str>,
    /// The registered name of the host.
    pub(super) domain_label: &'a str,
    /// The only member of the body, if it is an array or object.
    pub(super) only_member: Option<&'a str>,
    /// The plural in a query parameter that limits how many items are read: `records` of `maxRecords`.
    pub(super) limited_items: Option<String>,
}

/// Plurals that do not name a kind of item.
const GENERIC_ITEMS: [&str; 6] = ["results", "items", "rows", "entries", "hits", "tokens"];

/// The kind of items that a query parameter limits.
pub(super) fn limited_items(parameter: &str) -> Option<String> {
    let name = to_snake_case(parameter);
    let items = name.strip_prefix("max_").filter(|items| is_plural(items) && !GENERIC_ITEMS.contains(items))?;
    Some(items.to_owned())
}

impl ToolNameParts {
    pub(super) fn new(method: &str, pattern: &PathPattern, sources: &NameSources<'_>) -> Self {
        let ends_in_item = pattern.ends_in_item();
        let with_verb = |verb, object, is_single_item, selector| Self {
            method: method.to_owned(),
            verb,
            object,
            is_single_item,
            selector,
        };
        if let Some(operation) = sources.operation {
            return with_verb(Verb::Operation(operation.to_owned()), String::new(), false, None);
        }
        match pattern.action.as_deref() {
            Some([verb]) => {
                let is_single_item = ends_in_item || !VERBS_WITH_PLURAL.contains(verb);
                let object = object(pattern, is_single_item).unwrap_or_else(|| default_object(pattern, sources));
                with_verb(Verb::Path(verb.clone()), object, is_single_item, pattern.selector.clone())
            }
            // `/pets/findByStatus` is `find_pet_by_status`.
            Some([verb, by, selector @ ..]) if by == "by" && !selector.is_empty() => {
                let object = object(pattern, true).unwrap_or_default();
                with_verb(Verb::Path(verb.clone()), object, true, Some(selector.join("_")))
            }
            Some(words) => with_verb(Verb::Path(words.join("_")), String::new(), false, None),
            None => {
                if let Some(items) =
                    sources.limited_items.clone().filter(|_| method == "GET" && pattern.last_noun().is_none())
                {
                    return with_verb(Verb::Method("list".to_owned()), items, false, None);
                }
                let is_single_item = ends_in_item || method == "POST";
                let only_member = || sources.only_member.map(|name| singular_snake_case(&to_snake_case(name)));
                let object = object(pattern, is_single_item).or_else(only_member);
                let object = object.unwrap_or_else(|| default_object(pattern, sources));
                with_verb(Verb::Method(method_verb(method, pattern)), object, is_single_item, pattern.selector.clone())
            }
        }
    }

    /// The name of the tool.
    pub(super) fn name(&self) -> String {
        let (Verb::Operation(verb) | Verb::Path(verb) | Verb::Method(verb)) = &self.verb;
        let by = self.selector.iter().flat_map(|selector| ["by", selector.as_str()]);
        let parts = [verb.as_str(), &self.object].into_iter().chain(by);
        let mut words: Vec<&str> = parts.flat_map(|part| part.split('_')).filter(|word| !word.is_empty()).collect();
        words.dedup();
        if words.len() > WORDS_MAX {
            words.drain(1..=words.len() - WORDS_MAX);
        }
        truncate(&words.join("_"), NAME_MAX).trim_end_matches('_').to_owned()
    }

    /// Whether the verb is one that only reads.
    pub(super) fn is_reading(&self) -> bool {
        let name = self.name();
        let verb = name.split('_').next().unwrap_or_default();
        matches!(verb, "get" | "list" | "search" | "query" | "find" | "lookup" | "count")
    }

    /// Whether the tool lists a collection.
    pub(super) fn is_list(&self) -> bool {
        self.name().starts_with("list_")
    }

    /// Whether the tool updates an existing item.
    pub(super) fn is_update(&self) -> bool {
        matches!(&self.verb, Verb::Method(verb) if verb == "update")
    }
}

/// The last words of a path: its last group of nouns without an item between them, and the group before it. `None` if
/// the path has no noun.
fn object(pattern: &PathPattern, is_last_singular: bool) -> Option<String> {
    let last_noun = pattern.tokens.iter().rposition(|token| *token != PathToken::Item)?;
    let mut groups: Vec<Vec<&str>> = vec![Vec::new()];
    for (index, token) in pattern.tokens.iter().enumerate() {
        match token {
            PathToken::Noun(noun) if CONTAINER_NOUNS.contains(noun) && index != last_noun => {}
            PathToken::Noun(noun) => groups.last_mut()?.push(noun),
            PathToken::Item => groups.push(Vec::new()),
        }
    }
    groups.retain(|group| !group.is_empty());
    let nouns = groups.get(groups.len().saturating_sub(2)..)?.concat();
    let (last, others) = nouns.split_last()?;
    let mut nouns: Vec<String> = others.iter().map(|noun| singular_snake_case(noun)).collect();
    // `/build/builds` are builds.
    nouns.pop_if(|noun| *noun == singular_snake_case(last));
    nouns.push(if is_last_singular { singular_snake_case(last) } else { (*last).to_owned() });
    let mut words: Vec<&str> = nouns.iter().flat_map(|noun| noun.split('_')).collect();
    words.dedup();
    // The verb counts as one of the words of the name.
    let first = (words.len() + 1).saturating_sub(WORDS_MAX);
    Some(words.get(first..)?.join("_"))
}

/// The object of a path without nouns.
fn default_object(pattern: &PathPattern, sources: &NameSources<'_>) -> String {
    let named = pattern.arguments.iter().map(|argument| argument.name.as_str());
    let named = named.into_iter().find(|name| matches!(*name, "index" | "database") && pattern.action.is_some());
    let domain_label = Some(sources.domain_label).filter(|label| !label.is_empty());
    named.or(domain_label).unwrap_or(UNNAMED_OBJECT).to_owned()
}

fn method_verb(method: &str, pattern: &PathPattern) -> String {
    let ends_in_item = pattern.ends_in_item();
    let is_collection = pattern.last_noun().is_some_and(is_plural);
    let is_sent = pattern.last_noun().is_some_and(|noun| SENT_NOUNS.contains(&singular_snake_case(noun).as_str()));
    match method {
        "GET" if is_collection && !ends_in_item => "list".to_owned(),
        "POST" if is_collection && ends_in_item => "update".to_owned(),
        "POST" if is_sent && !ends_in_item => "send".to_owned(),
        "POST" => "create".to_owned(),
        "PUT" | "PATCH" => "update".to_owned(),
        other => Some(to_snake_case(other))
            .filter(|verb| verb.starts_with(|c: char| c.is_ascii_lowercase()))
            .unwrap_or_else(|| "call".to_owned()),
    }
}
