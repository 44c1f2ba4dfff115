//! The data of a request: the text that curl would send, put together from its options.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::curl::options::table::Effect;
use crate::curl::options::{Given, Options};
use crate::curl::stdin::Stdin;
use crate::curl::warnings::Warnings;

/// What curl leaves as it is when it encodes.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What `-d` and its kin make together.
#[derive(Debug)]
pub(in crate::curl) struct Data {
    pub(in crate::curl) text: String,
    /// Whether a file would be part of it; its name is, in its place.
    pub(in crate::curl) has_file: bool,
    /// Whether all of it was encoded, so that it is form data whatever it looks like.
    pub(in crate::curl) is_encoded: bool,
}

impl Data {
    /// `None` if the command has no data; an empty text is some.
    pub(super) fn read(options: &Options, warnings: &mut Warnings) -> Option<Self> {
        let mut data: Option<Self> = None;
        for given in &options.given {
            let Some(piece) = Piece::of(given, options) else { continue };
            if piece.is_file {
                warnings.add("The data of a file is not there: no file is read. Its name stands in its place.");
            }
            let all = data.get_or_insert(Self { text: String::new(), has_file: false, is_encoded: true });
            if !all.text.is_empty() && given.effect != Effect::Json {
                all.text.push('&');
            }
            all.text.push_str(&piece.text);
            all.has_file |= piece.is_file && !piece.is_named;
            all.is_encoded &= given.effect == Effect::DataUrlencode;
        }
        data
    }
}

/// What `--url-query` adds to the address.
pub(super) fn url_query(value: &str) -> String {
    value.strip_prefix('+').map_or_else(|| encoded(value, &Stdin::default()).text, str::to_owned)
}

/// What one option adds.
struct Piece {
    text: String,
    /// Whether it is the name of a file.
    is_file: bool,
    /// Whether that is the value of a field.
    is_named: bool,
}

impl Piece {
    fn of(given: &Given, options: &Options) -> Option<Self> {
        let text = |text: String| Self { text, is_file: false, is_named: false };
        let value = given.value.as_str();
        Some(match (given.effect, value.strip_prefix('@')) {
            (Effect::DataUrlencode, _) => encoded(value, &options.stdin),
            (Effect::DataRaw, _) | (Effect::Data | Effect::DataBinary | Effect::Json, None) => text(value.to_owned()),
            (Effect::Data | Effect::DataBinary | Effect::Json, Some(file)) => match options.stdin.read(file) {
                // -d drops the ends of lines of what it reads
                Some(read) if given.effect == Effect::Data => text(read.replace(['\r', '\n', '\0'], "")),
                Some(read) => text(read),
                None => Self { text: value.to_owned(), is_file: true, is_named: false },
            },
            _ => return None,
        })
    }
}

/// `value`, `=value`, `name=value`, `@file` or `name@file`: what follows is encoded, the name is not.
fn encoded(text: &str, stdin: &Stdin) -> Piece {
    let at = text.find('=').or_else(|| text.find('@'));
    let Some((name, rest)) = at.and_then(|at| text.split_at_checked(at)) else {
        return Piece { text: encode(text), is_file: false, is_named: false };
    };
    let is_file = rest.starts_with('@');
    let value = rest.get(1..).unwrap_or_default();
    let (value, is_file) = match stdin.read(if is_file { value } else { "" }) {
        Some(read) => (encode(&read), false),
        _ if is_file => (format!("@{value}"), true),
        _ => (encode(value), false),
    };
    let is_named = !name.is_empty();
    Piece { text: if is_named { format!("{name}={value}") } else { value }, is_file, is_named }
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}
