//! The URL of a request: host, path with its variables, query.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::upstream_auth::KeyLocation;

use crate::api::argument::ArgumentDraft;
use crate::api::pointer::Pointer;
use crate::api::postman::argument;
use crate::api::postman::entry::{self, Entry};
use crate::api::postman::json_text::scalar_text;
use crate::api::postman::scope::{ItemError, RequestScope};
use crate::api::postman::template::{Piece, Template};
use crate::api::problem::ProblemCode;
use crate::api::reference::Located;
use crate::api::request_auth::RequestKey;
use crate::api::url_text::{push_literal, url_name};
use crate::naming::UniqueNames;
use crate::tables::descriptions::Purpose;

/// The first of the marker characters, which stand for the variables of a URL while it is split. Unicode reserves them
/// for private use.
const MARKER_START: u32 = 0xF_0000;
/// Maximum length of a URL after its variables are replaced, in bytes. It only bounds the work: the limit of
/// tools is lower.
const TEXT_MAX: usize = 4 * URL_MAX;
/// The last marker character, relative to the first.
const MARKERS_MAX: u32 = 0xFFFD;

/// The URL of a request.
pub(super) struct PostmanUrl {
    /// Scheme, host and port, or the base URL that replaces them.
    pub(super) origin: String,
    /// The path with placeholders, beginning with a slash.
    pub(super) path: String,
    pub(super) arguments: Vec<ArgumentDraft>,
    /// User and password in the URL.
    pub(super) userinfo: Option<(String, String)>,
    pub(super) query: Vec<Entry>,
}

/// Reads the URL of a request. `base_url` replaces its host.
pub(super) fn read(
    request: &Located<'_>,
    base_url: Option<&str>,
    scope: &mut RequestScope<'_, '_>,
) -> Result<PostmanUrl, ItemError> {
    let url = if request.value.is_string() { Some(request.clone()) } else { request.member("url") };
    let url = url.ok_or_else(|| no_url(&request.pointer))?;
    let text = url.value.as_str().map(str::to_owned).or_else(|| parts_text(url.value)).unwrap_or_default();
    let text = split_outside_variables(text.trim(), '#').0;
    let (base, query) = split_outside_variables(text, '?');
    if base.is_empty() {
        return Err(no_url(&url.pointer));
    }
    let mut query = match url.member("query").filter(|list| list.value.is_array()) {
        Some(list) => entry::entries(&list, scope.variables),
        None => text_query(query.unwrap_or_default(), &url.pointer, scope),
    };
    query.iter_mut().for_each(Entry::decode);
    let without_variable = base_url.and_then(|_| base.strip_prefix("{{")?.split_once("}}")).map(|(_, path)| path);
    let template = Template::fill(without_variable.unwrap_or(base), scope.variables);
    let marked = MarkedUrl::new(&template);
    if marked.text.len() > TEXT_MAX {
        return Err(ItemError::new(ProblemCode::ToolInvalid, &url.pointer, "The URL is too long."));
    }
    let (origin, path) = match (base_url, without_variable) {
        (Some(base_url), Some(_)) => (base_url.trim_end_matches('/').to_owned(), marked.text.as_str()),
        (Some(base_url), None) => (base_url.trim_end_matches('/').to_owned(), marked.split().1),
        (None, _) => marked.origin(&url.pointer)?,
    };
    let (origin, userinfo) = split_userinfo(&origin);
    let mut reader = PathReader { url: &url, marked: &marked, names: UniqueNames::default(), known: Vec::new() };
    let mut arguments = Vec::new();
    let path = reader.read(path, scope, &mut arguments);
    Ok(PostmanUrl { origin, path, arguments, userinfo, query })
}

fn no_url(pointer: &Pointer) -> ItemError {
    ItemError::new(ProblemCode::NoServer, pointer, "The request has no URL.")
}

