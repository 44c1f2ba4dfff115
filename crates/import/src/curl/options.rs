//! Parses the words of a curl command as options and URLs by curl's rules: short options may be clustered, a value may
//! be attached to its letter, and a long name may be abbreviated to a unique prefix.

pub(super) mod table;

use std::borrow::Cow;
use std::vec;

use super::error::ParseError;
use super::words::word::Word;
use crate::warnings::Warnings;
use table::{CurlOption, Effect};

/// The options and URLs of one request, in order.
#[derive(Default)]
pub(super) struct Options {
    /// Offset of the command.
    pub(super) offset: usize,
    /// URLs as typed.
    pub(super) urls: Vec<Word>,
    /// The options that affect a tool, without the URLs.
    pub(super) given: Vec<GivenOption>,
    pub(super) warnings: Warnings,
}

/// An option with its value.
pub(super) struct GivenOption {
    pub(super) effect: Effect,
    /// Its long name.
    pub(super) name: &'static str,
    /// Empty for a switch.
    pub(super) value: String,
    /// Whether the option is switched on; `--no-…` switches it off.
    pub(super) is_on: bool,
    pub(super) offset: usize,
}

impl Options {
    /// Parses the words after `curl`. `--next` starts the options of another request. The result has at most one
    /// request more than `max`, so that the caller can detect that it is incomplete.
    pub(super) fn parse(words: Vec<Word>, max: usize) -> Result<Vec<Self>, ParseError> {
        let mut parser = OptionsParser { words: words.into_iter(), ..OptionsParser::default() };
        parser.parse(max)?;
        parser.finished.push(parser.current);
        Ok(parser.finished)
    }

    /// The last option with this effect.
    pub(super) fn last(&self, effect: Effect) -> Option<&GivenOption> {
        self.given.iter().rev().find(|given| given.effect == effect)
    }

    /// Whether a switch is on.
    pub(super) fn is_on(&self, effect: Effect) -> bool {
        self.last(effect).is_some_and(|given| given.is_on)
    }
}

#[derive(Default)]
struct OptionsParser {
    words: vec::IntoIter<Word>,
    /// The requests before the last `--next`.
    finished: Vec<Options>,
    current: Options,
    /// A word that is the URL only if there is no other: the word after an unknown option, or a variable.
    url_candidate: Option<Word>,
}

impl OptionsParser {
    fn parse(&mut self, max: usize) -> Result<(), ParseError> {
        // After `--` every word is a URL.
        let mut are_options_over = false;
        let mut is_after_unknown_option = false;
        while self.finished.len() <= max
            && let Some(word) = self.words.next()
        {
            let is_url_candidate = std::mem::take(&mut is_after_unknown_option);
            let text = with_ascii_dashes(&word.text);
            if are_options_over || text == "-" || !text.starts_with('-') {
                self.add_url(word, is_url_candidate);
            } else if text == "--" {
                are_options_over = true;
            } else if let Some(name) = text.strip_prefix("--") {
                is_after_unknown_option = !self.parse_long(name, word.offset)?;
            } else {
                is_after_unknown_option = !self.parse_short(&text, word.offset)?;
            }
        }
        self.resolve_url_candidate();
        Ok(())
    }

    fn add_url(&mut self, word: Word, is_candidate: bool) {
        let is_variable = word.text.starts_with('$') && !word.text.contains('/');
        if (is_candidate || is_variable) && !word.text.contains("://") {
            self.url_candidate = Some(word);
        } else {
            self.current.urls.push(word);
        }
    }

    /// Uses the candidate as the URL if there is no other.
    fn resolve_url_candidate(&mut self) {
        if let Some(word) = self.url_candidate.take()
            && self.current.urls.is_empty()
        {
            self.current.urls.push(word);
        }
    }

