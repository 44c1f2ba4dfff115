//! The URL of one call: the tool's `endpoint_url` with its placeholders filled, query arguments, and API keys in the
//! query or the path.
//!
//! Origin, literal text and the number of path segments are fixed when the tool is compiled. A value cannot change
//! them: everything but the unreserved characters of RFC 3986 is percent-encoded, and the values "", "." and ".." are
//! refused, because as path segments they would disappear or lead to a parent path.

mod template;

use std::borrow::Cow;
use std::collections::HashSet;

use http::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};
use toolgate_domain::headers::MASK;
use toolgate_domain::parameters::Serialization;

use super::style::{self, Encode};
use super::values;
use crate::arguments::violation::Violation;

/// The characters that are percent-encoded in values: all but the unreserved ones of RFC 3986.
const PERCENT_ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The characters that are percent-encoded in values with `allow_reserved`. Reserved characters are not encoded, except
/// those that could end a value: `?`, `#`, `[` and `]` are not allowed in a path, and `&` begins another parameter.
const RESERVED_ENCODED: &AsciiSet = &PERCENT_ENCODED
    .remove(b':')
    .remove(b'/')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Like [`RESERVED_ENCODED`], for the query, in which `?`, `[` and `]` are allowed.
const RESERVED_QUERY_ENCODED: &AsciiSet = &RESERVED_ENCODED.remove(b'?').remove(b'[').remove(b']');

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
    /// How the value is written in the path.
    pub(super) serialization: Option<Serialization>,
}

/// An argument that goes into the query.
#[derive(Clone, Copy)]
pub(crate) struct QueryArgument<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    pub(super) serialization: Option<Serialization>,
}

impl<'a> QueryArgument<'a> {
    /// Calls `add` with the name and the encoded value of each pair, if the argument has a style.
    fn for_each_styled_pair(&self, add: impl FnMut(&str, &str)) {
        if let Some(serialization) = self.serialization {
            style::for_each_pair(serialization, self.name, self.value, query_encode(serialization), add);
        }
    }

    /// The names of its pairs: for an exploded object these are the names of the members.
    fn pair_names(&self) -> Vec<Cow<'a, str>> {
        if self.serialization.is_none() {
            return vec![Cow::Borrowed(self.name)];
        }
        let mut names = Vec::new();
        self.for_each_styled_pair(|name, _| names.push(Cow::Owned(name.to_owned())));
        names
    }

    fn write(&self, writer: &mut QueryWriter, keys: UrlKeys<'_>) {
        if self.serialization.is_none() && !keys.has_query_name(self.name) {
            values::for_each_text(self.value, |text| writer.add(|out| push_pair(out, self.name, text)));
        }
        self.for_each_styled_pair(|name, encoded_value| {
            if !keys.has_query_name(name) {
                writer.add(|out| {
                    push_encoded(out, name);
                    out.extend(["=", encoded_value]);
                });
            }
        });
    }
}

/// An API key that is sent in the URL. Its `Debug` output shows no secret.
#[derive(Debug)]
pub(crate) struct UrlKey {
    /// The decoded name of the query parameter, or the name of the placeholder.
    name: String,
    is_in_path: bool,
    /// The encoded text: name and value in the query, the value in the path.
    text: SecretString,
    /// The encoded text with the mask in place of the value.
    masked_text: String,
}

/// The API keys for one URL.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UrlKeys<'a> {
    pub(super) keys: &'a [UrlKey],
    /// Whether the mask is written instead of the keys.
    pub(super) is_masked: bool,
}

impl UrlKey {
    pub(super) fn in_query(name: &str, value: &SecretString) -> Self {
        let (mut text, mut masked_text) = (String::new(), String::new());
        push_pair(&mut text, name, value.expose_secret());
        push_pair(&mut masked_text, name, "");
        masked_text.push_str(MASK);
        Self { name: name.to_owned(), is_in_path: false, text: text.into(), masked_text }
    }

    /// A key that fills a placeholder in the path; `None` if it cannot be a path segment.
    pub(super) fn in_path(name: &str, value: &SecretString) -> Option<Self> {
        let value = value.expose_secret();
        if matches!(value, "" | "." | "..") || value.chars().any(char::is_control) {
            return None;
        }
        let mut text = String::new();
        push_encoded(&mut text, value);
        Some(Self { name: name.to_owned(), is_in_path: true, text: text.into(), masked_text: MASK.to_owned() })
    }
}

impl<'a> UrlKeys<'a> {
    fn text(self, key: &'a UrlKey) -> &'a str {
        if self.is_masked { &key.masked_text } else { key.text.expose_secret() }
    }

    fn in_query(self) -> impl Iterator<Item = &'a UrlKey> {
        self.keys.iter().filter(|key| !key.is_in_path)
    }

    /// Whether a query parameter of this name is an API key.
    fn has_query_name(self, name: &str) -> bool {
        self.in_query().any(|key| key.name == name)
    }

    fn in_path(self, name: &str) -> Option<&'a str> {
        self.keys.iter().find(|key| key.is_in_path && key.name == name).map(|key| self.text(key))
    }
}

impl EndpointTemplate {
    pub(super) fn placeholders(&self) -> &[Placeholder] {
        &self.placeholders
    }

    /// Whether the path has a placeholder for each key that is sent there.
    pub(super) fn has_placeholders_for(&self, keys: UrlKeys<'_>) -> bool {
        keys.keys.iter().filter(|key| key.is_in_path).all(|key| {
            self.path.iter().any(|piece| matches!(piece, UrlPiece::Slot(slot) if self.has_name(*slot, &key.name)))
        })
    }