/// The URL as text, joined from its parts, or `raw` if there is no `host`.
fn parts_text(url: &Value) -> Option<String> {
    let joined = |key: &str, separator: &str| match url.get(key)? {
        Value::Array(items) => {
            let items = items.iter().filter_map(|item| scalar_text(item.get("value").unwrap_or(item)));
            Some(items.collect::<Vec<_>>().join(separator))
        }
        text => scalar_text(text),
    };
    let text = |key: &str| url.get(key).and_then(scalar_text).filter(|text| !text.is_empty());
    let Some(host) = joined("host", ".").filter(|host| !host.is_empty()) else {
        return text("raw");
    };
    let mut out =
        text("protocol").map(|protocol| format!("{}://", protocol.trim_end_matches("://"))).unwrap_or_default();
    out.push_str(&host);
    out.extend(text("port").map(|port| format!(":{port}")));
    let path = joined("path", "/").filter(|path| !path.is_empty() || url.get("path").is_some_and(Value::is_array));
    if let Some(path) = path.filter(|_| url.get("path") != Some(&Value::Array(Vec::new()))) {
        out.push('/');
        out.push_str(path.strip_prefix('/').filter(|_| url.get("path").is_some_and(Value::is_string)).unwrap_or(&path));
    }
    Some(out)
}

/// Splits a text at the first separator that is not part of a variable.
fn split_outside_variables(text: &str, separator: char) -> (&str, Option<&str>) {
    let mut start = 0;
    while let Some(found) = text.get(start..).and_then(|rest| rest.find(separator)) {
        let at = start + found;
        let before = text.get(..at).unwrap_or_default();
        let is_in_variable = before.rfind("{{").is_some_and(|open| before.rfind("}}").is_none_or(|close| close < open));
        if !is_in_variable {
            return (before, text.get(at + separator.len_utf8()..));
        }
        start = at + separator.len_utf8();
    }
    (text, None)
}

fn text_query(query: &str, pointer: &Pointer, scope: &RequestScope<'_, '_>) -> Vec<Entry> {
    let pieces = query.split('&').filter(|piece| !piece.is_empty());
    let pairs = pieces.map(|piece| split_outside_variables(piece, '='));
    pairs.map(|(key, value)| Entry::from_text(key, value.unwrap_or_default(), pointer, scope.variables)).collect()
}

/// Separates user and password from the origin.
fn split_userinfo(origin: &str) -> (String, Option<(String, String)>) {
    let Some((scheme, authority)) = origin.split_once("://") else { return (origin.to_owned(), None) };
    let Some((userinfo, host)) = authority.rsplit_once('@') else { return (origin.to_owned(), None) };
    let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
    (format!("{scheme}://{host}"), Some((user.to_owned(), password.to_owned())))
}

/// A URL in which one character stands for each variable.
struct MarkedUrl<'t> {
    text: String,
    variables: Vec<&'t Piece>,
}

impl<'t> MarkedUrl<'t> {
    fn new(template: &'t Template) -> Self {
        let mut marked = Self { text: String::new(), variables: Vec::new() };
        for piece in &template.pieces {
            match piece {
                Piece::Text(text) => marked.text.extend(text.chars().filter(|c| marker_index(*c).is_none())),
                variable => {
                    let index = u32::try_from(marked.variables.len()).unwrap_or(MARKERS_MAX).min(MARKERS_MAX);
                    marked.text.extend(char::from_u32(MARKER_START + index));
                    marked.variables.push(variable);
                }
            }
        }
        marked
    }

    fn variable(&self, c: char) -> Option<&'t Piece> {
        self.variables.get(marker_index(c)?).copied()
    }

    /// Splits the URL after scheme and authority.
    fn split(&self) -> (&str, &str) {
        let start = self.text.find("://").map_or(0, |at| at + 3);
        let end =
            self.text.get(start..).and_then(|rest| rest.find(['/', '?'])).map_or(self.text.len(), |at| start + at);
        self.text.split_at_checked(end).unwrap_or((&self.text, ""))
    }

    /// Scheme and authority, which must have no variables without a value, and the rest of the URL.
    fn origin(&self, pointer: &Pointer) -> Result<(String, &str), ItemError> {
        let (origin, path) = self.split();
        let error = |message: String| Err(ItemError::new(ProblemCode::ServerVariable, pointer, message));
        for c in origin.chars() {
            match self.variable(c) {
                Some(Piece::Unknown(name)) => {
                    return error(format!(
                        "The variable {name} is part of the host and has no value. Give it in `variables`."
                    ));
                }
                Some(Piece::Secret { name, .. }) => {
                    return error(format!("The variable {name} is secret and cannot be part of the host."));
                }
                Some(Piece::Text(_)) | None => {}
            }
        }
        let origin = if origin.contains("://") { origin.to_owned() } else { format!("http://{origin}") };
        if !["http://", "https://"].iter().any(|scheme| origin.to_ascii_lowercase().starts_with(scheme)) {
            let message = "The scheme of the URL must be http or https.";
            return Err(ItemError::new(ProblemCode::Malformed, pointer, message));
        }
        Ok((origin, path))
    }
}

