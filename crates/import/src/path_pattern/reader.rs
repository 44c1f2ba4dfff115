//! Reads the segments of a path one after the other.

use percent_encoding::percent_decode_str;

use super::{PathArgument, PathPattern, PathToken, action, prefix, segment, variables};
use crate::naming::{self, NAME_MAX, UniqueNames};
use crate::request::path::UrlPath;
use crate::spelling;
use crate::tables::{
    NAMED_COLLECTIONS, SELECTOR_NOUNS, VERBS_ONLY_WHEN_WRITING, WORDS_THAT_ARE_NO_SLUGS, WRITING_VERBS,
};

/// The port of `CouchDB`, whose paths begin with the name of a database.
const COUCHDB_PORT: &str = "5984";
/// File endings of segments, which are not part of a name.
const FILE_ENDINGS: [&str; 12] =
    [".json", ".xml", ".php", ".html", ".csv", ".txt", ".aspx", ".asmx", ".ashx", ".svc", ".jsp", ".cgi"];
/// Maximum length of the noun that an argument is named after, in bytes.
const NOUN_MAX: usize = 50;

/// Reads a path. If `is_fixed`, no segment becomes an argument.
pub(super) fn read(path: &UrlPath, method: &str, is_fixed: bool) -> PathPattern {
    let domain_label = path.domain_label();
    let prefix_length = prefix::length(&path.segments, &domain_label);
    let (prefix, rest) = path.segments.split_at_checked(prefix_length).unwrap_or((&path.segments, &[]));
    let mut reader = Reader {
        domain_label,
        is_couchdb: path.port() == Some(COUCHDB_PORT),
        method,
        is_fixed,
        names: UniqueNames::default(),
        pattern: PathPattern::default(),
    };
    for segment in prefix {
        reader.push_partly_fixed(segment);
    }
    let last = rest.iter().rposition(|segment| !segment.is_empty());
    for (index, segment) in rest.iter().enumerate() {
        let following = rest.get(index + 1).map(|next| without_ending(next));
        let is_last = last.is_none_or(|last| index >= last);
        reader.read_segment(segment, following.unwrap_or_default(), is_last);
    }
    reader.pattern.with_action_moved(method)
}

struct Reader<'a> {
    domain_label: String,
    is_couchdb: bool,
    method: &'a str,
    is_fixed: bool,
    names: UniqueNames,
    pattern: PathPattern,
}

/// A segment without its ending.
struct SegmentParts<'a> {
    stem: &'a str,
    /// The file ending or `:verb`, which stays in the URL.
    ending: &'a str,
    /// The words of a verb after a colon.
    action: Option<Vec<String>>,
}

