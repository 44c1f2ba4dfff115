//! Parses an `endpoint_url` into an origin and literal text with slots.
//!
//! The url crate normalises scheme and host (IDNA, alternative IP notations, default ports) and resolves dot segments.
//! It does not support placeholders, so each is replaced by an alphanumeric marker before parsing.

use percent_encoding::percent_encode_byte;
use url::Url;

use super::{EndpointTemplate, Placeholder, QueryPair, UrlPiece};

impl EndpointTemplate {
    /// Compiles a URL. `None` for URLs that no tool can be saved with: another scheme, no host, or user info.
    pub(crate) fn compile(template: &str) -> Option<Self> {
        let (template_with_markers, markers) = PlaceholderMarkers::insert(template)?;
        let url = Url::parse(&template_with_markers).ok()?;
        let is_allowed =
            matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
        let host = url.host_str().filter(|_| is_allowed)?;
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        // The url crate accepts hosts that are not valid in a URI, such as those with braces.
        let origin = format!("{}://{host}{port}", url.scheme());
        http::Uri::try_from(origin.as_str()).ok()?;
        let pairs = url.query().map(encode_disallowed).unwrap_or_default();
        let query: Vec<QueryPair> =
            pairs.split('&').filter(|pair| !pair.is_empty()).map(|pair| QueryPair::new(markers.pieces(pair))).collect();
        let is_in_query = |slot| query.iter().flat_map(|pair| &pair.pieces).any(|piece| piece.is_slot(slot));
        let placeholders = markers.names.iter().enumerate();
        Some(
            Self {
                origin,
                path: markers.pieces(&encode_disallowed(url.path())),
                placeholders: placeholders
                    .map(|(slot, name)| Placeholder { name: name.clone(), is_in_query: is_in_query(slot) })
                    .collect(),
                query,
            }
            .without_lost_placeholders(),
        )
    }

    /// Clears the names of placeholders in the fragment, or in a segment that `..` removed: they cannot be filled. The
    /// entries stay, because slot numbers are positions in the list.
    fn without_lost_placeholders(mut self) -> Self {
        for (slot, placeholder) in self.placeholders.iter_mut().enumerate() {
            if !placeholder.is_in_query && !self.path.iter().any(|piece| piece.is_slot(slot)) {
                placeholder.name.clear();
            }
        }
        self
    }
}

impl UrlPiece {
    fn is_slot(&self, number: usize) -> bool {
        matches!(self, Self::Slot(slot) if *slot == number)
    }
}

impl QueryPair {
    fn new(pieces: Vec<UrlPiece>) -> Self {
        let name = match pieces.as_slice() {
            [UrlPiece::Text(text), rest @ ..] if rest.is_empty() || text.contains('=') => {
                form_urlencoded::parse(text.as_bytes()).next().map(|(name, _)| name.into_owned())
            }
            _ => None,
        };
        Self { name, pieces }
    }
}

/// The markers that replace placeholders.
struct PlaceholderMarkers {
    /// The prefix of each marker. It cannot overlap with itself, so text before a marker cannot shift the match.
    prefix: String,
    names: Vec<String>,
}

impl PlaceholderMarkers {
    /// Replaces each placeholder after the host by a marker.
    fn insert(template: &str) -> Option<(String, Self)> {
        let prefix =
            (0..=template.len()).map(|n| format!("zq{n}x")).find(|prefix| !template.contains(prefix.as_str()))?;
        let mut markers = Self { prefix, names: Vec::new() };
        let (scheme, rest) = template.split_once("://")?;
        let host_end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
        let (host, mut rest) = rest.split_at_checked(host_end)?;
        let mut template_with_markers = format!("{scheme}://{host}");
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            template_with_markers.push_str(before);
            let number = markers.slot_number(name).to_string();
            template_with_markers.extend([markers.prefix.as_str(), &number, "x"]);
            rest = after;
        }
        template_with_markers.push_str(rest);
        Some((template_with_markers, markers))
    }

    fn slot_number(&mut self, name: &str) -> usize {
        self.names.iter().position(|existing| existing == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Splits text at its markers into literals and slots.
    fn pieces(&self, text: &str) -> Vec<UrlPiece> {
        let mut parts = text.split(self.prefix.as_str());
        let mut pieces = vec![UrlPiece::Text(parts.next().unwrap_or_default().to_owned())];
        for part in parts {
            let (number, after) = part.split_once('x').unwrap_or(("", part));
            pieces.extend(number.parse().ok().map(UrlPiece::Slot));
            pieces.push(UrlPiece::Text(after.to_owned()));
        }
        pieces.retain(|piece| !matches!(piece, UrlPiece::Text(text) if text.is_empty()));
        pieces
    }
}

/// Percent-encodes the characters that RFC 3986 does not allow in a path or query. Existing escapes are unchanged; a
/// lone `%` is encoded.
fn encode_disallowed(text: &str) -> String {
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