    /// Parses a long option. `typed` is the word without its dashes. Returns `false` if curl has no such option.
    fn parse_long(&mut self, typed: &str, offset: usize) -> Result<bool, ParseError> {
        let (name, attached) = match typed.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (typed, None),
        };
        let Some((option, is_on)) = find_option(name, offset)? else {
            self.current.warnings.add(match printable_name(name) {
                Some(name) => format!("--{name} was ignored: curl has no such option."),
                None => "An unknown option was ignored.".to_owned(),
            });
            return Ok(false);
        };
        let value =
            if option.takes_value { Some(attached.map_or_else(|| self.take_value(option, offset), Ok)?) } else { None };
        self.add(option, value.unwrap_or_default(), is_on, offset);
        Ok(true)
    }

    /// Parses the letters after a single dash. The first option that takes a value consumes the rest of the word or the
    /// next word. Returns `false` if curl does not have one of the options, and none takes a value.
    fn parse_short(&mut self, text: &str, offset: usize) -> Result<bool, ParseError> {
        let mut letters = text.chars();
        letters.next();
        let mut is_known = true;
        while let Some(letter) = letters.next() {
            let Some(option) = table::short(letter) else {
                is_known = false;
                self.current.warnings.add(format!("-{letter} was ignored: curl has no such option."));
                continue;
            };
            if option.takes_value {
                let rest = letters.as_str();
                let value = if rest.is_empty() { self.take_value(option, offset)? } else { rest.to_owned() };
                self.add(option, value, true, offset);
                return Ok(true);
            }
            self.add(option, String::new(), true, offset);
        }
        Ok(is_known)
    }

    /// Takes the next word as the value of an option.
    fn take_value(&mut self, option: CurlOption, offset: usize) -> Result<String, ParseError> {
        let value = self.words.next().map(|word| word.text);
        value.ok_or_else(|| ParseError::new(format!("the option --{} needs a value", option.name), offset))
    }

    fn add(&mut self, option: CurlOption, value: String, is_on: bool, offset: usize) {
        let CurlOption { name, effect, .. } = option;
        match effect {
            Effect::Url => self.current.urls.push(Word { text: value, offset }),
            Effect::Next => {
                self.resolve_url_candidate();
                self.finished.push(std::mem::take(&mut self.current));
            }
            Effect::Unsupported if is_on => self.current.warnings.add(unsupported_warning(name)),
            Effect::Unsupported | Effect::Ignored => {}
            _ => self.current.given.push(GivenOption { effect, name, value, is_on, offset }),
        }
    }
}

/// Finds an option by its long name or an unambiguous prefix. Also returns whether the name switches the option
/// on; `--no-…` switches it off.
fn find_option(name: &str, offset: usize) -> Result<Option<(CurlOption, bool)>, ParseError> {
    let name = name.strip_prefix("expand-").filter(|name| table::long(name).is_some()).unwrap_or(name);
    let prefix_matches = match table::search(name) {
        Ok(option) => return Ok(Some((option, true))),
        Err(prefix_matches) => prefix_matches,
    };
    let negated = name.strip_prefix("no-").and_then(table::long).filter(|option| !option.takes_value);
    if let Some(option) = negated {
        return Ok(Some((option, false)));
    }
    match prefix_matches {
        _ if name.is_empty() => Ok(None),
        [option] => Ok(Some((*option, true))),
        none_or_several => match (table::negated_by(name), none_or_several) {
            (Some(option), _) => Ok(Some((option, false))),
            (None, [first, second, ..]) => {
                // The message may repeat the typed name: a prefix of an option name is not a secret.
                let reason =
                    format!("the option --{name} is ambiguous: it may be --{} or --{}", first.name, second.name);
                Err(ParseError::new(reason, offset))
            }
            // `--H` is accepted for `-H`.
            (None, _) => Ok(single_letter(name).and_then(table::short).map(|option| (option, true))),
        },
    }
}

/// The letter of a name that consists of one letter.
fn single_letter(name: &str) -> Option<char> {
    let mut letters = name.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// The text with ASCII dashes at its start: word processors replace `--` and `-` with long dashes.
fn with_ascii_dashes(text: &str) -> Cow<'_, str> {
    if !text.starts_with(['–', '—']) {
        return text.into();
    }
    let rest = text.trim_start_matches(['–', '—', '-']);
    let name = rest.split('=').next().unwrap_or_default();
    let is_long = name.len() > 1 && matches!(find_option(name, 0), Ok(Some(_)));
    format!("{}{rest}", if is_long { "--" } else { "-" }).into()
}

/// Maximum length of the name of an unknown option that a warning repeats, in bytes.
const REPEATED_NAME_MAX: usize = 40;

/// The name if it looks like an option name. Any other text may be a secret value and is not repeated in a warning.
fn printable_name(name: &str) -> Option<&str> {
    let is_name = name.len() <= REPEATED_NAME_MAX
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    is_name.then_some(name)
}

fn unsupported_warning(name: &str) -> String {
    let reason = match name {
        "insecure" => "upstream certificates are always verified",
        "config" | "netrc" | "netrc-file" | "netrc-optional" => "no file is read",
        "cert" | "cert-type" | "key" | "key-type" | "pass" | "cacert" | "capath" | "crlfile" | "ca-native"
        | "pinnedpubkey" => "tools do not support custom certificates",
        "request-target" => "tools always send the path of the URL",
        "path-as-is" => "dot segments in the path of a URL are always resolved",
        "time-cond" | "etag-compare" => "set the corresponding header with -H instead",
        "continue-at" => "set the range with -r instead",
        "location-trusted" => "credentials are never sent to another origin",
        "variable" => "variables are not expanded",
        _ => "tools do not support it",
    };
    format!("--{name} was ignored: {reason}.")
}
