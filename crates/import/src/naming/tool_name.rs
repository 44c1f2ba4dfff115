//! Derives the name of a tool: a verb from the method or the end of the path, and the nouns of the path.

use percent_encoding::percent_decode_str;

use super::{NAME_MAX, truncate};
use crate::request::path::{self, UrlPath};
use crate::sensitivity::is_opaque;
use crate::spelling::{singular_snake_case, to_snake_case};

/// Verbs that name the tool if they are the last segment of the path, with a reading or a writing method.
const READING_VERBS: &str = "autocomplete calculate convert count download export filter find lookup ping query search \
     translate validate verify";
/// Verbs that name the tool if they are the last segment of the path, only with a writing method.
const WRITING_VERBS: &str = "accept activate approve archive assign authenticate authorize block call cancel capture \
     charge clone close complete confirm copy deactivate decline disable duplicate enable execute follow generate \
     import invite invoke join leave like lock login logout merge move open pause pay predict process publish refresh \
     refund register reject reopen reset restart restore resume revoke run send share signin signout signup start stop \
     submit subscribe sync transfer trigger unblock unfollow unlock unpublish unsubscribe upload void";

/// Maximum length of a segment that is used as a word, in bytes.
const WORD_MAX: usize = 200;

/// The parts of a tool's name, in snake case.
#[derive(Debug)]
pub(crate) struct ToolNameParts {
    pub(crate) method: String,
    pub(crate) verb: Verb,
    /// The nouns of the path; empty if it has none.
    pub(crate) object: String,
    /// Whether the object is a single item of a collection.
    pub(crate) is_single_item: bool,
    /// The name of the placeholder that identifies the item, without its noun: `id` for `user_id`.
    pub(crate) item_key: Option<String>,
    /// The registered name of the host.
    host_word: String,
}

/// The verb of a tool's name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Derived from the method.
    Method(String),
    /// The last segment of the path.
    Path(String),
    /// A GraphQL operation, with its name if it has one.
    GraphQl(Option<String>),
}

/// The meaning of a path segment.
enum PathSegment {
    Noun(String),
    /// An item of the preceding collection, with the name of its placeholder.
    Item(Option<String>),
}

impl ToolNameParts {
    /// The name parts of a tool; `graphql_verb` is given for a GraphQL operation, whose path does not describe it.
    pub(crate) fn new(method: &str, path: &UrlPath, graphql_verb: Option<Verb>) -> Self {
        let mut segments: Vec<PathSegment> =
            path.segments.iter().filter_map(|segment| PathSegment::classify(segment)).collect();
        let action = match segments.last() {
            Some(PathSegment::Noun(last)) if is_action(last, method) => Some(last.clone()),
            _ => None,
        };
        if action.is_some() {
            segments.pop();
        }
        // A POST to a collection creates one item.
        let is_creation = action.is_none() && method == "POST";
        let (is_single_item, item_key) = match segments.last() {
            Some(PathSegment::Item(name)) => (true, name.clone()),
            _ => (is_creation, None),
        };
        let nouns = nouns(segments, is_creation);
        let item_key =
            item_key.filter(|_| action.is_none() && !nouns.is_empty()).and_then(|key| without_noun(&key, nouns.last()));
        let path_verb = || action.map_or_else(|| Verb::Method(method_verb(method)), Verb::Path);
        Self {
            method: method.to_owned(),
            verb: graphql_verb.unwrap_or_else(path_verb),
            object: nouns.join("_"),
            is_single_item,
            item_key,
            host_word: host_word(path.host()),
        }
    }

    /// The name of the tool.
    pub(crate) fn name(&self) -> String {
        let mut words: Vec<&str> = match &self.verb {
            Verb::GraphQl(operation) => vec![operation.as_deref().unwrap_or("graphql")],
            Verb::Method(verb) if self.object.is_empty() => vec![verb, &self.host_word],
            Verb::Path(verb) | Verb::Method(verb) => vec![verb, &self.object],
        };
        if let (Some(key), false) = (&self.item_key, matches!(self.verb, Verb::GraphQl(_))) {
            words.extend(["by", key]);
        }
        words.retain(|word| !word.is_empty());
        truncate(&words.join("_"), NAME_MAX).trim_end_matches('_').to_owned()
    }
}

