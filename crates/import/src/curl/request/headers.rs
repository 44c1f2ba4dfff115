//! The headers of a request, as `-H` and the options that stand for a header give them.

use base64::Engine;
use indexmap::IndexMap;
use toolgate_domain::headers::is_token;

use crate::curl::options::Options;
use crate::curl::options::table::Effect;
use crate::curl::warnings::Warnings;

/// Headers by their name in small letters.
#[derive(Debug, Default)]
pub(in crate::curl) struct Headers(IndexMap<String, Header>);

#[derive(Debug)]
struct Header {
    /// As it was typed first.
    name: String,
    /// `None` for one that must not be sent.
    value: Option<String>,
}

impl Headers {
    pub(super) fn read(options: &Options, warnings: &mut Warnings) -> Self {
        let mut headers = Self::default();
        for given in options.given.iter().filter(|given| given.effect == Effect::Header) {
            headers.add_line(&given.value, warnings);
        }
        headers.add_json(options);
        headers.add_cookies(options, warnings);
        for (effect, name) in
            [(Effect::UserAgent, "User-Agent"), (Effect::Referer, "Referer"), (Effect::Range, "Range")]
        {
            if let Some(given) = options.last(effect) {
                let value = match effect {
                    Effect::Referer => given.value.split(";auto").next().unwrap_or_default().to_owned(),
                    Effect::Range => range(&given.value),
                    _ => given.value.clone(),
                };
                headers.add_default(name, &value);
            }
        }
        headers
    }

    /// Adds what `-H` was given.
    fn add_line(&mut self, line: &str, warnings: &mut Warnings) {
        if line.starts_with('@') {
            return warnings.add("The headers of a file were ignored: no file is read.");
        }
        let (name, value) = match (line.split_once(':'), line.trim_end().strip_suffix(';')) {
            // of a header of HTTP/2 itself, which curl does not send either
            (Some(("", _)), _) => return,
            (Some((name, value)), _) => (name.trim(), Some(value.trim()).filter(|value| !value.is_empty())),
            (None, Some(name)) => (name.trim(), Some("")),
            (None, None) => return warnings.add("A header without a colon was ignored."),
        };
        if !is_token(name) {
            return warnings.add("A header whose name is none was ignored.");
        }
        if value.is_some_and(|value| value.chars().any(|c| c.is_control() && c != '\t')) {
            return warnings.add(format!("The header {name} was ignored: its value holds control characters."));
        }
        self.add(name, value);
    }

    fn add(&mut self, name: &str, value: Option<&str>) {
        let key = name.to_ascii_lowercase();
        let separator = if key == "cookie" { "; " } else { ", " };
        let header = self.0.entry(key).or_insert_with(|| Header { name: name.to_owned(), value: None });
        match (&mut header.value, value) {
            (Some(earlier), Some(value)) => {
                earlier.push_str(separator);
                earlier.push_str(value);
            }
            (earlier @ None, Some(value)) => *earlier = Some(value.to_owned()),
            (_, None) => {}
        }
    }

    /// Adds a header unless one of its name was given, be it as one that must not be sent.
    fn add_default(&mut self, name: &str, value: &str) {
        if !self.mentions(name) && !value.is_empty() {
            self.add(name, Some(value));
        }
    }

    fn add_json(&mut self, options: &Options) {
        if options.given.iter().any(|given| given.effect == Effect::Json) {
            self.add_default("Content-Type", "application/json");
            self.add_default("Accept", "application/json");
        }
    }

    fn add_cookies(&mut self, options: &Options, warnings: &mut Warnings) {
        let given = options.given.iter().filter(|given| given.effect == Effect::Cookie);
        let (cookies, files): (Vec<_>, Vec<_>) =
            given.map(|given| given.value.as_str()).partition(|text| text.contains('='));
        if files.iter().any(|file| !file.is_empty()) {
            warnings.add("The cookies of a file were ignored: no file is read.");
        }
        self.add_default("Cookie", &cookies.join(";"));
    }

    /// Whether a header was given, be it as one that must not be sent.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.0.contains_key(&name.to_ascii_lowercase())
    }

    pub(in crate::curl) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(&name.to_ascii_lowercase())?.value.as_deref()
    }

    /// Takes a header out; name as typed, and value.
    pub(in crate::curl) fn remove(&mut self, name: &str) -> Option<(String, String)> {
        let header = self.0.shift_remove(&name.to_ascii_lowercase())?;
        Some((header.name, header.value?))
    }

    /// The first header whose name fits, as typed.
    pub(in crate::curl) fn find(&self, fits: impl Fn(&str) -> bool) -> Option<&str> {
        let sent = |header: &&Header| header.value.as_ref().is_some_and(|value| !value.is_empty());
        let found = self.0.iter().find(|(key, header)| sent(header) && fits(key));
        found.map(|(_, header)| header.name.as_str())
    }

    /// What is sent, by name as typed.
    pub(super) fn into_map(self) -> IndexMap<String, String> {
        self.0.into_values().filter_map(|header| Some((header.name, header.value?))).collect()
    }
}

/// curl completes a range: `5` is everything from there on.
fn range(value: &str) -> String {
    if value.contains('-') { format!("bytes={value}") } else { format!("bytes={value}-") }
}

/// User and password of `Basic …`; `None` if they cannot be told.
pub(in crate::curl) fn decode_basic(text: &str) -> Option<(String, String)> {
    use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let bytes = GeneralPurpose::new(&base64::alphabet::STANDARD, config).decode(text).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.split_once(':').map(|(user, password)| (user.to_owned(), password.to_owned()))
}
