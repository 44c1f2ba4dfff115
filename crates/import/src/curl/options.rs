//! The words of a curl command, read as options and addresses. curl's own rules hold: letters may be clustered, a value
//! may be attached to its letter, a long name may be cut short as long as it is one option's.

pub(super) mod table;

use std::borrow::Cow;
use std::vec;

use super::error::Misread;
use super::warnings::Warnings;
use super::words::Word;
use table::{CurlOption, Effect};

/// What one curl command was told, in its order.
#[derive(Default)]
pub(super) struct Options {
    /// Where the command begins.
    pub(super) at: usize,
    /// Addresses as typed.
    pub(super) urls: Vec<Word>,
    pub(super) given: Vec<Given>,
    pub(super) warnings: Warnings,
}

/// An option that was given.
pub(super) struct Given {
    pub(super) effect: Effect,
    /// Its long name.
    pub(super) name: &'static str,
    /// Empty for a switch.
    pub(super) value: String,
    /// Whether it was not given as `--no-…`.
    pub(super) is_on: bool,
    pub(super) at: usize,
}

impl Options {
    /// Reads the words behind `curl`: what one request was told, or several, for `--next` begins another. Of more than
    /// `most` the first of the others is told, too.
    pub(super) fn read(words: Vec<Word>, most: usize) -> Result<Vec<Self>, Misread> {
        let mut reader =
            Reader { words: words.into_iter(), finished: Vec::new(), current: Self::default(), doubtful: None };
        reader.read(most)?;
        reader.finished.push(reader.current);
        Ok(reader.finished)
    }

    /// The value of the last option with an effect.
    pub(super) fn last(&self, effect: Effect) -> Option<&Given> {
        self.given.iter().rev().find(|given| given.effect == effect)
    }

    /// Whether a switch is on.
    pub(super) fn is_on(&self, effect: Effect) -> bool {
        self.last(effect).is_some_and(|given| given.is_on)
    }
}

struct Reader {
    words: vec::IntoIter<Word>,
    /// Those that `--next` has ended.
    finished: Vec<Options>,
    current: Options,
    /// A word that is an address only if no other is: behind an option that nobody knows, or a variable.
    doubtful: Option<Word>,
}

impl Reader {
    fn read(&mut self, most: usize) -> Result<(), Misread> {
        let mut only_urls = false;
        let mut is_after_unknown = false;
        while self.finished.len() <= most
            && let Some(word) = self.words.next()
        {
            let was_after_unknown = std::mem::take(&mut is_after_unknown);
            let text = undashed(&word.text);
            if only_urls || text == "-" || !text.starts_with('-') {
                self.url(word, was_after_unknown);
            } else if text == "--" {
                only_urls = true;
            } else if let Some(name) = text.strip_prefix("--") {
                is_after_unknown = !self.long(name, word.at)?;
            } else {
                is_after_unknown = !self.short(&text, word.at)?;
            }
        }
        self.settle();
        Ok(())
    }

    fn url(&mut self, word: Word, is_doubtful: bool) {
        let is_variable = word.text.starts_with('$') && !word.text.contains('/');
        if (is_doubtful || is_variable) && !word.text.contains("://") {
            self.doubtful = Some(word);
        } else {
            self.current.urls.push(word);
        }
    }

    /// Takes the doubtful word for an address where there is no other.
    fn settle(&mut self) {
        if let Some(word) = self.doubtful.take()
            && self.current.urls.is_empty()
        {
            self.current.urls.push(word);
        }
    }

