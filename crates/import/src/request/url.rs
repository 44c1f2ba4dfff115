//! The URL of a request: absolute, without userinfo and fragment, with placeholders in the syntax of tools.

use std::collections::HashSet;
use std::fmt::{self, Write};

use percent_encoding::percent_encode_byte;
use toolgate_domain::endpoint_url::URL_MAX;

use crate::warnings::Warnings;

/// A URL without userinfo and fragment. Braces occur only around placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportedUrl {
    /// Scheme, host, port and path as typed, with characters that are invalid in a URL percent-encoded.
    pub(crate) base: String,
    /// The query without its question mark; `None` if the URL has no question mark.
    pub(crate) query: Option<String>,
}

impl ImportedUrl {
    /// A URL from its parts as typed; `path_and_query` is empty or begins with `/` or `?`.
    pub(crate) fn new(scheme: &str, host: &str, path_and_query: &str, warnings: &mut Warnings) -> Self {
        let (path, query) = match path_and_query.split_once('?') {
            Some((path, query)) => (path, Some(encode_except_placeholders(query))),
            None => (path_and_query, None),
        };
        let host = encode_except_placeholders(host);
        if host.contains('{') {
            warnings.add(
                "The host of the URL is a placeholder, which tools do not support. Replace it with the real host.",
            );
        }
        Self { base: format!("{scheme}://{host}{}", encode_except_placeholders(path)), query }
    }

    /// Appends a piece to the query.
    pub(crate) fn add_query(&mut self, piece: &str) {
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

    /// The distinct placeholder names, in order.
    pub(crate) fn placeholders(&self) -> Vec<&str> {
        let parts = [Some(self.base.as_str()), self.query.as_deref()];
        let mut seen = HashSet::new();
        parts
            .into_iter()
            .flatten()
            .flat_map(|part| part.split('{').skip(1).filter_map(|after| Some(after.split_once('}')?.0)))
            .filter(|name| seen.insert(*name))
            // A placeholder has at least three characters, so no URL of a tool has more placeholders than this.
            .take(URL_MAX / 3)
            .collect()
    }
}

impl fmt::Display for ImportedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)?;
        self.query.as_ref().map_or(Ok(()), |query| write!(f, "?{query}"))
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
        if let Some((name, after)) = parse_placeholder(special) {
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

/// Parses a placeholder at the start of a text, `{name}` or `{{name}}`. Returns its name as tools write it, and the
/// text after it.
fn parse_placeholder(text: &str) -> Option<(String, &str)> {
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
