//! The URL of one call: the tool's `endpoint_url` with its placeholders filled, query arguments, and an API key in the
//! query.
//!
//! Origin, literal text and the number of path segments are fixed when the tool is compiled. A value cannot change
//! them: everything but the unreserved characters of RFC 3986 is percent-encoded, and the values "", "." and ".." are
//! refused, because as path segments they would disappear or lead to a parent path.

mod template;

use std::collections::HashSet;

use http::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::values;
use crate::arguments::violation::Violation;

/// The characters that are percent-encoded in values: all but the unreserved ones of RFC 3986.
const PERCENT_ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A compiled `endpoint_url`.
#[derive(Debug)]
pub(crate) struct EndpointTemplate {
    /// Scheme, host and port.
    origin: String,
    path: Vec<UrlPiece>,
    query: Vec<QueryPair>,
    /// The placeholders by slot number, each name once.
    placeholders: Vec<Placeholder>,
}

/// A placeholder of the URL.
#[derive(Debug)]
pub(crate) struct Placeholder {
    /// The name in braces.
    pub(super) name: String,
    /// Whether it occurs in the query, possibly in other parts as well.
    pub(super) is_in_query: bool,
}

#[derive(Debug)]
enum UrlPiece {
    Text(String),
    /// A placeholder, by its slot number.
    Slot(usize),
}

/// One `name=value` pair of the literal query.
#[derive(Debug)]
struct QueryPair {
    /// The decoded name, if it contains no placeholder.
    name: Option<String>,
    pieces: Vec<UrlPiece>,
}

/// The value for a slot.
#[derive(Clone, Copy)]
pub(crate) struct SlotValue<'a> {
    /// The argument it comes from.
    pub(super) argument: &'a str,
    /// The value; `None` if absent or null.
    pub(super) value: Option<&'a str>,
}

/// A credential that is sent in the query.
#[derive(Clone, Copy)]
pub(crate) struct QueryCredential<'a> {
    /// The decoded name.
    pub(super) name: &'a str,
    /// The encoded name and value.
    pub(super) pair: &'a str,
}

impl EndpointTemplate {
    pub(super) fn placeholders(&self) -> &[Placeholder] {
        &self.placeholders
    }

    /// Builds the URI. An argument replaces a literal query pair of its name; the API key replaces both.
    pub(crate) fn build_uri(
        &self,
        slot_values: &[SlotValue<'_>],
        query: &[(&str, &str)],
        credential: Option<QueryCredential<'_>>,
    ) -> Result<Uri, Violation> {
        let mut out = String::with_capacity(256);
        out.push_str(&self.origin);
        for piece in &self.path {
            match piece {
                UrlPiece::Text(text) => out.push_str(text),
                UrlPiece::Slot(slot) => push_segment(&mut out, slot_values.get(*slot))?,
            }
        }
        let mut writer = QueryWriter { out, separator: '?' };
        self.write_query(&mut writer, slot_values, query, credential);
        Uri::try_from(writer.out)
            .map_err(|_| Violation::new("", "the arguments are too long to be sent as part of a URL"))
    }

    fn write_query(
        &self,
        writer: &mut QueryWriter,
        slot_values: &[SlotValue<'_>],
        query: &[(&str, &str)],
        credential: Option<QueryCredential<'_>>,
    ) {
        if !self.query.is_empty() {
            let replaced_names: HashSet<&str> =
                query.iter().map(|(name, _)| *name).chain(credential.map(|credential| credential.name)).collect();
            for pair in &self.query {
                if pair.name.as_deref().is_none_or(|name| !replaced_names.contains(name)) {
                    pair.write(writer, slot_values, credential);
                }
            }
        }
        for (name, value) in
            query.iter().filter(|(name, _)| credential.is_none_or(|credential| credential.name != *name))
        {
            values::for_each_text(value, |text| writer.add(|out| push_pair(out, name, text)));
        }
        if let Some(credential) = credential {
            writer.add(|out| out.push_str(credential.pair));
        }
    }
}

impl QueryPair {
    fn write(&self, writer: &mut QueryWriter, slot_values: &[SlotValue<'_>], credential: Option<QueryCredential<'_>>) {
        let value_of = |slot: usize| slot_values.get(slot).and_then(|slot_value| slot_value.value);
        match self.pieces.as_slice() {
            // `name={x}` behaves like an argument of that name: repeated for a list, omitted without a value.
            [UrlPiece::Text(text), UrlPiece::Slot(slot)] if is_name_with_equals_sign(text) => {
                let Some(value) = value_of(*slot) else { return };
                values::for_each_text(value, |item| {
                    writer.add(|out| {
                        out.push_str(text);
                        push_encoded(out, item);
                    });
                });
            }
            pieces => writer.add_unless(
                |out| {
                    for piece in pieces {
                        match piece {
                            UrlPiece::Text(text) => out.push_str(text),
                            UrlPiece::Slot(slot) => push_query_text(out, value_of(*slot)),
                        }
                    }
                },
                |written| self.name.is_none() && has_credential_name(written, credential),
            ),
        }
    }
}

/// Whether a text is a name and the first `=` of its pair.
fn is_name_with_equals_sign(text: &str) -> bool {
    text.strip_suffix('=').is_some_and(|name| !name.contains('='))
}

/// Whether a pair that was written from arguments has the name of the API key.
fn has_credential_name(written: &str, credential: Option<QueryCredential<'_>>) -> bool {
    credential
        .is_some_and(|credential| form_urlencoded::parse(written.as_bytes()).any(|(name, _)| name == credential.name))
}

/// Writes query pairs: `?` before the first, `&` before the others.
struct QueryWriter {
    out: String,
    separator: char,
}

impl QueryWriter {
    fn add(&mut self, write: impl FnOnce(&mut String)) {
        self.add_unless(write, |_| false);
    }

    /// Adds a pair, and removes it again if it is empty or unwanted.
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
fn push_segment(out: &mut String, slot_value: Option<&SlotValue<'_>>) -> Result<(), Violation> {
    let Some(SlotValue { argument, value }) = slot_value else { return Ok(()) };
    let refuse = |message| Err(Violation::new(argument, message));
    let Some(value) = value else { return refuse("is required: it is part of the URL") };
    let Some(text) = values::joined_text(value) else {
        return refuse("must be a string, a number, a boolean, or a list of these: it is part of the URL");
    };
    match text.as_ref() {
        "" => refuse("must not be empty: it is part of the URL"),
        "." | ".." => refuse("must not be '.' or '..': it is part of the URL"),
        text if text.chars().any(char::is_control) => {
            refuse("must not contain control characters: it is part of the URL")
        }
        text => {
            push_encoded(out, text);
            Ok(())
        }
    }
}

/// Writes a value inside other query text: nothing for a missing value, JSON for objects and nested lists.
fn push_query_text(out: &mut String, value: Option<&str>) {
    if let Some(value) = value {
        push_encoded(out, &values::joined_text(value).unwrap_or(value.into()));
    }
}

pub(super) fn push_pair(out: &mut String, name: &str, value: &str) {
    push_encoded(out, name);
    out.push('=');
    push_encoded(out, value);
}

fn push_encoded(out: &mut String, text: &str) {
    out.extend(utf8_percent_encode(text, PERCENT_ENCODED));
}

#[cfg(test)]
mod tests;
