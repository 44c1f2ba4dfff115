//! The headers of a request, from `-H` and from options such as `-A` that set a header.

use indexmap::IndexMap;
use toolgate_domain::headers::is_token;

use crate::curl::options::Options;
use crate::curl::options::table::Effect;
use crate::warnings::Warnings;

/// Headers by name in lower case.
#[derive(Debug, Default)]
pub(super) struct CurlHeaders(IndexMap<String, CurlHeader>);

#[derive(Debug)]
struct CurlHeader {
    /// The name as first typed.
    name: String,
    /// `None` if the header is not sent, as for `-H 'Accept:'`.
    value: Option<String>,
}

impl CurlHeaders {
    pub(super) fn from_options(options: &Options, warnings: &mut Warnings) -> Self {
        let mut headers = Self::default();
        for given in options.given.iter().filter(|given| given.effect == Effect::Header) {
            headers.add_line(&given.value, warnings);
        }
        if options.last(Effect::Json).is_some() {
            headers.add_default("Content-Type", "application/json");
            headers.add_default("Accept", "application/json");
        }
        headers.add_cookies(options, warnings);
        let value = |effect| options.last(effect).map(|given| given.value.as_str()).unwrap_or_default();
        headers.add_default("User-Agent", value(Effect::UserAgent));
        headers.add_default("Referer", value(Effect::Referer).split(";auto").next().unwrap_or_default());
        if let Some(range) = options.last(Effect::Range) {
            headers.add_default("Range", &range_header(&range.value));
        }
        headers
    }

    /// Adds the header of a `-H` option.
    fn add_line(&mut self, line: &str, warnings: &mut Warnings) {
        if line.starts_with('@') {
            return warnings.add("A header file was ignored: no file is read.");
        }
        let (name, value) = match (line.split_once(':'), line.trim_end().strip_suffix(';')) {
            // An HTTP/2 pseudo-header such as `:authority`; curl does not send it either.
            (Some(("", _)), _) => return,
            (Some((name, value)), _) => (name.trim(), Some(value.trim()).filter(|value| !value.is_empty())),
            (None, Some(name)) => (name.trim(), Some("")),
            (None, None) => return warnings.add("A header without a colon was ignored."),
        };
        if !is_token(name) {
            return warnings.add("A header with an invalid name was ignored.");
        }
        if value.is_some_and(|value| value.chars().any(|c| c.is_control() && c != '\t')) {
            return warnings.add(format!("The {name} header was ignored: its value contains control characters."));
        }
        self.add(name, value);
    }

    /// Adds a value; `None` adds the name only, so that curl sends no default header of this name.
    fn add(&mut self, name: &str, value: Option<&str>) {
        let key = name.to_ascii_lowercase();
        let separator = if key == "cookie" { "; " } else { ", " };
        let header = self.0.entry(key).or_insert_with(|| CurlHeader { name: name.to_owned(), value: None });
        match (&mut header.value, value) {
            (Some(earlier), Some(value)) => {
                earlier.push_str(separator);
                earlier.push_str(value);
            }
            (earlier @ None, Some(value)) => *earlier = Some(value.to_owned()),
            (_, None) => {}
        }
    }

    /// Adds a header unless the command sets or removes a header of this name.
    fn add_default(&mut self, name: &str, value: &str) {
        if !self.contains(name) && !value.is_empty() {
            self.add(name, Some(value));
        }
    }

    /// Adds the cookies of `-b`. A value without `=` is the name of a file.
    fn add_cookies(&mut self, options: &Options, warnings: &mut Warnings) {
        let given = options.given.iter().filter(|given| given.effect == Effect::Cookie);
        let (cookies, files): (Vec<_>, Vec<_>) =
            given.map(|given| given.value.as_str()).partition(|text| text.contains('='));
        if files.iter().any(|file| !file.is_empty()) {
            warnings.add("A cookie file was ignored: no file is read.");
        }
        self.add_default("Cookie", &cookies.join(";"));
    }

    /// Whether the command sets or removes a header.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(&name.to_ascii_lowercase())
    }

    /// The value of a header that is sent.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(&name.to_ascii_lowercase())?.value.as_deref()
    }

    /// Removes a header; returns its name as typed and its value.
    pub(super) fn remove(&mut self, name: &str) -> Option<(String, String)> {
        let header = self.0.shift_remove(&name.to_ascii_lowercase())?;
        Some((header.name, header.value?))
    }

    /// The name, as typed, of the first non-empty header whose lower-case name matches.
    pub(super) fn find(&self, matches: impl Fn(&str) -> bool) -> Option<&str> {
        let has_value = |header: &&CurlHeader| header.value.as_ref().is_some_and(|value| !value.is_empty());
        let found = self.0.iter().find(|(key, header)| has_value(header) && matches(key));
        found.map(|(_, header)| header.name.as_str())
    }

    /// The headers that are sent, by name as typed.
    pub(super) fn into_map(self) -> IndexMap<String, String> {
        self.0.into_values().filter_map(|header| Some((header.name, header.value?))).collect()
    }
}

/// The value of the Range header. curl completes `5` to the open range `5-`.
fn range_header(value: &str) -> String {
    if value.contains('-') { format!("bytes={value}") } else { format!("bytes={value}-") }
}