    /// Origin and path with `{}` for each placeholder.
    pub(super) fn path_shape(&self) -> String {
        let mut shape = self.origin.clone();
        for piece in &self.path {
            shape.push_str(match piece {
                UrlPiece::Text(text) => text,
                UrlPiece::Slot(_) => "{}",
            });
        }
        shape
    }

    fn has_name(&self, slot: usize, name: &str) -> bool {
        self.placeholders.get(slot).is_some_and(|placeholder| placeholder.name == name)
    }

    /// Builds the URI. An argument replaces a literal query pair of its name; an API key replaces both.
    pub(crate) fn build_uri(
        &self,
        slot_values: &[SlotValue<'_>],
        query: &[QueryArgument<'_>],
        keys: UrlKeys<'_>,
    ) -> Result<Uri, Violation> {
        let mut out = String::with_capacity(256);
        out.push_str(&self.origin);
        for piece in &self.path {
            match piece {
                UrlPiece::Text(text) => out.push_str(text),
                UrlPiece::Slot(slot) => {
                    let name = self.placeholders.get(*slot).map_or("", |placeholder| &placeholder.name);
                    match keys.in_path(name) {
                        Some(key) => out.push_str(key),
                        None => push_segment(&mut out, name, slot_values.get(*slot))?,
                    }
                }
            }
        }
        let mut writer = QueryWriter { out, separator: '?' };
        self.write_query(&mut writer, slot_values, query, keys);
        Uri::try_from(writer.out)
            .map_err(|_| Violation::new("", "the arguments are too long to be sent as part of a URL"))
    }

    fn write_query(
        &self,
        writer: &mut QueryWriter,
        slot_values: &[SlotValue<'_>],
        query: &[QueryArgument<'_>],
        keys: UrlKeys<'_>,
    ) {
        if !self.query.is_empty() {
            let keys_in_query = keys.in_query().map(|key| Cow::Borrowed(key.name.as_str()));
            let replaced_names: HashSet<Cow<'_, str>> =
                query.iter().flat_map(QueryArgument::pair_names).chain(keys_in_query).collect();
            for pair in &self.query {
                if pair.name.as_deref().is_none_or(|name| !replaced_names.contains(name)) {
                    pair.write(writer, slot_values, keys);
                }
            }
        }
        for argument in query {
            argument.write(writer, keys);
        }
        for key in keys.in_query() {
            writer.add(|out| out.push_str(keys.text(key)));
        }
    }
}

impl QueryPair {
    fn write(&self, writer: &mut QueryWriter, slot_values: &[SlotValue<'_>], keys: UrlKeys<'_>) {
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
                |written| self.name.is_none() && has_key_name(written, keys),
            ),
        }
    }
}

/// Whether a text is a name and the first `=` of its pair.
fn is_name_with_equals_sign(text: &str) -> bool {
    text.strip_suffix('=').is_some_and(|name| !name.contains('='))
}

/// Whether a pair that was written from arguments has the name of an API key.
fn has_key_name(written: &str, keys: UrlKeys<'_>) -> bool {
    !keys.keys.is_empty() && form_urlencoded::parse(written.as_bytes()).any(|(name, _)| keys.has_query_name(&name))
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
fn push_segment(out: &mut String, name: &str, slot_value: Option<&SlotValue<'_>>) -> Result<(), Violation> {
    let Some(SlotValue { argument, value, serialization }) = slot_value else { return Ok(()) };
    let refuse = |message| Err(Violation::new(argument, message));
    let Some(value) = value else { return refuse("is required: it is part of the URL") };
    if let Some(serialization) = serialization {
        return push_styled(out, argument, value, name, *serialization);
    }
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

/// Writes a value in a style of OpenAPI into the path.
fn push_styled(
    out: &mut String,
    argument: &str,
    value: &str,
    name: &str,
    serialization: Serialization,
) -> Result<(), Violation> {
    let refuse = |message| Err(Violation::new(argument, message));
    let text = style::text(serialization, name, value, path_encode(serialization)).unwrap_or_default();
    // Only a value with reserved characters can consist of several segments.
    if text.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return refuse("must not be empty, and must not have a part that is empty, '.' or '..': it is part of the URL");
    }
    if has_encoded_control(&text) {
        return refuse("must not contain control characters: it is part of the URL");
    }
    out.push_str(&text);
    Ok(())
}

/// Whether a percent-encoded text contains a control character of ASCII.
fn has_encoded_control(text: &str) -> bool {
    percent_encoding::percent_decode_str(text).any(|byte| byte.is_ascii_control())
}

fn path_encode(serialization: Serialization) -> Encode {
    if serialization.allow_reserved {
        |out, text| out.extend(utf8_percent_encode(text, RESERVED_ENCODED))
    } else {
        push_encoded
    }
}

fn query_encode(serialization: Serialization) -> Encode {
    if serialization.allow_reserved {
        |out, text| out.extend(utf8_percent_encode(text, RESERVED_QUERY_ENCODED))
    } else {
        push_encoded
    }
}

/// Writes a value inside other query text: nothing for a missing value, JSON for objects and nested lists.
fn push_query_text(out: &mut String, value: Option<&str>) {
    if let Some(value) = value {
        push_encoded(out, &values::joined_text(value).unwrap_or(value.into()));
    }
}

fn push_pair(out: &mut String, name: &str, value: &str) {
    push_encoded(out, name);
    out.push('=');
    push_encoded(out, value);
}

pub(super) fn push_encoded(out: &mut String, text: &str) {
    out.extend(utf8_percent_encode(text, PERCENT_ENCODED));
}

#[cfg(test)]
mod tests;
