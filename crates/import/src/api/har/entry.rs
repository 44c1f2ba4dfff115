//! Reads one recorded request.

use indexmap::IndexMap;
use serde_json::Value;
use toolgate_domain::headers::is_token;
use toolgate_domain::tool::HttpMethod;

use crate::api::har::session::SessionHeaders;
use crate::api::pointer::Pointer;
use crate::api::problem::{Problem, ProblemCode};
use crate::request::ImportedRequest;
use crate::request::body::{Fields, ImportedBody};
use crate::request::path::UrlPath;
use crate::request::url::ImportedUrl;
use crate::request::urlencoded_form;
use crate::tables::NOISE_HEADERS;
use crate::warnings::Warnings;

/// Headers that the HTTP client of a tool sets itself.
const CLIENT_HEADERS: [&str; 9] = [
    "host",
    "content-length",
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
    "expect",
    "alt-used",
];

/// Maximum number of headers that are read; a tool has at most 100.
const HEADERS_MAX: usize = 200;

/// A recorded request.
pub(super) struct HarRequest {
    source: HarSource,
    /// The request without the headers of the session.
    request: ImportedRequest,
    /// Scheme, host and port in lower case.
    pub(super) origin: String,
}

/// Where a request comes from.
pub(super) struct HarSource {
    /// The position of its entry.
    pub(super) index: usize,
    pub(super) origin: String,
    pub(super) session: SessionHeaders,
}

impl HarSource {
    /// The host with its port.
    pub(super) fn host(&self) -> &str {
        self.origin.split_once("://").map_or(self.origin.as_str(), |(_, host)| host)
    }
}

/// An entry that cannot be read.
pub(super) struct EntryError {
    code: ProblemCode,
    message: &'static str,
}

impl EntryError {
    pub(super) fn into_problem(self, pointer: &Pointer) -> Problem {
        Problem { pointer: pointer.clone(), operation: None, code: self.code, message: self.message.to_owned() }
    }
}

impl HarRequest {
    pub(super) fn read(entry: &Value, index: usize) -> Result<Self, EntryError> {
        let malformed = |message| EntryError { code: ProblemCode::Malformed, message };
        let request = entry.get("request").ok_or_else(|| malformed("The entry has no `request`."))?;
        let text = |key: &str| request.get(key).and_then(Value::as_str);
        let url = text("url").ok_or_else(|| malformed("The request has no `url`."))?;
        let method = text("method").ok_or_else(|| malformed("The request has no `method`."))?;
        let method = HttpMethod::NAMES.iter().find(|known| known.eq_ignore_ascii_case(method)).ok_or(EntryError {
            code: ProblemCode::MethodUnsupported,
            message: "Tools do not have the method of this request.",
        })?;
        let mut warnings = Warnings::default();
        let url = read_url(url, request, &mut warnings).ok_or_else(|| malformed("The `url` has no host."))?;
        let origin = UrlPath::parse(&url.base).origin_key();
        let mut headers = headers(request);
        let session = SessionHeaders::take(&mut headers, request);
        let content_type = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        let content_type = content_type.map(|(_, value)| value.clone());
        let body = read_body(request, content_type.as_deref(), &mut warnings);
        let request = ImportedRequest {
            method: (*method).to_owned(),
            url,
            headers,
            credentials: None,
            body,
            timeout_secs: None,
            warnings,
        };
        Ok(Self { source: HarSource { index, origin: origin.clone(), session }, request, origin })
    }

    pub(super) fn session(&self) -> &SessionHeaders {
        &self.source.session
    }

    pub(super) fn split(self) -> (HarSource, ImportedRequest) {
        (self.source, self.request)
    }
}

/// The URL without userinfo and fragment. Braces in it are literal.
fn read_url(url: &str, request: &Value, warnings: &mut Warnings) -> Option<ImportedUrl> {
    let (scheme, rest) = url.split_once("://")?;
    let rest = rest.split('#').next().unwrap_or_default().replace('{', "%7B").replace('}', "%7D");
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at_checked(end)?;
    let host = authority.rsplit('@').next().filter(|host| !host.is_empty())?;
    let mut url = ImportedUrl::new(&scheme.to_ascii_lowercase(), host, after, warnings);
    if url.query.is_none() {
        for (name, value) in pairs(request.get("queryString")) {
            url.add_query(&format!("{}={}", urlencoded_form::encode(name), urlencoded_form::encode(value)));
        }
    }
    Some(url)
}

/// The `name` and `value` of each item of a HAR list.
fn pairs(list: Option<&Value>) -> impl Iterator<Item = (&str, &str)> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| Some((item.get("name")?.as_str()?, item.get("value")?.as_str()?)))
}

/// The value of a header.
pub(super) fn header(request: &Value, name: &str) -> Option<String> {
    pairs(request.get("headers")).find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
}

/// The media type without its parameters, in lower case.
pub(super) fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The headers by name, without those of browsers and of the connection. Values of one name are joined.
fn headers(request: &Value) -> IndexMap<String, String> {
    let mut headers: IndexMap<String, String> = IndexMap::new();
    for (name, value) in pairs(request.get("headers")).take(HEADERS_MAX) {
        let lower = name.to_ascii_lowercase();
        let is_noise = NOISE_HEADERS.contains(&lower) || CLIENT_HEADERS.contains(&lower.as_str());
        let is_plain = !value.chars().any(|c| c.is_control() && c != '\t');
        if is_noise || !is_token(name) || !is_plain || (lower == "accept" && value == "*/*") {
            continue;
        }
        let separator = if lower == "cookie" { "; " } else { ", " };
        match headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, known)) => known.extend([separator, value]),
            None => drop(headers.insert(name.to_owned(), value.to_owned())),
        }
    }
    headers
}

/// The body: the text if there is one, else the parameters of a form.
fn read_body(request: &Value, content_type: Option<&str>, warnings: &mut Warnings) -> ImportedBody {
    let Some(data) = request.get("postData") else { return ImportedBody::None };
    let declared = data.get("mimeType").and_then(Value::as_str).filter(|declared| !declared.is_empty());
    let content_type = content_type.or(declared);
    if let Some(text) = data.get("text").and_then(Value::as_str).filter(|text| !text.is_empty()) {
        return ImportedBody::from_text(text.to_owned(), content_type, warnings);
    }
    let mut fields = Fields::new();
    for (name, value) in pairs(data.get("params")).filter(|(name, _)| !name.is_empty()) {
        fields.entry(name.to_owned()).or_default().add(name, value.to_owned());
    }
    let is_multipart = content_type.map(media_type).as_deref() == Some("multipart/form-data");
    match (fields.is_empty(), is_multipart) {
        (true, _) => ImportedBody::None,
        (false, true) => ImportedBody::Multipart(fields),
        (false, false) => ImportedBody::Form(fields),
    }
}
