//! What a curl command would send.

mod address;
mod data;
mod form;
mod headers;

use indexmap::IndexMap;
use toolgate_domain::tool::{HTTP_METHODS, TIMEOUT_SECS};
use toolgate_domain::upstream_auth::Credentials;

use super::auth;
use super::body::Body;
use super::error::Misread;
use super::form_data;
use super::options::Options;
use super::options::table::Effect;
use super::stdin::Stdin;
use super::warnings::Warnings;

pub(super) use address::Url;
pub(super) use data::Data;
pub(super) use headers::{Headers, decode_basic};

/// What one curl command would send.
#[derive(Clone)]
pub(super) struct Request {
    /// In capitals, where it is a method that tools have.
    pub(super) method: String,
    pub(super) url: Url,
    /// By name as it was typed first; without what became credentials.
    pub(super) headers: IndexMap<String, String>,
    pub(super) credentials: Option<Credentials>,
    pub(super) body: Body,
    /// The Content-Type that curl adds to this body of its own accord; it is not among the headers.
    pub(super) implied_content_type: Option<&'static str>,
    /// Seconds, within the bounds of a tool's.
    pub(super) timeout: Option<i64>,
    pub(super) warnings: Warnings,
}

impl Request {
    /// Works out what curl would send.
    pub(super) fn of(mut options: Options, stdin: &mut Stdin) -> Result<Self, Misread> {
        let mut warnings = std::mem::take(&mut options.warnings);
        let (mut url, userinfo) = Url::read(&options, &mut warnings)?;
        let mut headers = Headers::read(&options, &mut warnings);
        for given in options.given.iter().filter(|given| given.effect == Effect::UrlQuery) {
            url.add_query(&data::url_query(&given.value, stdin, &mut warnings));
        }
        let sent = Sent::read(&options, stdin, &mut url, &mut warnings)?;
        let method = method(&options, sent.method, &mut warnings);
        let implied_content_type = sent.content_type.filter(|_| !headers.mentions("Content-Type"));
        let body = sent.body(headers.get("Content-Type"), &mut warnings);
        let credentials = auth::detect(&options, userinfo, &mut headers, &mut url, &mut warnings);
        auth::warn_of_gap(credentials.as_ref(), &mut warnings);
        warn_of_headers(&headers, &mut warnings);
        Ok(Self {
            method,
            url,
            headers: headers.into_map(),
            credentials,
            body,
            implied_content_type,
            timeout: timeout(&options, &mut warnings),
            warnings,
        })
    }
}

/// What a command sends beside its headers, and what follows from it.
struct Sent {
    content: Content,
    method: &'static str,
    /// The type that curl states.
    content_type: Option<&'static str>,
}

enum Content {
    Nothing,
    Data(Data),
    Form(super::body::Fields),
}

impl Sent {
    fn read(options: &Options, stdin: &mut Stdin, url: &mut Url, warnings: &mut Warnings) -> Result<Self, Misread> {
        let data = Data::read(options, stdin, warnings);
        let form = form::read(options, stdin, warnings)?;
        let sent = |content, method, content_type| Ok(Self { content, method, content_type });
        if options.is_on(Effect::Get) {
            if let Some(data) = data {
                url.add_query(&data.text);
            }
            return sent(Content::Nothing, "GET", None);
        }
        if let Some(file) = options.last(Effect::UploadFile) {
            let data = upload(&file.value, stdin, url, warnings);
            return sent(Content::Data(data), "PUT", None);
        }
        let has_form = !form.is_empty();
        match data {
            Some(data) => {
                if has_form {
                    warnings.add("--form was ignored, because the command has --data as well.");
                }
                sent(Content::Data(data), "POST", Some(form_data::MEDIA_TYPE))
            }
            None if has_form => sent(Content::Form(form), "POST", None),
            None => sent(Content::Nothing, "GET", None),
        }
    }

    fn body(self, content_type: Option<&str>, warnings: &mut Warnings) -> Body {
        match self.content {
            Content::Nothing => Body::None,
            Content::Data(data) => Body::of(data, content_type, warnings),
            Content::Form(fields) => Body::Multipart(fields),
        }
    }
}

/// What `-T` sends. An address without a file name gets that of the file.
fn upload(file: &str, stdin: &mut Stdin, url: &mut Url, warnings: &mut Warnings) -> Data {
    if let Some(text) = stdin.read(if file == "." { "-" } else { file }) {
        return Data { text, ..Data::default() };
    }
    warnings.add("The file of --upload-file is not there: no file is read. Its name stands in its place.");
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    if !matches!(name, "-" | ".") {
        url.add_file_name(name);
    }
    Data { text: format!("@{file}"), has_file: true, ..Data::default() }
}

/// What was asked for wins; else it follows from what is sent.
fn method(options: &Options, implied: &str, warnings: &mut Warnings) -> String {
    let asked = options.last(Effect::Request).map(|given| given.value.trim()).filter(|method| !method.is_empty());
    let implied = if options.is_on(Effect::Head) { "HEAD" } else { implied };
    let method = asked.unwrap_or(implied);
    if let Some(known) = HTTP_METHODS.iter().find(|known| known.eq_ignore_ascii_case(method)) {
        return (*known).to_owned();
    }
    warnings.add(format!("A tool can use the methods {} and no other.", HTTP_METHODS.join(", ")));
    method.to_owned()
}

/// Whole seconds, within the bounds of a tool's.
fn timeout(options: &Options, warnings: &mut Warnings) -> Option<i64> {
    let text = &options.last(Effect::MaxTime)?.value;
    let Some(seconds) = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0) else {
        warnings.add("--max-time is no number of seconds; it was ignored.");
        return None;
    };
    if seconds == 0.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "out of range saturates, and is then clamped")]
    let whole = seconds.ceil() as i64;
    Some(whole.clamp(*TIMEOUT_SECS.start(), *TIMEOUT_SECS.end()))
}

fn warn_of_headers(headers: &Headers, warnings: &mut Warnings) {
    if headers.get("Cookie").is_some() {
        warnings.add("The header Cookie is somebody's session: it is kept as a secret, and it will expire.");
    }
    if headers.get("Host").is_some() {
        warnings.add("The header Host is not sent: the host is that of the URL.");
    }
}