    /// Reads a long option; `false` if there is no such option.
    fn long(&mut self, typed: &str, at: usize) -> Result<bool, Misread> {
        let (name, attached) = match typed.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (typed, None),
        };
        let Some((option, is_on)) = find(name, at)? else {
            self.current.warnings.add(match shown(name) {
                Some(name) => format!("--{name} is no option of curl; it was ignored."),
                None => "An option that is none of curl's was ignored.".to_owned(),
            });
            return Ok(false);
        };
        let value = if option.takes_value { Some(attached.map_or_else(|| self.value(option, at), Ok)?) } else { None };
        self.give(option, value.unwrap_or_default(), is_on, at);
        Ok(true)
    }

    /// Reads letters behind one dash: switches, up to the first that takes the rest or the next word as its value.
    fn short(&mut self, text: &str, at: usize) -> Result<bool, Misread> {
        let mut letters = text.chars();
        letters.next();
        let mut is_known = true;
        while let Some(letter) = letters.next() {
            let Some(option) = table::short(letter) else {
                is_known = false;
                self.current.warnings.add(format!("-{letter} is no option of curl; it was ignored."));
                continue;
            };
            if option.takes_value {
                let rest = letters.as_str();
                let value = if rest.is_empty() { self.value(option, at)? } else { rest.to_owned() };
                self.give(option, value, true, at);
                return Ok(true);
            }
            self.give(option, String::new(), true, at);
        }
        Ok(is_known)
    }

    fn value(&mut self, option: CurlOption, at: usize) -> Result<String, Misread> {
        let value = self.words.next().map(|word| word.text);
        value.ok_or_else(|| Misread::new(format!("the option --{} needs a value", option.name), at))
    }

    fn give(&mut self, option: CurlOption, value: String, is_on: bool, at: usize) {
        let CurlOption { name, effect, .. } = option;
        match effect {
            Effect::Url => self.current.urls.push(Word { text: value, at }),
            Effect::Next => {
                self.settle();
                self.finished.push(std::mem::take(&mut self.current));
            }
            Effect::NotCarried if is_on => self.current.warnings.add(not_carried(name)),
            Effect::NotCarried | Effect::Ignored => {}
            _ => self.current.given.push(Given { effect, name, value, is_on, at }),
        }
    }
}

/// An option by its name, and whether it is switched on by it.
fn find(name: &str, at: usize) -> Result<Option<(CurlOption, bool)>, Misread> {
    let name = name.strip_prefix("expand-").filter(|name| table::long(name).is_some()).unwrap_or(name);
    let beginnings = match table::search(name) {
        Ok(option) => return Ok(Some((option, true))),
        Err(beginnings) => beginnings,
    };
    let negated = name.strip_prefix("no-").and_then(table::long).filter(|option| !option.takes_value);
    if let Some(option) = negated {
        return Ok(Some((option, false)));
    }
    match beginnings {
        _ if name.is_empty() => Ok(None),
        [option] => Ok(Some((*option, true))),
        several => match (table::undone_by(name), several) {
            (Some(option), _) => Ok(Some((option, false))),
            (None, [first, second, ..]) => {
                // it is the beginning of a name, so it can be shown
                let reason =
                    format!("the option --{name} is ambiguous: it may be --{} or --{}", first.name, second.name);
                Err(Misread::new(reason, at))
            }
            // `--H` for `-H`
            (None, _) => Ok(single(name).and_then(table::short).map(|option| (option, true))),
        },
    }
}

/// The only letter of a name.
fn single(name: &str) -> Option<char> {
    let mut letters = name.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// Word processors make long dashes of `--` and `-`.
fn undashed(text: &str) -> Cow<'_, str> {
    if !text.starts_with(['–', '—']) {
        return text.into();
    }
    let rest = text.trim_start_matches(['–', '—', '-']);
    let name = rest.split('=').next().unwrap_or_default();
    let is_long = name.len() > 1 && matches!(find(name, 0), Ok(Some(_)));
    format!("{}{rest}", if is_long { "--" } else { "-" }).into()
}

/// A name as typed, if it could be the name of an option; else it may be a value with a dash before it.
fn shown(name: &str) -> Option<&str> {
    let is_name = name.len() <= 40 && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    is_name.then_some(name)
}

fn not_carried(name: &str) -> String {
    let remedy = match name {
        "insecure" => "certificates of upstreams are always verified",
        "config" | "netrc" | "netrc-file" | "netrc-optional" => "no file is read",
        "cert" | "cert-type" | "key" | "key-type" | "pass" | "cacert" | "capath" | "crlfile" | "ca-native"
        | "pinnedpubkey" => "tools have no certificates of their own",
        "request-target" => "the path of the address is what is sent",
        "path-as-is" => "dots in the path of an address are resolved",
        "time-cond" | "etag-compare" => "give the header that it stands for with -H",
        "continue-at" => "give the range with -r",
        "location-trusted" => "credentials are never sent on to another origin",
        "variable" => "variables stay as they are written",
        _ => "tools have nothing like it",
    };
    format!("--{name} was ignored: {remedy}.")
}