impl Reader<'_> {
    fn read_segment(&mut self, raw: &str, following: &str, is_last: bool) {
        if raw.is_empty() {
            return self.pattern.segments.push(String::new());
        }
        let SegmentParts { stem, ending, action } = self.split_ending(raw, is_last);
        let decoded = percent_decode_str(stem).decode_utf8().ok();
        let name = decoded
            .as_ref()
            .filter(|_| !self.is_fixed)
            .and_then(|text| self.argument_name(stem, text, following, is_last));
        if let (Some(name), Some(text)) = (name, decoded) {
            self.push_argument(&name, stem, &text, ending);
        } else {
            self.push_partly_fixed(raw);
            self.push_words(stem, is_last);
        }
        if action.is_some() {
            self.pattern.action = action;
        }
    }

    fn split_ending<'a>(&self, raw: &'a str, is_last: bool) -> SegmentParts<'a> {
        let stem = without_ending(raw);
        let colon = stem.rsplit_once(':').filter(|(before, _)| is_last && !before.is_empty());
        let with_action = colon.and_then(|(before, verb)| Some((before, action::words(verb, self.method)?)));
        let (stem, action) = with_action.map_or((stem, None), |(before, words)| (before, Some(words)));
        SegmentParts { stem, ending: raw.strip_prefix(stem).unwrap_or_default(), action }
    }

    /// The name of the argument that a segment becomes; `None` for a fixed segment. The first matching rule applies.
    fn argument_name(&self, stem: &str, text: &str, following: &str, is_last: bool) -> Option<String> {
        let previous = self.pattern.tokens.last();
        let previous_noun = match previous {
            Some(PathToken::Noun(noun)) => Some(noun.as_str()),
            _ => None,
        };
        if let Some(name) = segment::placeholder_name(stem, &self.domain_label) {
            return Some(if name.is_empty() { id_name(self.pattern.last_noun()) } else { name });
        }
        if variables::to_placeholders(stem).contains('{') {
            // Only a part of the segment is an argument.
            return None;
        }
        if segment::is_id(text) {
            return Some(id_name(previous_noun));
        }
        if let Some(name) = segment::value_name(text) {
            return Some(name.to_owned());
        }
        if let Some(selector) = previous_noun.filter(|noun| SELECTOR_NOUNS.contains(noun)) {
            return Some(selector.to_owned());
        }
        match (previous_noun, self.pattern.arguments.last(), &*self.pattern.tokens) {
            (Some("repos"), ..) => return Some("owner".to_owned()),
            (_, Some(last), [.., PathToken::Noun(repos), PathToken::Item])
                if last.name == "owner" && repos == "repos" =>
            {
                return Some("repo".to_owned());
            }
            _ => {}
        }
        if previous.is_none() && following.starts_with('_') && !text.starts_with('_') {
            return Some(if self.is_couchdb { "database" } else { "index" }.to_owned());
        }
        let is_name = is_last && self.method == "GET" && self.is_name(text, previous.is_none());
        match previous_noun {
            Some(noun) if self.is_slug(text, noun, following, is_last) => Some(spelling::singular_snake_case(noun)),
            _ => is_name.then(|| "name".to_owned()),
        }
    }

    /// Whether a text at the end of a path is a name because it is capitalised: `/page/summary/Alan_Turing`. A plural,
    /// a verb, or a text after another capitalised segment is not a name, unless it is the only segment.
    fn is_name(&self, text: &str, is_only_segment: bool) -> bool {
        let is_word = || {
            spelling::is_plural(&spelling::to_snake_case(text))
                || action::words(text, self.method).is_some()
                || self.pattern.segments.iter().any(|segment| is_capitalized(segment))
        };
        is_capitalized(text) && (is_only_segment || !is_word())
    }

    /// Whether a segment after a noun is the name of one of its items.
    fn is_slug(&self, text: &str, noun: &str, following: &str, is_last: bool) -> bool {
        let is_named_collection = NAMED_COLLECTIONS.contains(noun);
        let is_word = (!is_named_collection && spelling::is_plural(&spelling::to_snake_case(text)))
            || WORDS_THAT_ARE_NO_SLUGS.contains(text)
            || SELECTOR_NOUNS.contains(text)
            || text.starts_with('_')
            || self.is_format(text, is_last)
            || (noun == "actions" && self.method == "POST")
            || (is_last && action::words(text, self.method).is_some());
        let is_followed =
            spelling::is_plural(&spelling::to_snake_case(following)) || action::words(following, self.method).is_some();
        let has_other_letters = !text.bytes().all(|b| b.is_ascii_lowercase());
        spelling::is_plural(noun) && !is_word && (is_last || has_other_letters || is_followed || is_named_collection)
    }

    /// Whether the last segment is a response format, or repeats the method.
    fn is_format(&self, text: &str, is_last: bool) -> bool {
        is_last && (matches!(text, "json" | "xml") || text.eq_ignore_ascii_case(self.method))
    }

    fn push_argument(&mut self, name: &str, stem: &str, text: &str, ending: &str) {
        if let Some(PathToken::Noun(noun)) = self.pattern.tokens.last().filter(|_| SELECTOR_NOUNS.contains(name))
            && noun == name
        {
            self.pattern.selector = Some(name.to_owned());
            self.pattern.tokens.pop();
        }
        let name = self.names.take(&naming::truncate(name, NAME_MAX));
        self.pattern.segments.push(format!("{{{name}}}{ending}"));
        let is_placeholder = segment::placeholder_name(stem, &self.domain_label).is_some();
        let braced = crate::request::path::placeholder_name(stem);
        let is_variable = stem.starts_with('$');
        let text = if braced.is_some() || is_variable { name.clone() } else { text.to_owned() };
        self.pattern.arguments.push(PathArgument { name, text, is_placeholder });
        self.pattern.tokens.push(PathToken::Item);
    }

    /// Adds a segment that is fixed, except for placeholders within it.
    fn push_partly_fixed(&mut self, raw: &str) {
        if self.is_fixed {
            // A fixed path has placeholders only for keys, which are not arguments.
            return self.pattern.segments.push(raw.to_owned());
        }
        let text = variables::to_placeholders(raw);
        for name in text.split('{').skip(1).filter_map(|after| Some(after.split_once('}')?.0)) {
            if !self.names.is_taken(name) {
                let name = self.names.take(name);
                self.pattern.arguments.push(PathArgument { text: name.clone(), name, is_placeholder: true });
            }
        }
        self.pattern.segments.push(text);
    }

    /// Adds the meaning of a fixed segment for the name.
    fn push_words(&mut self, stem: &str, is_last: bool) {
        if self.is_format(stem, is_last) || matches!(stem, "me" | "self" | "api") {
            return;
        }
        let is_item = self.is_fixed && segment::is_id(stem) || stem.contains(['{', '}']);
        if is_item {
            return self.pattern.tokens.push(PathToken::Item);
        }
        let stem = percent_decode_str(stem).decode_utf8_lossy();
        match stem.rsplit_once('.') {
            Some((file, ending)) if self.is_fixed && ending.len() <= 4 => self.push_noun(file),
            Some((noun, member)) => self.push_member(noun, member),
            None if is_last && !self.is_fixed => match self.action_words(&stem) {
                Some(words) => self.pattern.action = Some(words),
                None => self.push_noun(&stem),
            },
            None => self.push_noun(&stem),
        }
    }

    /// The words of a verb at the end of a path: a verb of the tables, or any words after `actions` or `rpc`.
    fn action_words(&mut self, stem: &str) -> Option<Vec<String>> {
        let is_after = |noun: &str| self.pattern.tokens.last().is_some_and(|token| is_noun(token, noun));
        let is_plural = spelling::is_plural(&spelling::to_snake_case(stem));
        if self.method == "POST" && (is_after("rpc") || (is_after("actions") && !is_plural)) {
            self.pattern.tokens.pop();
            return Some(spelling::words(&spelling::to_ascii(stem)));
        }
        action::words(stem, self.method)
    }

    /// Adds the words of `noun.member`, as in `chat.postMessage` and `users.info`.
    fn push_member(&mut self, noun: &str, member: &str) {
        if let Some(words) = action::words(member, self.method) {
            self.push_noun(noun);
            self.pattern.action = Some(words);
        } else if member == "info" {
            self.push_noun(noun);
            self.pattern.tokens.push(PathToken::Item);
        } else {
            self.push_noun(&spelling::singular_snake_case(&spelling::to_snake_case(noun)));
            self.push_noun(member);
        }
    }

    fn push_noun(&mut self, text: &str) {
        let noun = spelling::to_snake_case(text);
        if !noun.is_empty() {
            self.pattern.tokens.push(PathToken::Noun(noun));
        }
    }
}

