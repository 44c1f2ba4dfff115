//! The words of a command for a request, each option in one of the spellings that curl accepts.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::body::GeneratedBody;
use crate::choices::Choices;
use crate::credential::GeneratedCredential;
use crate::request::{GeneratedRequest, GeneratedSegment, GeneratedUrl};

/// An option with a value: its letter if it has one, its name, and an unambiguous abbreviation of the name.
type OptionSpelling = (Option<char>, &'static str, &'static str);

const REQUEST: OptionSpelling = (Some('X'), "request", "request");
const HEADER: OptionSpelling = (Some('H'), "header", "heade");
const USER: OptionSpelling = (Some('u'), "user", "user");
const OAUTH2: OptionSpelling = (None, "oauth2-bearer", "oauth");
const DATA: OptionSpelling = (Some('d'), "data", "data");
const DATA_RAW: OptionSpelling = (None, "data-raw", "data-r");
const DATA_BINARY: OptionSpelling = (None, "data-binary", "data-b");
const DATA_ASCII: OptionSpelling = (None, "data-ascii", "data-a");
const DATA_URLENCODE: OptionSpelling = (None, "data-urlencode", "data-u");
const JSON: OptionSpelling = (None, "json", "js");
const FORM: OptionSpelling = (Some('F'), "form", "form");
const FORM_STRING: OptionSpelling = (None, "form-string", "form-s");
const USER_AGENT: OptionSpelling = (Some('A'), "user-agent", "user-a");
const REFERER: OptionSpelling = (Some('e'), "referer", "ref");
const COOKIE: OptionSpelling = (Some('b'), "cookie", "cookie");
const MAX_TIME: OptionSpelling = (Some('m'), "max-time", "max-t");
const URL: OptionSpelling = (None, "url", "url");

/// Switches that do not affect the tool.
const SWITCHES: [char; 8] = ['s', 'S', 'L', 'v', 'i', 'g', 'f', 'N'];

/// The words of one option, including its value.
type OptionWords = Vec<String>;

/// The words after `curl`. Options of one kind stay in order; options of different kinds are mixed.
pub(crate) fn words(request: &GeneratedRequest, choices: &mut Choices) -> Vec<String> {
    let mut kinds = [
        url_options(&request.url, &request.credentials, choices),
        data_options(request, choices),
        header_options(request, choices),
        other_options(request, choices),
    ];
    for kind in &mut kinds {
        kind.reverse();
    }
    let mut words = Vec::new();
    loop {
        let remaining: Vec<usize> = (0..kinds.len()).filter(|&kind| !kinds[kind].is_empty()).collect();
        if remaining.is_empty() {
            return words;
        }
        let kind = choices.one_of(&remaining);
        words.extend(kinds[kind].pop().into_iter().flatten());
        if choices.once_in(8) {
            words.push(
                choices.one_of(&["--compressed", "-sS", "--silent", "--no-keepalive", "-k", "--http1.1"]).to_owned(),
            );
        }
    }
}

/// One of the spellings of an option with its value.
fn option((letter, name, abbreviation): OptionSpelling, value: &str, choices: &mut Choices) -> OptionWords {
    let switches = || SWITCHES.iter();
    match (letter, choices.below(6)) {
        (Some(letter), 0) => vec![format!("-{letter}"), value.to_owned()],
        (Some(letter), 1) if !value.is_empty() => vec![format!("-{letter}{value}")],
        (Some(letter), 2) => {
            let count = choices.below(4);
            vec![format!("-{}{letter}", switches().take(count).collect::<String>()), value.to_owned()]
        }
        (Some(letter), 3) if !value.is_empty() => {
            let count = choices.below(4);
            vec![format!("-{}{letter}{value}", switches().skip(4).take(count).collect::<String>())]
        }
        (None, 1 | 2) => vec![format!("--{abbreviation}"), value.to_owned()],
        (_, 4) => vec![format!("--{name}={value}")],
        _ => vec![format!("--{name}"), value.to_owned()],
    }
}

fn url_options(url: &GeneratedUrl, credentials: &[GeneratedCredential], choices: &mut Choices) -> Vec<OptionWords> {
    let text = url_text(url, credentials);
    if choices.once_in(4) { vec![option(URL, &text, choices)] } else { vec![vec![text]] }
}

/// The URL with its placeholders and the credentials that are sent in it.
fn url_text(url: &GeneratedUrl, credentials: &[GeneratedCredential]) -> String {
    let userinfo = credentials.iter().find_map(|credential| match credential {
        GeneratedCredential::UserInfo { username, password } => {
            Some(format!("{}:{}@", percent_encode(username), percent_encode(password)))
        }
        _ => None,
    });
    let mut text = format!("{}{}{}", url.scheme, userinfo.unwrap_or_default(), url.host);
    for segment in &url.path {
        let segment = match segment {
            GeneratedSegment::Text(text) => text.clone(),
            GeneratedSegment::Placeholder { name, is_doubled: true } => format!("{{{{{name}}}}}"),
            GeneratedSegment::Placeholder { name, is_doubled: false } => format!("{{{name}}}"),
        };
        text.extend(["/", segment.as_str()]);
    }
    let mut pairs = url.query.clone();
    if let Some(pair) = credentials.iter().find_map(query_pair) {
        pairs.insert(pairs.len() / 2, pair);
    }
    let mark = if pairs.is_empty() { "" } else { "?" };
    let fragment = url.fragment.as_ref().map_or(String::new(), |fragment| format!("#{fragment}"));
    format!("{text}{mark}{}{fragment}", pairs.join("&"))
}

