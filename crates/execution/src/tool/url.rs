//! The address of one call: the tool's `endpoint_url` with arguments in the places of its placeholders, arguments that
//! go into the query, and a key that does.
//!
//! Origin, literal text and the number of path segments are fixed when the tool is compiled. A value cannot change
//! them: everything but the unreserved characters of RFC 3986 is percent-encoded, and what would vanish or climb as a
//! segment ("", "." and "..") is refused.

mod template;

use std::collections::HashSet;

use http::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::value::RawValue;

use super::values;
use crate::arguments::Violation;

/// All but the unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A compiled `endpoint_url`.
#[derive(Debug)]
pub(crate) struct Endpoint {
    /// Scheme, host and port.
    origin: String,
    path: Vec<Piece>,
    query: Vec<Pair>,
    /// What the slots stand for, each name once.
    placeholders: Vec<Placeholder>,
}

/// A placeholder of the address.
#[derive(Debug)]
pub(crate) struct Placeholder {
    /// The name in braces.
    pub(super) name: String,
    /// Whether it stands in the query, maybe among other places.
    pub(super) is_in_query: bool,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    /// The place of a placeholder, by its number.
    Slot(usize),
}

/// One `name=value` of the literal query.
#[derive(Debug)]
struct Pair {
    /// The decoded name, where no placeholder is part of it.
    name: Option<String>,
    pieces: Vec<Piece>,
}

/// What is put into a slot.
#[derive(Clone, Copy)]
pub(crate) struct Filling<'a> {
    /// The argument it comes from.
    pub(super) argument: &'a str,
    /// Its value; `None` for absent and for null.
    pub(super) value: Option<&'a RawValue>,
}

/// A credential in the query.
#[derive(Clone, Copy)]
pub(crate) struct QueryKey<'a> {
    /// The decoded name.
    pub(super) name: &'a str,
    /// Name and value as they are written.
    pub(super) pair: &'a str,
}

impl Endpoint {
    pub(super) fn placeholders(&self) -> &[Placeholder] {
        &self.placeholders
    }

    /// The whole address. An argument replaces what the literal query says under its name, and the key replaces both.
    pub(crate) fn address(
        &self,
        fillings: &[Filling<'_>],
        query: &[(&str, &RawValue)],
        key: Option<QueryKey<'_>>,
    ) -> Result<Uri, Violation> {
        let mut out = String::with_capacity(256);
        out.push_str(&self.origin);
        for piece in &self.path {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Slot(slot) => push_segment(&mut out, fillings.get(*slot))?,
            }
        }
        let mut writer = QueryWriter { out, separator: '?' };
        self.write_query(&mut writer, fillings, query, key);
        Uri::try_from(writer.out)
            .map_err(|_| Violation::new("", "the arguments are too long to be sent as part of a URL"))
    }

    fn write_query(
        &self,
        writer: &mut QueryWriter,
        fillings: &[Filling<'_>],
        query: &[(&str, &RawValue)],
        key: Option<QueryKey<'_>>,
    ) {
        if !self.query.is_empty() {
            let given: HashSet<&str> = query.iter().map(|(name, _)| *name).chain(key.map(|key| key.name)).collect();
            for pair in &self.query {
                if pair.name.as_deref().is_none_or(|name| !given.contains(name)) {
                    pair.write(writer, fillings, key);
                }
            }
        }
        for (name, value) in query.iter().filter(|(name, _)| key.is_none_or(|key| key.name != *name)) {
            values::for_each_text(value, |text| writer.add(|out| push_pair(out, name, text)));
        }
        if let Some(key) = key {
            writer.add(|out| out.push_str(key.pair));
        }
    }
}

impl Pair {
    fn write(&self, writer: &mut QueryWriter, fillings: &[Filling<'_>], key: Option<QueryKey<'_>>) {
        let value_of = |slot: usize| fillings.get(slot).and_then(|filling| filling.value);
        match self.pieces.as_slice() {
            // `name={x}` behaves like an argument of that name: it is repeated for a list, and absent without a value
            [Piece::Text(text), Piece::Slot(slot)] if is_name_only(text) => {
                let Some(value) = value_of(*slot) else { return };
                values::for_each_text(value, |one| {
                    writer.add(|out| {
                        out.push_str(text);
                        push_encoded(out, one);
                    });
                });
            }
            pieces => writer.add_unless(
                |out| {
                    for piece in pieces {
                        match piece {
                            Piece::Text(text) => out.push_str(text),
                            Piece::Slot(slot) => push_within(out, value_of(*slot)),
                        }
                    }
                },
                |written| self.name.is_none() && is_named(written, key),
            ),
        }
    }
}

/// Whether a text ends with the first `=` of its pair.
fn is_name_only(text: &str) -> bool {
    text.strip_suffix('=').is_some_and(|name| !name.contains('='))
}

/// Whether a pair that arguments had a part in has come out with the key's name.
fn is_named(written: &str, key: Option<QueryKey<'_>>) -> bool {
    key.is_some_and(|key| form_urlencoded::parse(written.as_bytes()).any(|(name, _)| name == key.name))
}

/// Writes pairs with `?` before the first and `&` before each other.
struct QueryWriter {
    out: String,
    separator: char,
}

impl QueryWriter {
    fn add(&mut self, write: impl FnOnce(&mut String)) {
        self.add_unless(write, |_| false);
    }

    /// Adds a pair, and takes it back where it is empty or unwanted.
    fn add_unless(&mut self, write: impl FnOnce(&mut String), is_unwanted: impl FnOnce(&str) -> bool) {
        let start = self.out.len();
        self.out.push(self.separator);
        write(&mut self.out);
        let written = self.out.get(start + 1..).unwrap_or_default();
        if written.is_empty() || is_unwanted(written) {
            self.out.truncate(start);
        } else {
            self.separator = '&';
        }
    }
}

/// Writes one value into the path.
fn push_segment(out: &mut String, filling: Option<&Filling<'_>>) -> Result<(), Violation> {
    let Some(Filling { argument, value }) = filling else { return Ok(()) };
    let refuse = |message| Err(Violation::new(argument, message));
    let Some(value) = value else { return refuse("is required: it is part of the URL") };
    let Some(text) = values::joined(value) else {
        return refuse("must be a text, a number or a boolean, or a list of those: it is part of the URL");
    };
    match text.as_ref() {
        "" => refuse("must not be empty: it is part of the URL"),
        "." | ".." => refuse("must not be '.' or '..': it is part of the URL"),
        text if text.chars().any(char::is_control) => refuse("must not hold control characters: it is part of the URL"),
        text => {
            push_encoded(out, text);
            Ok(())
        }
    }
}

/// Writes one value among other text of the query: nothing for none, the JSON of what has no text of its own.
fn push_within(out: &mut String, value: Option<&RawValue>) {
    if let Some(value) = value {
        push_encoded(out, &values::joined(value).unwrap_or(value.get().into()));
    }
}

pub(super) fn push_pair(out: &mut String, name: &str, value: &str) {
    push_encoded(out, name);
    out.push('=');
    push_encoded(out, value);
}

fn push_encoded(out: &mut String, text: &str) {
    out.extend(utf8_percent_encode(text, RESERVED));
}

#[cfg(test)]
mod tests;