fn marker_index(c: char) -> Option<usize> {
    let index = u32::from(c).checked_sub(MARKER_START)?;
    (index <= MARKERS_MAX).then_some(usize::try_from(index).unwrap_or_default())
}

/// Reads the segments of a path.
struct PathReader<'p, 'a, 't> {
    url: &'p Located<'a>,
    marked: &'p MarkedUrl<'t>,
    names: UniqueNames,
    /// Each replaced text with its placeholder.
    known: Vec<(String, String)>,
}

impl PathReader<'_, '_, '_> {
    fn read(&mut self, path: &str, scope: &mut RequestScope<'_, '_>, arguments: &mut Vec<ArgumentDraft>) -> String {
        let mut out = String::new();
        for segment in path.strip_prefix('/').unwrap_or(path).split('/') {
            out.push('/');
            let is_plain = !segment.chars().any(|c| marker_index(c).is_some());
            match segment.strip_prefix(':').filter(|name| !name.is_empty() && is_plain) {
                Some(name) => self.push_path_variable(&mut out, name, scope, arguments),
                None => self.push_segment(&mut out, segment, scope, arguments),
            }
        }
        out
    }

    fn push_segment(
        &mut self,
        out: &mut String,
        segment: &str,
        scope: &mut RequestScope<'_, '_>,
        arguments: &mut Vec<ArgumentDraft>,
    ) {
        for c in segment.chars() {
            match self.marked.variable(c) {
                None => push_literal(out, c.encode_utf8(&mut [0; 4])),
                Some(Piece::Secret { name, value }) => {
                    let (placeholder, is_new) = self.placeholder(&format!("{{{{{name}}}}}"), name);
                    let _ = write!(out, "{{{placeholder}}}");
                    if is_new {
                        let key =
                            RequestKey { name: placeholder, location: KeyLocation::Path, value: Some(value.clone()) };
                        scope.keys.push(key);
                    }
                }
                Some(Piece::Unknown(name)) => {
                    let (placeholder, is_new) = self.placeholder(&format!("{{{{{name}}}}}"), name);
                    let _ = write!(out, "{{{placeholder}}}");
                    if is_new {
                        let value = Template { pieces: vec![Piece::Unknown(name.clone())] };
                        let entry = Entry { value, ..Entry::from_text(name, "", &self.url.pointer, scope.variables) };
                        arguments.extend(path_argument(name, &placeholder, &entry, scope));
                    }
                }
                Some(Piece::Text(text)) => push_literal(out, text),
            }
        }
    }

    /// Adds a segment `:name`, which the member `variable` of the URL describes.
    fn push_path_variable(
        &mut self,
        out: &mut String,
        name: &str,
        scope: &mut RequestScope<'_, '_>,
        arguments: &mut Vec<ArgumentDraft>,
    ) {
        let (placeholder, is_new) = self.placeholder(&format!(":{name}"), name);
        let _ = write!(out, "{{{placeholder}}}");
        if !is_new {
            return;
        }
        let list = self.url.member("variable");
        let has_name = |item: &Located<'_>| ["key", "id"].iter().any(|key| item.text(key) == Some(name));
        let described = list.iter().flat_map(Located::items).find(has_name);
        let entry = match described {
            Some(item) => Entry::read(&item, scope.variables),
            None => Entry::from_text(name, "", &self.url.pointer, scope.variables),
        };
        arguments.extend(path_argument(name, &placeholder, &entry, scope));
    }

    /// The name of the placeholder for a part of the path, and whether it is new.
    fn placeholder(&mut self, part: &str, name: &str) -> (String, bool) {
        if let Some((_, placeholder)) = self.known.iter().find(|(known, _)| known == part) {
            return (placeholder.clone(), false);
        }
        let placeholder = self.names.take(&url_name(name));
        self.known.push((part.to_owned(), placeholder.clone()));
        (placeholder, true)
    }
}

fn path_argument(name: &str, placeholder: &str, entry: &Entry, scope: &RequestScope<'_, '_>) -> Option<ArgumentDraft> {
    let draft = argument::from_entries(ParameterLocation::Path, name, &[entry], Purpose::Identifying, scope.variables)?;
    Some(ArgumentDraft { wire_name: placeholder.to_owned(), required: true, rule: Map::new(), ..draft })
}