impl PathPattern {
    /// Makes a verb among the tokens the action, as in `/search/repositories` and `/trigger/pipeline`, and removes the
    /// noun `actions` before a verb.
    fn with_action_moved(mut self, method: &str) -> Self {
        let has_verb = self.action.as_ref().is_some_and(|words| words.len() == 1);
        if has_verb && self.tokens.last().is_some_and(|last| is_noun(last, "actions")) {
            self.tokens.pop();
        }
        if self.action.is_some() {
            return self;
        }
        let verb = match &*self.tokens {
            [PathToken::Noun(first), _, ..] if first == "search" => Some((0, first)),
            [.., PathToken::Noun(verb), PathToken::Noun(object)]
                if method == "POST" && is_certain_verb(verb) && !spelling::is_plural(object) =>
            {
                Some((self.tokens.len() - 2, verb))
            }
            _ => None,
        };
        if let Some((index, verb)) = verb.map(|(index, verb)| (index, verb.clone())) {
            self.tokens.remove(index);
            self.action = Some(vec![verb]);
        }
        self
    }
}

/// Whether a word is a verb that is hardly ever a noun.
fn is_certain_verb(noun: &str) -> bool {
    WRITING_VERBS.contains(noun) && !VERBS_ONLY_WHEN_WRITING.contains(noun)
}

fn is_noun(token: &PathToken, expected: &str) -> bool {
    matches!(token, PathToken::Noun(noun) if noun == expected)
}

/// A segment without its file ending.
fn without_ending(segment: &str) -> &str {
    let stem = FILE_ENDINGS.iter().find_map(|ending| segment.strip_suffix(ending));
    stem.filter(|stem| !stem.is_empty()).unwrap_or(segment)
}

/// The name of an id argument after a noun: `user_id` after `users`.
fn id_name(noun: Option<&str>) -> String {
    let noun = noun.map(|noun| spelling::singular_snake_case(&naming::truncate(noun, NOUN_MAX)));
    match noun.filter(|noun| noun.starts_with(|c: char| c.is_ascii_lowercase())) {
        Some(noun) => format!("{noun}_id"),
        None => "id".to_owned(),
    }
}

/// Whether a text begins with a capital and a small letter.
fn is_capitalized(text: &str) -> bool {
    let mut letters = text.bytes();
    letters.next().is_some_and(|b| b.is_ascii_uppercase()) && letters.next().is_some_and(|b| b.is_ascii_lowercase())
}
