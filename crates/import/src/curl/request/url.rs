//! The URL of a request: absolute, without userinfo and fragment, with placeholders in the syntax of tools.

use std::collections::HashSet;
use std::fmt::{self, Write};

use percent_encoding::{percent_decode_str, percent_encode_byte};

use crate::curl::error::ParseError;
use crate::curl::options::Options;
use crate::curl::options::table::Effect;
use crate::curl::words::Word;
use crate::request::form_data;
use crate::warnings::Warnings;
use toolgate_domain::endpoint_url::URL_MAX;

/// A URL without userinfo and fragment. Braces occur only around placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::curl) struct CurlUrl {
    /// Scheme, host, port and path, as typed.
    pub(in crate::curl) base: String,
    /// The query without its question mark; `None` if the URL has no question mark.
    pub(in crate::curl) query: Option<String>,
}

/// User and password from a URL.
pub(super) type UserInfo = (String, String);

impl CurlUrl {
    /// Parses the first URL of a command, and the user and password in it.
    pub(super) fn parse(options: &Options, warnings: &mut Warnings) -> Result<(Self, Option<UserInfo>), ParseError> {
        let Some(Word { text, offset }) = options.urls.first() else {
            return Err(ParseError::new("the command has no URL", options.offset));
        };
        if options.urls.len() > 1 {
            warnings.add("The command has several URLs. Only the first one was imported.");
        }
        let default_scheme = options.last(Effect::DefaultScheme).map_or("http", |given| given.value.as_str());
        let (scheme, rest) = split_scheme(text.trim(), default_scheme, *offset)?;
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let (userinfo, host) = match authority.rsplit_once('@') {
            Some((userinfo, host)) => (Some(decode_userinfo(userinfo)), host),
            None => (None, authority),
        };
        if host.is_empty() {
            return Err(ParseError::new("the URL has no host", *offset));
        }
        if !options.is_on(Effect::GlobOff) {
            warn_of_globs(rest, warnings);
        }
        let (path, query) = match after.split_once('?') {
            Some((path, query)) => (path, Some(encode_except_placeholders(query))),
            None => (after, None),
        };
        let host = encode_except_placeholders(host);
        if host.contains('{') {
            warnings.add(
                "The host of the URL is a placeholder, which tools do not support. Replace it with the real host.",
            );
        }
        let base = format!("{scheme}://{host}{}", encode_except_placeholders(path));
        Ok((Self { base, query }, userinfo))
    }

    /// Appends a piece to the query.
    pub(super) fn add_query(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let piece = encode_except_placeholders(piece);
        match &mut self.query {
            Some(query) if !query.is_empty() => {
                query.push('&');
                query.push_str(&piece);
            }
            query => *query = Some(piece),
        }
    }

    /// Appends a file name if the path is empty or ends with a slash.
    pub(super) fn add_file_name(&mut self, name: &str) {
        let has_path = self.base.split_once("://").is_some_and(|(_, rest)| rest.contains('/'));
        if !has_path {
            self.base.push('/');
        }
        if self.base.ends_with('/') {
            self.base.push_str(&form_data::encode(name));
        }
    }

    /// The distinct placeholder names, in order.
    pub(in crate::curl) fn placeholders(&self) -> Vec<&str> {
        let parts = [Some(self.base.as_str()), self.query.as_deref()];
        let mut seen = HashSet::new();
        parts
            .into_iter()
            .flatten()
            .flat_map(|part| part.split('{').skip(1).filter_map(|after| Some(after.split_once('}')?.0)))
            .filter(|name| seen.insert(*name))
            // A placeholder takes at least three characters: a URL with more of them is too long for a tool.
            .take(URL_MAX / 3)
            .collect()
    }
}

impl fmt::Display for CurlUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)?;
        self.query.as_ref().map_or(Ok(()), |query| write!(f, "?{query}"))
    }
}

/// The scheme as typed, and the text after `://`.
fn split_scheme<'a>(text: &'a str, default: &'a str, offset: usize) -> Result<(&'a str, &'a str), ParseError> {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let is_http = |scheme: &str| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    // curl accepts any number of slashes after a scheme that it supports.
    let typed =
        text.split_once(":/").filter(|(scheme, rest)| is_http(scheme) || is_scheme(scheme) && rest.starts_with('/'));
    let (scheme, rest) = typed.map_or((default, text), |(scheme, rest)| (scheme, rest.trim_start_matches('/')));
    if is_http(scheme) {
        return Ok((scheme, rest));
    }
    Err(ParseError::new("the scheme of the URL must be http or https", offset))
}

fn decode_userinfo(text: &str) -> UserInfo {
    let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (user, password) = text.split_once(':').unwrap_or((text, ""));
    (decode(user), decode(password))
}

/// Warns of URL globs such as `[1-9]` and `{a,b}`, for which curl sends several requests.
fn warn_of_globs(text: &str, warnings: &mut Warnings) {
    let starts_with_range = |after: &str| {
        let inner = after.split(']').next().unwrap_or_default();
        let (from, to) = inner.split_once('-').unwrap_or_default();
        let is_bound = |text: &str| {
            text.len() == 1 && text.bytes().all(|b| b.is_ascii_alphanumeric())
                || !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
        };
        is_bound(from) && is_bound(to.split(':').next().unwrap_or_default())
    };
    let has_range = text.split('[').skip(1).any(starts_with_range);
    let has_list = text.split('{').skip(1).any(|after| {
        after
            .split('}')
            .next()
            .unwrap_or_default()
            .split_once(',')
            .is_some_and(|(first, _)| !first.contains(['"', ':']))
    });
    if has_range || has_list {
        warnings.add("curl expands the brackets in the URL to several requests. A tool sends one request with the brackets as text.");
    }
}

/// Percent-encodes braces that do not enclose a placeholder, and characters that are invalid in a URL. Rewrites
/// `{{name}}` to `{name}`.
fn encode_except_placeholders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(offset) = rest.find(|c: char| matches!(c, '{' | '}' | '\\') || c.is_control() || c.is_whitespace()) {
        let (plain, special) = rest.split_at_checked(offset).unwrap_or((rest, ""));
        out.push_str(plain);
        if let Some((name, after)) = placeholder(special) {
            let _ = write!(out, "{{{name}}}");
            rest = after;
            continue;
        }
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(percent_encode_byte(byte));
            }
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// Maximum length of a placeholder name, in bytes.
const NAME_MAX: usize = 128;

/// A placeholder at the start of a text: its normalized name, and the text after it.
fn placeholder(text: &str) -> Option<(String, &str)> {
    let (open, close) = if text.starts_with("{{") { ("{{", "}}") } else { ("{", "}") };
    let inner = text.strip_prefix(open)?;
    let end = inner.get(..inner.floor_char_boundary(NAME_MAX))?.find('}')?;
    let (name, after) = inner.split_at_checked(end)?;
    let after = after.strip_prefix(close)?;
    let name = name.trim().trim_start_matches(['$', ':', '+', '#', '.', '/', '?', ';', '&']);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | ':'));
    is_name.then(|| (name.replace(['.', ' ', ':'], "_"), after))
}