impl PathSegment {
    /// Classifies a segment. Returns `None` if it has no meaning for the name.
    fn classify(segment: &str) -> Option<Self> {
        let bare = segment
            .rsplit_once('.')
            .filter(|(_, extension)| is_file_extension(extension))
            .map_or(segment, |(bare, _)| bare);
        if let Some(name) = path::placeholder_name(bare) {
            return Some(Self::Item(Some(to_snake_case(name)).filter(|name| !name.is_empty())));
        }
        if path::is_api_prefix(segment) {
            return None;
        }
        if path::is_id(bare) || is_opaque(bare) || bare.len() > WORD_MAX {
            return Some(Self::Item(None));
        }
        let noun = to_snake_case(&percent_decode_str(bare).decode_utf8_lossy());
        (!noun.is_empty()).then_some(Self::Noun(noun))
    }
}

/// The nouns of the segments; in the singular if an item follows, the last one also if `is_last_singular`.
fn nouns(segments: Vec<PathSegment>, is_last_singular: bool) -> Vec<String> {
    let mut nouns: Vec<String> = Vec::new();
    let make_singular = |noun: &mut String| *noun = singular_snake_case(noun);
    for segment in segments {
        match segment {
            PathSegment::Noun(noun) => nouns.push(noun),
            PathSegment::Item(_) => nouns.last_mut().map_or((), make_singular),
        }
    }
    if let Some(last) = nouns.last_mut().filter(|_| is_last_singular) {
        make_singular(last);
    }
    nouns
}

fn is_file_extension(extension: &str) -> bool {
    ["json", "xml", "php", "html", "csv", "txt", "aspx", "cgi"].contains(&extension)
}

/// Whether a segment is a verb or begins with one, as `sendMessage` does. A plural such as `import_jobs` is a noun.
fn is_action(segment: &str, method: &str) -> bool {
    let (verb, object) = segment.split_once('_').unwrap_or((segment, ""));
    let is_verb_of = |verbs: &str| !object.ends_with('s') && verbs.split(' ').any(|other| other == verb);
    match method {
        "GET" | "HEAD" => is_verb_of(READING_VERBS),
        "POST" | "PUT" | "PATCH" => is_verb_of(READING_VERBS) || is_verb_of(WRITING_VERBS),
        _ => false,
    }
}

fn method_verb(method: &str) -> String {
    match method {
        "POST" => "create".to_owned(),
        "PUT" | "PATCH" => "update".to_owned(),
        other => Some(to_snake_case(other))
            .filter(|verb| verb.starts_with(|c: char| c.is_ascii_lowercase()))
            .unwrap_or_else(|| "call".to_owned()),
    }
}

/// The placeholder name without the noun: `user_id` of a user is `id`. `None` if nothing remains.
fn without_noun(key: &str, noun: Option<&String>) -> Option<String> {
    let rest =
        noun.and_then(|noun| key.strip_prefix(noun.as_str())).filter(|rest| rest.is_empty() || rest.starts_with('_'));
    let key = rest.map_or(key, |rest| rest.trim_start_matches('_'));
    (!key.is_empty()).then(|| key.to_owned())
}

/// The registered name of a host, without its suffix: `example` of `api.example.co.uk`.
fn host_word(host: &str) -> String {
    if host.split('.').all(|label| label.bytes().all(|b| b.is_ascii_digit())) {
        return to_snake_case(host);
    }
    let mut labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty()).collect();
    if labels.len() > 1 {
        labels.pop();
    }
    // A short label before the last one is part of the suffix, as in `co.uk`.
    if labels.len() > 1 && labels.last().is_some_and(|label| label.len() <= 3) {
        labels.pop();
    }
    labels.last().map(|label| to_snake_case(label)).unwrap_or_default()
}
