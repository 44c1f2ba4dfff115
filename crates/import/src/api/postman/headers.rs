//! The headers of a request: static ones, keys, and arguments for values that are not known.

use indexmap::IndexMap;
use toolgate_domain::headers::is_token;
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::upstream_auth::KeyLocation;

use crate::api::argument::ArgumentDraft;
use crate::api::postman::argument;
use crate::api::postman::entry::{self, Entry};
use crate::api::postman::scope::RequestScope;
use crate::api::reference::Located;
use crate::api::request_auth::{RequestAuth, RequestKey};
use crate::sensitivity::is_secret_header;
use crate::tables::descriptions::Purpose;

/// Headers that the HTTP client of a tool sets itself.
const RESERVED: [&str; 11] = [
    "host",
    "content-length",
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
    "te",
    "trailer",
    "expect",
    "accept-encoding",
];

/// Maximum number of headers that are read; a tool has at most 100.
const HEADERS_MAX: usize = 200;

/// The headers of a request.
#[derive(Default)]
pub(super) struct PostmanHeaders {
    pub(super) fixed: IndexMap<String, String>,
    pub(super) arguments: Vec<ArgumentDraft>,
}

/// Reads the enabled headers. `auth` sets its header itself.
pub(super) fn read(request: &Located<'_>, auth: &RequestAuth, scope: &mut RequestScope<'_, '_>) -> PostmanHeaders {
    let mut headers = PostmanHeaders::default();
    for entry in listed(request, scope).into_iter().filter(|entry| !entry.is_disabled).take(HEADERS_MAX) {
        let Some(name) = entry.key.resolved_text().map(|name| name.trim().to_owned()).filter(|name| is_token(name))
        else {
            if !entry.key.is_empty() {
                scope.warn("header_invalid", &entry.pointer, "The header has no valid name, so it is not sent.");
            }
            continue;
        };
        if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
            let message = format!("Tools set the header {name} themselves, so the one of the request is not sent.");
            scope.warn("header_reserved", &entry.pointer, message);
        } else if !auth.sets_header(&name) {
            headers.add(&name, &entry, scope);
        }
    }
    headers
}

/// The headers as a list; version 2 also has them as text, one on each line.
fn listed(request: &Located<'_>, scope: &RequestScope<'_, '_>) -> Vec<Entry> {
    let Some(list) = request.member("header") else { return Vec::new() };
    let Some(text) = list.value.as_str() else { return entry::entries(&list, scope.variables) };
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.map(|(key, value)| Entry::from_text(key.trim(), value.trim(), &list.pointer, scope.variables)).collect()
}

impl PostmanHeaders {
    pub(super) fn content_type(&self) -> Option<&str> {
        let header = self.fixed.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        header.map(|(_, value)| value.as_str())
    }

    fn add(&mut self, name: &str, entry: &Entry, scope: &mut RequestScope<'_, '_>) {
        let is_secret = is_secret_header(name, &entry.value.resolved_text_with_secrets().unwrap_or_default());
        if is_secret || entry.value.has_secret() {
            let value = entry.value.resolved_text_with_secrets().filter(|value| !value.is_empty());
            scope.keys.push(RequestKey { name: name.to_owned(), location: KeyLocation::Header, value });
            return;
        }
        let Some(value) = entry.value.resolved_text() else { return self.add_argument(name, entry, scope) };
        if value.chars().any(|c| c.is_control() && c != '\t') {
            let message = format!("The value of the header {name} has control characters, so it is not sent.");
            return scope.warn("header_invalid", &entry.pointer, message);
        }
        match self.fixed.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, known)) => known.extend([", ", &value]),
            None => drop(self.fixed.insert(name.to_owned(), value)),
        }
    }

    /// The argument for a header with a variable that has no value.
    fn add_argument(&mut self, name: &str, entry: &Entry, scope: &mut RequestScope<'_, '_>) {
        let draft =
            argument::from_entries(ParameterLocation::Header, name, &[entry], Purpose::Reading, scope.variables);
        if let Some(draft) = draft.filter(ArgumentDraft::is_valid) {
            self.arguments.push(ArgumentDraft { required: true, ..draft });
        } else {
            let message = format!("No argument can set the header {name}, so it is not sent.");
            scope.warn("header_reserved", &entry.pointer, message);
        }
    }
}
