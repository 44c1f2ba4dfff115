//! Takes an `endpoint_url` apart, once: into an origin, and literal text with slots between.
//!
//! The url crate brings scheme and host into their one form (IDNA, disguised addresses, default ports) and resolves
//! dot segments. It has no notion of placeholders, so each is a word of letters and digits while it looks.

use percent_encoding::percent_encode_byte;
use url::Url;

use super::{Endpoint, Pair, Piece, Placeholder};

impl Endpoint {
    /// Compiles an address. `None` for what no tool can be saved with: no http, no host, a user in it.
    pub(crate) fn compile(template: &str) -> Option<Self> {
        let (marked, marks) = Marks::set(template)?;
        let url = Url::parse(&marked).ok()?;
        let is_plain =
            matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
        let host = url.host_str().filter(|_| is_plain)?;
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        // the url crate lets hosts pass that cannot be written as a URI, such as those with braces
        let origin = format!("{}://{host}{port}", url.scheme());
        http::Uri::try_from(origin.as_str()).ok()?;
        let pairs = url.query().map(legal).unwrap_or_default();
        let query: Vec<Pair> =
            pairs.split('&').filter(|pair| !pair.is_empty()).map(|pair| Pair::new(marks.pieces(pair))).collect();
        let is_in_query = |slot| query.iter().flat_map(|pair| &pair.pieces).any(|piece| piece.is_slot(slot));
        let placeholders = marks.names.iter().enumerate();
        Some(
            Self {
                origin,
                path: marks.pieces(&legal(url.path())),
                placeholders: placeholders
                    .map(|(slot, name)| Placeholder { name: name.clone(), is_in_query: is_in_query(slot) })
                    .collect(),
                query,
            }
            .without_lost_placeholders(),
        )
    }

    /// A placeholder in the fragment, or in a segment that `..` took away, is no longer there to be filled. Its number
    /// stays, or the others would change theirs; it just has no name.
    fn without_lost_placeholders(mut self) -> Self {
        for (slot, placeholder) in self.placeholders.iter_mut().enumerate() {
            if !placeholder.is_in_query && !self.path.iter().any(|piece| piece.is_slot(slot)) {
                placeholder.name.clear();
            }
        }
        self
    }
}

impl Piece {
    fn is_slot(&self, number: usize) -> bool {
        matches!(self, Self::Slot(slot) if *slot == number)
    }
}

impl Pair {
    fn new(pieces: Vec<Piece>) -> Self {
        let name = match pieces.as_slice() {
            [Piece::Text(text), rest @ ..] if rest.is_empty() || text.contains('=') => {
                form_urlencoded::parse(text.as_bytes()).next().map(|(name, _)| name.into_owned())
            }
            _ => None,
        };
        Self { name, pieces }
    }
}

/// The words that stand for placeholders.
struct Marks {
    /// What each begins with. No part of it can be mistaken for its beginning, so text before a word cannot shift it.
    word: String,
    names: Vec<String>,
}

impl Marks {
    /// Puts a word in the place of each placeholder after the host.
    fn set(template: &str) -> Option<(String, Self)> {
        let word = (0..=template.len()).map(|n| format!("zq{n}x")).find(|word| !template.contains(word.as_str()))?;
        let mut marks = Self { word, names: Vec::new() };
        let (scheme, rest) = template.split_once("://")?;
        let host_end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
        let (host, mut rest) = rest.split_at_checked(host_end)?;
        let mut marked = format!("{scheme}://{host}");
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            marked.push_str(before);
            let number = marks.number(name).to_string();
            marked.extend([marks.word.as_str(), &number, "x"]);
            rest = after;
        }
        marked.push_str(rest);
        Some((marked, marks))
    }

    fn number(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Text with its words turned into slots.
    fn pieces(&self, text: &str) -> Vec<Piece> {
        let mut parts = text.split(self.word.as_str());
        let mut pieces = vec![Piece::Text(parts.next().unwrap_or_default().to_owned())];
        for part in parts {
            let (number, after) = part.split_once('x').unwrap_or(("", part));
            pieces.extend(number.parse().ok().map(Piece::Slot));
            pieces.push(Piece::Text(after.to_owned()));
        }
        pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        pieces
    }
}

/// Text of a path or query with everything percent-encoded that RFC 3986 does not allow there. What is encoded
/// already stays; a lone `%` does not.
fn legal(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    for (at, &byte) in bytes.iter().enumerate() {
        let is_escape = byte == b'%'
            && matches!(bytes.get(at + 1..at + 3), Some([a, b]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        if is_escape || byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(percent_encode_byte(byte));
        }
    }
    out
}
