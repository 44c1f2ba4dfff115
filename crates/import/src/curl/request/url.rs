//! The URL of a command.

use percent_encoding::percent_decode_str;

use crate::curl::error::ParseError;
use crate::curl::options::Options;
use crate::curl::options::table::Effect;
use crate::curl::words::word::Word;
use crate::request::url::ImportedUrl;
use crate::request::urlencoded_form;
use crate::warnings::Warnings;

/// User and password from a URL.
pub(super) type UserInfo = (String, String);

/// Parses the first URL of a command, and the user and password in it.
pub(super) fn parse(options: &Options, warnings: &mut Warnings) -> Result<(ImportedUrl, Option<UserInfo>), ParseError> {
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
    Ok((ImportedUrl::new(scheme, host, after, warnings), userinfo))
}

/// Appends a file name if the path is empty or ends with a slash.
pub(super) fn add_file_name(url: &mut ImportedUrl, name: &str) {
    let has_path = url.base.split_once("://").is_some_and(|(_, rest)| rest.contains('/'));
    if !has_path {
        url.base.push('/');
    }
    if url.base.ends_with('/') {
        url.base.push_str(&urlencoded_form::encode(name));
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
