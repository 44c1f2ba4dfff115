//! The HTTP request that a curl command would send.

mod auth;
mod data;
mod form;
mod headers;
mod url;

use toolgate_domain::tool::{HttpMethod, TIMEOUT_SECS};

use super::error::ParseError;
use super::options::Options;
use super::options::table::Effect;
use super::stdin::Stdin;
use crate::request::body::{Fields, ImportedBody};
use crate::request::url::ImportedUrl;
use crate::request::{COOKIE_WARNING, ImportedRequest, credentials, urlencoded_form};
use crate::warnings::Warnings;
use data::Data;
use headers::CurlHeaders;

/// Texts in the warnings about placeholders, unexpanded variables and cookies. Inference adds such warnings itself,
/// only for values that stay in the tool.
const INFERRED_WARNINGS: [&str; 5] = [
    "shell variable",
    "variables of the command prompt",
    "PowerShell variables",
    credentials::PLACEHOLDER_WARNING,
    COOKIE_WARNING,
];

/// The HTTP request of a curl command.
pub(super) struct CurlRequest {
    pub(super) request: ImportedRequest,
    /// Whether curl adds its default Content-Type, that of form data; the headers of `request` do not contain it.
    has_default_content_type: bool,
}

impl CurlRequest {
    /// Derives the request that curl would send.
    pub(super) fn from_options(mut options: Options, stdin: &mut Stdin) -> Result<Self, ParseError> {
        let mut warnings = std::mem::take(&mut options.warnings);
        let (mut url, userinfo) = url::parse(&options, &mut warnings)?;
        let mut headers = CurlHeaders::from_options(&options, &mut warnings);
        for given in options.given.iter().filter(|given| given.effect == Effect::UrlQuery) {
            url.add_query(&data::url_query(&given.value, stdin, &mut warnings));
        }
        let request_body = CurlRequestBody::from_options(&options, stdin, &mut url, &mut warnings)?;
        let method = method(&options, request_body.method, &mut warnings);
        let has_default_content_type = request_body.has_default_content_type && !headers.contains("Content-Type");
        let body = request_body.into_body(headers.get("Content-Type"), &mut warnings);
        let credentials = auth::detect(&options, userinfo, &mut headers, &mut url, &mut warnings);
        credentials::warn_of_placeholder(credentials.as_ref(), &mut warnings);
        warn_of_headers(&headers, &mut warnings);
        let timeout_secs = timeout_secs(&options, &mut warnings);
        let headers = headers.into_map();
        let request = ImportedRequest { method, url, headers, credentials, body, timeout_secs, warnings };
        Ok(Self { request, has_default_content_type })
    }

    /// The request as an example for inference: with the Content-Type that curl sends, if a tool would send a different
    /// one, and without the warnings that inference adds itself.
    pub(super) fn into_example(self) -> ImportedRequest {
        let mut request = self.request;
        if self.has_default_content_type {
            add_default_content_type(&mut request);
        }
        for part in INFERRED_WARNINGS {
            request.warnings.remove_containing(part);
        }
        request
    }
}

/// Adds curl's default Content-Type, if a tool would send a different one.
fn add_default_content_type(request: &mut ImportedRequest) {
    match request.body {
        // A tool sends a form with the same type; that of a multipart form contains the boundary, which only the tool
        // can set.
        ImportedBody::Form(_) | ImportedBody::Multipart(_) => return,
        ImportedBody::Json(_) | ImportedBody::Array(_) => request.warnings.add(format!(
            "curl sends this JSON as {}, because no Content-Type is given; set the Content-Type header to \
             application/json if the API expects JSON.",
            urlencoded_form::MEDIA_TYPE
        )),
        ImportedBody::None | ImportedBody::Text(_) | ImportedBody::Files(_) => {}
    }
    request.headers.insert("Content-Type".to_owned(), urlencoded_form::MEDIA_TYPE.to_owned());
}

/// The body of a request, with the method and Content-Type that curl derives from it.
#[derive(Default)]
struct CurlRequestBody {
    data: Option<Data>,
    /// Empty if there is data.
    form: Fields,
    method: &'static str,
    has_default_content_type: bool,
}

