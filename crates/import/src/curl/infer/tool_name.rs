//! What to call a tool: a verb from its method, or from its path if that ends in one, and what the path is about.

use percent_encoding::percent_decode_str;
use toolgate_domain::json;

use super::discretion::is_opaque;
use super::example::Example;
use super::names::{self, NAME_MAX};
use super::path::{self, Path};
use super::payload::Kind;
use super::spelling::{snake, snake_singular};

/// Last segments that say what is done, whichever the method.
const READING_VERBS: &str = "autocomplete calculate convert count download export filter find lookup ping query search \
     translate validate verify";
/// Last segments that say what is done where the method changes something.
const ACTING_VERBS: &str = "accept activate approve archive assign authenticate authorize block call cancel capture \
     charge clone close complete confirm copy deactivate decline disable duplicate enable execute follow generate \
     import invite invoke join leave like lock login logout merge move open pause pay predict process publish refresh \
     refund register reject reopen reset restart restore resume revoke run send share signin signout signup start stop \
     submit subscribe sync transfer trigger unblock unfollow unlock unpublish unsubscribe upload void";

/// Longest segment that says something, in bytes.
const WORD_MAX: usize = 200;

/// What a tool does, and to what; in snake case.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) method: String,
    pub(super) verb: Verb,
    /// What it is done to, from the path; empty where that says nothing.
    pub(super) object: String,
    /// Whether the object is one of many.
    pub(super) is_one: bool,
    /// By what the one is found, where that is a placeholder.
    pub(super) by: Option<String>,
    host: String,
}

/// What a tool does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// What its method says.
    Method(String),
    /// What its path says.
    Path(String),
    /// A GraphQL operation, if it has a name.
    GraphQl(Option<String>),
}

/// A segment by what it says.
enum Segment {
    Noun(String),
    /// One of what comes before.
    One(Option<String>),
}

impl Parts {
    /// Of the tool that commands become, at its path.
    pub(super) fn of(first: &Example, commands: &[Example], path: &Path) -> Self {
        let method = first.request.method.clone();
        let mut segments: Vec<Segment> = path.segments.iter().filter_map(|segment| Segment::of(segment)).collect();
        let action = match segments.last() {
            Some(Segment::Noun(last)) if is_action(last, &method) => Some(last.clone()),
            _ => None,
        };
        if action.is_some() {
            segments.pop();
        }
        // what is created in a collection is one of its things
        let is_creation = action.is_none() && method == "POST";
        let (is_one, by) = match segments.last() {
            Some(Segment::One(by)) => (true, by.clone()),
            _ => (is_creation, None),
        };
        let nouns = nouns(segments, is_creation);
        let by = by.filter(|_| action.is_none() && !nouns.is_empty()).and_then(|by| without_noun(&by, nouns.last()));
        let verb = match (is_graphql(commands, path), action) {
            (true, _) => Verb::GraphQl(operation(first, commands)),
            (false, Some(action)) => Verb::Path(action),
            (false, None) => Verb::Method(method_verb(&method)),
        };
        Self { verb, object: nouns.join("_"), is_one, by, host: host_word(path.host()), method }
    }

    /// The name of the tool.
    pub(super) fn name(&self) -> String {
        let mut words: Vec<&str> = match &self.verb {
            Verb::GraphQl(operation) => vec![operation.as_deref().unwrap_or("graphql")],
            Verb::Method(verb) if self.object.is_empty() => vec![verb, &self.host],
            Verb::Path(verb) | Verb::Method(verb) => vec![verb, &self.object],
        };
        if let (Some(by), false) = (&self.by, matches!(self.verb, Verb::GraphQl(_))) {
            words.extend(["by", by]);
        }
        words.retain(|word| !word.is_empty());
        names::cut(&words.join("_"), NAME_MAX).trim_end_matches('_').to_owned()
    }
}