/// The query parameter, if the credential is an API key in the query.
pub(crate) fn query_pair(credential: &GeneratedCredential) -> Option<String> {
    match credential {
        GeneratedCredential::QueryKey { name, value } => Some(format!("{name}={}", percent_encode(value))),
        _ => None,
    }
}

fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn header_options(request: &GeneratedRequest, choices: &mut Choices) -> Vec<OptionWords> {
    let plain_headers = request.headers.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let credentials = request.credentials.iter().filter_map(GeneratedCredential::header);
    let mut options = Vec::new();
    for (name, value) in plain_headers.chain(credentials) {
        let line = if value.is_empty() {
            format!("{name};")
        } else {
            format!("{name}{}{value}", choices.one_of(&[": ", ":", ":  "]))
        };
        options.push(option(HEADER, &line, choices));
    }
    options
}

fn other_options(request: &GeneratedRequest, choices: &mut Choices) -> Vec<OptionWords> {
    let mut options = Vec::new();
    options.extend(request.method.map(|method| option(REQUEST, method, choices)));
    for credential in &request.credentials {
        match credential {
            GeneratedCredential::OauthBearer { token } => options.push(option(OAUTH2, token, choices)),
            GeneratedCredential::User { username, password } => {
                let password = password.as_ref().map_or(String::new(), |password| format!(":{password}"));
                options.push(option(USER, &format!("{username}{password}"), choices));
            }
            _ => {}
        }
    }
    options.extend(request.user_agent.as_ref().map(|name| option(USER_AGENT, name, choices)));
    options.extend(request.referer.as_ref().map(|url| option(REFERER, url, choices)));
    options.extend(request.cookie.as_ref().map(|(name, value)| option(COOKIE, &format!("{name}={value}"), choices)));
    options.extend(request.max_time_tenths.map(|tenths| {
        let seconds = format!("{}.{}", tenths / 10, tenths % 10);
        option(MAX_TIME, seconds.strip_suffix(".0").unwrap_or(&seconds), choices)
    }));
    options
}

fn data_options(request: &GeneratedRequest, choices: &mut Choices) -> Vec<OptionWords> {
    let spelling = choices.one_of(&[DATA, DATA_RAW, DATA_BINARY, DATA_ASCII]);
    match &request.payload {
        GeneratedBody::None => Vec::new(),
        GeneratedBody::Empty => vec![option(spelling, "", choices)],
        GeneratedBody::Json { text, .. } => {
            vec![option(if request.uses_json_option { JSON } else { spelling }, text, choices)]
        }
        GeneratedBody::Text { text, .. } => vec![option(spelling, text, choices)],
        GeneratedBody::Form(fields) => form_options(fields, choices),
        GeneratedBody::Query(fields) => {
            let mut options = form_options(fields, choices);
            options.insert(choices.below(options.len() + 1), vec![choices.one_of(&["-G", "--get", "-sG"]).to_owned()]);
            options
        }
        GeneratedBody::Multipart(fields) => {
            fields.iter().map(|(name, value)| part_option(name, value, choices)).collect()
        }
        GeneratedBody::File { field, path } => vec![option(FORM, &format!("{field}=@{path}"), choices)],
    }
}

/// Prints each field as a separate option, or appends it to the previous option. The value is encoded here, or by curl
/// (`--data-urlencode`).
fn form_options(fields: &[(String, String)], choices: &mut Choices) -> Vec<OptionWords> {
    let mut pieces: Vec<(OptionSpelling, String)> = Vec::new();
    for (name, value) in fields {
        if choices.once_in(3) {
            pieces.push((DATA_URLENCODE, format!("{name}={value}")));
            continue;
        }
        let pair = format!("{name}={}", form_encode(value, choices));
        match pieces.last_mut() {
            Some((spelling, piece)) if *spelling != DATA_URLENCODE && choices.once_in(2) => {
                *piece = format!("{piece}&{pair}");
            }
            _ => pieces.push((choices.one_of(&[DATA, DATA_RAW, DATA_BINARY]), pair)),
        }
    }
    pieces.iter().map(|(spelling, piece)| option(*spelling, piece, choices)).collect()
}

/// Encodes the characters that must be encoded in a form, and some of the others.
fn form_encode(value: &str, choices: &mut Choices) -> String {
    let encode_char = |c: char| match c {
        ' ' if choices.once_in(2) => "+".to_owned(),
        '&' | '+' | '%' | ' ' | '\n' | '\t' => percent_encode(&c.to_string()),
        c if c.is_alphanumeric() || choices.once_in(2) => c.to_string(),
        c => percent_encode(&c.to_string()),
    };
    value.chars().map(encode_char).collect()
}

fn part_option(name: &str, value: &str, choices: &mut Choices) -> OptionWords {
    let is_plain = !value.contains([';', '"', '\\']) && !value.starts_with(['@', '<']) && value.trim() == value;
    match choices.below(3) {
        0 => option(FORM_STRING, &format!("{name}={value}"), choices),
        1 if is_plain => option(FORM, &format!("{name}={value}"), choices),
        _ => {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            let parameters = choices.one_of(&["", ";type=text/plain", "; type=text/plain;filename=\"a;b\""]);
            option(FORM, &format!("{name}=\"{quoted}\"{parameters}"), choices)
        }
    }
}