impl CurlRequestBody {
    fn from_options(
        options: &Options,
        stdin: &mut Stdin,
        url: &mut ImportedUrl,
        warnings: &mut Warnings,
    ) -> Result<Self, ParseError> {
        let data = Data::from_options(options, stdin, warnings);
        let form = form::fields(options, stdin, warnings)?;
        if options.is_on(Effect::Get) {
            if let Some(data) = data {
                url.add_query(&data.text);
            }
            return Ok(Self { method: "GET", ..Self::default() });
        }
        let upload = options.last(Effect::UploadFile);
        if data.is_none() {
            if let Some(file) = upload {
                let data = Some(upload_data(&file.value, stdin, url, warnings));
                return Ok(Self { data, method: "PUT", ..Self::default() });
            }
            let method = if form.is_empty() { "GET" } else { "POST" };
            return Ok(Self { form, method, ..Self::default() });
        }
        if !form.is_empty() {
            warnings.add("--form was ignored: the command also has --data.");
        }
        // curl refuses both options together. The data is in the command, the file is not.
        let method = if upload.is_some() { "PUT" } else { "POST" };
        if upload.is_some() {
            warnings.add("The file of --upload-file was ignored: the command also has --data, which is the body.");
        }
        Ok(Self { data, method, has_default_content_type: true, ..Self::default() })
    }

    /// Classifies the body; `content_type` is the value of the Content-Type header, if the command sets one.
    fn into_body(self, content_type: Option<&str>, warnings: &mut Warnings) -> ImportedBody {
        match self.data {
            Some(data) => data.into_body(content_type, warnings),
            None if self.form.is_empty() => ImportedBody::None,
            None => ImportedBody::Multipart(self.form),
        }
    }
}

/// The data that `-T` sends. If the URL ends without a file name, curl appends the name of the file.
fn upload_data(file: &str, stdin: &mut Stdin, url: &mut ImportedUrl, warnings: &mut Warnings) -> Data {
    if let Some(text) = stdin.read(if file == "." { "-" } else { file }) {
        return Data { text, ..Data::default() };
    }
    warnings.add("The file of --upload-file was not imported: no file is read. Its name is used as the body.");
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    if !matches!(name, "-" | ".") {
        url::add_file_name(url, name);
    }
    Data { text: format!("@{file}"), has_file: true, ..Data::default() }
}

/// The method of `-X`, or else the one that curl derives from the other options.
fn method(options: &Options, implied: &str, warnings: &mut Warnings) -> String {
    let explicit = options.last(Effect::Request).map(|given| given.value.trim()).filter(|method| !method.is_empty());
    let implied = if options.is_on(Effect::Head) { "HEAD" } else { implied };
    let method = explicit.unwrap_or(implied);
    if let Some(known) = HttpMethod::NAMES.iter().find(|known| known.eq_ignore_ascii_case(method)) {
        return (*known).to_owned();
    }
    // The console recognises this warning by its first words.
    warnings.add(format!("A tool can use the methods {} only.", HttpMethod::NAMES.join(", ")));
    method.to_owned()
}

/// The timeout of `--max-time` in whole seconds, within the limits of a tool's timeout.
fn timeout_secs(options: &Options, warnings: &mut Warnings) -> Option<i64> {
    let text = &options.last(Effect::MaxTime)?.value;
    let Some(seconds) = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0) else {
        warnings.add("--max-time was ignored: its value is not a number of seconds.");
        return None;
    };
    // 0 means no timeout.
    if seconds == 0.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a value out of range saturates and is then clamped")]
    let whole_seconds = seconds.ceil() as i64;
    Some(whole_seconds.clamp(*TIMEOUT_SECS.start(), *TIMEOUT_SECS.end()))
}

fn warn_of_headers(headers: &CurlHeaders, warnings: &mut Warnings) {
    if headers.get("Cookie").is_some() {
        warnings.add(COOKIE_WARNING);
    }
    if headers.get("Host").is_some() {
        warnings.add("The Host header is not sent: tools use the host of the URL.");
    }
}