impl Segment {
    /// `None` for what says nothing.
    fn of(segment: &str) -> Option<Self> {
        let bare =
            segment.rsplit_once('.').filter(|(_, ending)| is_file_ending(ending)).map_or(segment, |(bare, _)| bare);
        if let Some(name) = path::placeholder(bare) {
            return Some(Self::One(Some(snake(name)).filter(|name| !name.is_empty())));
        }
        if path::is_prefix(segment) {
            return None;
        }
        if path::is_id(bare) || is_opaque(bare) || bare.len() > WORD_MAX {
            return Some(Self::One(None));
        }
        let noun = snake(&percent_decode_str(bare).decode_utf8_lossy());
        (!noun.is_empty()).then_some(Self::Noun(noun))
    }
}

/// The nouns, in the singular where one of many is meant.
fn nouns(segments: Vec<Segment>, is_last_one: bool) -> Vec<String> {
    let mut nouns: Vec<String> = Vec::new();
    let singular = |last: &mut String| *last = snake_singular(last);
    for segment in segments {
        match segment {
            Segment::Noun(noun) => nouns.push(noun),
            Segment::One(_) => nouns.last_mut().map_or((), singular),
        }
    }
    if let Some(last) = nouns.last_mut().filter(|_| is_last_one) {
        singular(last);
    }
    nouns
}

fn is_file_ending(ending: &str) -> bool {
    ["json", "xml", "php", "html", "csv", "txt", "aspx", "cgi"].contains(&ending)
}

/// Whether a segment is a verb, or begins with one as in `sendMessage`; but `import_jobs` are things.
fn is_action(segment: &str, method: &str) -> bool {
    let (verb, object) = segment.split_once('_').unwrap_or((segment, ""));
    let is_of = |verbs: &str| !object.ends_with('s') && verbs.split(' ').any(|one| one == verb);
    match method {
        "GET" | "HEAD" => is_of(READING_VERBS),
        "POST" | "PUT" | "PATCH" => is_of(READING_VERBS) || is_of(ACTING_VERBS),
        _ => false,
    }
}

fn method_verb(method: &str) -> String {
    match method {
        "POST" => "create".to_owned(),
        "PUT" | "PATCH" => "update".to_owned(),
        other => Some(snake(other))
            .filter(|verb| verb.starts_with(|c: char| c.is_ascii_lowercase()))
            .unwrap_or_else(|| "call".to_owned()),
    }
}

/// The `user_id` of a user is just its `id`, and a `user` itself says nothing more.
fn without_noun(by: &str, noun: Option<&String>) -> Option<String> {
    let rest =
        noun.and_then(|noun| by.strip_prefix(noun.as_str())).filter(|rest| rest.is_empty() || rest.starts_with('_'));
    let by = rest.map_or(by, |rest| rest.trim_start_matches('_'));
    (!by.is_empty()).then(|| by.to_owned())
}

/// The word of a host name that is its own: `example` of `api.example.co.uk`.
fn host_word(host: &str) -> String {
    if host.split('.').all(|label| label.bytes().all(|b| b.is_ascii_digit())) {
        return snake(host);
    }
    let mut labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty()).collect();
    if labels.len() > 1 {
        labels.pop();
    }
    if labels.len() > 1 && labels.last().is_some_and(|label| label.len() <= 3) {
        labels.pop();
    }
    labels.last().map(|label| snake(label)).unwrap_or_default()
}

fn is_graphql(commands: &[Example], path: &Path) -> bool {
    let last = path.segments.iter().rfind(|segment| !segment.is_empty());
    last.is_some_and(|last| last.to_ascii_lowercase().ends_with("graphql"))
        && commands.iter().all(|command| {
            command.payload.kind == Kind::Json && command.payload.members().any(|(name, _)| name == "query")
        })
}

/// The name of the operation, if the commands have one and the same.
fn operation(first: &Example, commands: &[Example]) -> Option<String> {
    let named = |command: &Example| {
        let found = command.payload.members().find(|(name, _)| *name == "operationName");
        found.and_then(|(_, value)| json::as_string(value))
    };
    let name = named(first)?;
    let name = Some(name).filter(|name| commands.iter().all(|command| named(command).as_ref() == Some(name)));
    let snake = snake(&name?);
    Some(snake.trim_start_matches(|c: char| !c.is_ascii_lowercase()).to_owned()).filter(|name| !name.is_empty())
}
