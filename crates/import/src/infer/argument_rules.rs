//! Decides which arguments a call needs, which have a default, and how they are described.

use serde_json::value::RawValue;
use toolgate_domain::json;

use super::argument::{Location, Occurrence, Presence, ToolArgument};
use super::tool_name::ToolNameParts;
use crate::placeholder::is_placeholder;
use crate::sensitivity;
use crate::spelling;
use crate::tables::descriptions::{self, Purpose};
use crate::tables::{DEFAULT_ALWAYS, DEFAULT_WHEN_READING, DEFAULT_WHEN_WRITING, REQUIRED_IN_BODY, REQUIRED_IN_QUERY};

/// Last words of the names of arguments that a request needs.
const REQUIRED_LAST_WORDS: [&str; 11] =
    ["id", "ids", "query", "key", "token", "secret", "password", "passwd", "otp", "pin", "passcode"];

/// The rules for the arguments of one tool.
pub(super) struct ArgumentRules {
    /// Whether the query and the headers read or write.
    request_purpose: Purpose,
    /// Whether the body reads or writes. The body of a search only reads.
    body_purpose: Purpose,
    /// Whether the tool lists a collection, which it can do without any parameter.
    is_list: bool,
    /// Whether the tool changes only the fields that a call contains.
    is_partial_update: bool,
    /// The words of the tool's name after the verb.
    nouns: Vec<String>,
    body: BodyFacts,
}

/// The properties of a body on which the rules depend.
pub(super) struct BodyFacts {
    pub(super) member_count: usize,
    pub(super) has_secret: bool,
}

impl ArgumentRules {
    pub(super) fn new(parts: &ToolNameParts, body: BodyFacts) -> Self {
        let purpose = |is_reading| if is_reading { Purpose::Reading } else { Purpose::Writing };
        Self {
            request_purpose: purpose(matches!(parts.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "QUERY")),
            body_purpose: purpose(parts.is_reading()),
            is_list: parts.is_list(),
            is_partial_update: parts.method == "PATCH" || (parts.method == "POST" && parts.is_update()),
            nouns: parts.name().split('_').skip(1).map(str::to_owned).collect(),
            body,
        }
    }

    /// Whether a caller must or may set a value; `value` is that of the first request that has one.
    pub(super) fn presence(&self, argument: &ToolArgument, value: &RawValue, occurrence: Occurrence) -> Presence {
        let name = known_name(argument, value);
        let has_default = self.may_have_default(argument.location, &name)
            && sensitivity::may_be_default(&argument.upstream_name, value);
        if occurrence.is_in_all && has_default {
            Presence::Default(value.to_owned())
        } else if occurrence.is_in_all && self.is_required(argument, value) {
            Presence::Required
        } else {
            Presence::Optional
        }
    }

    /// Describes an argument by its name, and an optional one also by its value.
    pub(super) fn describe(&self, argument: &mut ToolArgument, value: &RawValue) {
        let name = known_name(argument, value);
        let description = descriptions::describe(&name, self.purpose(argument.location));
        let example = sensitivity::displayed_example(&argument.upstream_name, value)
            .filter(|_| matches!(argument.presence, Presence::Optional))
            .map(|example| format!("Example: {example}"));
        argument.description = match (description, example) {
            (Some(description), Some(example)) => Some(format!("{description}. {example}")),
            (description, example) => example.or_else(|| description.map(str::to_owned)),
        };
    }

    fn purpose(&self, location: Location) -> Purpose {
        match location {
            Location::Path => Purpose::Identifying,
            Location::Variables => Purpose::Reading,
            Location::Query | Location::Header => self.request_purpose,
            Location::Body => self.body_purpose,
        }
    }

    fn may_have_default(&self, location: Location, name: &str) -> bool {
        DEFAULT_ALWAYS.contains(name)
            || match (location, self.purpose(location)) {
                (Location::Query | Location::Body, Purpose::Reading) => DEFAULT_WHEN_READING.contains(name),
                (Location::Query, Purpose::Writing) => DEFAULT_WHEN_WRITING.contains(name),
                _ => false,
            }
    }

    fn is_required(&self, argument: &ToolArgument, value: &RawValue) -> bool {
        let stem = argument.upstream_name.split('[').next().unwrap_or_default();
        let name = spelling::to_snake_case(stem);
        let text = json::as_string(value);
        let is_placeholder = text.as_deref().is_some_and(is_placeholder);
        let is_boolean = is_boolean(value);
        match argument.location {
            Location::Path | Location::Header => true,
            Location::Variables => false,
            Location::Query if self.request_purpose == Purpose::Reading => {
                is_placeholder || (!is_boolean && !self.is_list && REQUIRED_IN_QUERY.contains(&name))
            }
            Location::Body if self.body.member_count == 1 => true,
            Location::Query | Location::Body => {
                let is_nothing = is_boolean || json::is_null(value);
                let is_body = argument.location == Location::Body;
                let is_noun = is_body && self.is_noun(&name);
                // A secret member of the body can only be sent by an argument.
                let is_secret = is_body && text.is_some() && sensitivity::is_secret_name(&argument.upstream_name);
                is_placeholder
                    || (!is_nothing
                        && !self.is_partial_update
                        && (is_noun || is_secret || self.is_identifying(argument, &name, value)))
            }
        }
    }

    /// Whether a name is a noun of the tool's name, which may consist of several words.
    fn is_noun(&self, name: &str) -> bool {
        let words: Vec<&str> = name.split('_').collect();
        self.nouns.windows(words.len()).any(|nouns| {
            let mut pairs = nouns.iter().zip(&words);
            pairs.all(|(noun, word)| spelling::singular(noun) == spelling::singular(word))
        })
    }

    /// Whether a member identifies the object of the request.
    fn is_identifying(&self, argument: &ToolArgument, name: &str, value: &RawValue) -> bool {
        let is_number = value.get().starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let is_nested = argument.upstream_name.contains('[') && !argument.upstream_name.ends_with("[]");
        if REQUIRED_IN_BODY.contains(name) {
            return !(name == "from" && is_number);
        }
        let words: Vec<&str> = name.split('_').collect();
        let is_user = matches!(name, "username" | "login") && self.body.has_secret;
        let has_required_word = words.contains(&"amount")
            || words.first().is_some_and(|word| matches!(*word, "id" | "ids"))
            || words.last().is_some_and(|word| REQUIRED_LAST_WORDS.contains(word));
        !is_nested && (is_user || has_required_word)
    }
}

/// The name under which the word tables list an argument; empty if its value shows that the name means something else.
fn known_name(argument: &ToolArgument, value: &RawValue) -> String {
    let name = spelling::to_snake_case(&argument.upstream_name);
    let text = value.get();
    let has_other_meaning = match name.as_str() {
        // `count=true` asks for a count and limits nothing.
        "count" => is_boolean(value),
        // An object is a document rather than a text.
        "body" => text.starts_with('{'),
        // A conversation has speakers; other messages are items of a queue.
        "messages" => text.contains('{') && !text.contains("\"role\""),
        // A pair of coordinates is a place, not a time.
        "start" | "end" => text.contains(','),
        _ => false,
    };
    if has_other_meaning { String::new() } else { name }
}

fn is_boolean(value: &RawValue) -> bool {
    matches!(value.get(), "true" | "false")
}
