//! The era of a caller: the protocol generation that it speaks. One endpoint serves three eras: *bare* (plain JSON-RPC
//! without a handshake, results without extra keys), *legacy* (`initialize` and an optional session) and *modern*
//! (2026-07-28: each request is self-contained).

use http::{HeaderMap, HeaderName};
use toolgate_domain::closed_set;

/// The header that names the revision.
pub(crate) const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");

closed_set! {
    /// A revision of the protocol, from the oldest to the newest.
    #[derive(PartialOrd, Ord, Hash)]
    pub(crate) enum Revision {
        V2024_11_05 = "2024-11-05",
        V2025_03_26 = "2025-03-26",
        V2025_06_18 = "2025-06-18",
        V2025_11_25 = "2025-11-25",
        V2026_07_28 = "2026-07-28",
    }
}

impl Revision {
    /// The revision for a legacy client that requests an unsupported one.
    pub(crate) const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The supported revisions, newest first, because clients choose the first one that they support.
    pub(crate) fn supported() -> Vec<&'static str> {
        Self::NAMES.iter().rev().copied().collect()
    }
}

/// The protocol generation that a caller speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Era {
    /// Plain JSON-RPC.
    Bare,
    /// With a handshake. The revision is that of the version header, else that of the session; for `initialize` without
    /// the header, the newest legacy revision.
    Legacy(Revision),
    /// Revision 2026-07-28.
    Modern,
}

impl Era {
    pub(crate) fn is_modern(self) -> bool {
        self == Self::Modern
    }

    /// Whether a call is cancelled when its client disconnects. Legacy revisions forbid that.
    pub(crate) fn disconnect_cancels(self) -> bool {
        !matches!(self, Self::Legacy(_))
    }

    /// The revision; `None` for bare callers.
    pub(crate) fn revision(self) -> Option<Revision> {
        match self {
            Self::Bare => None,
            Self::Legacy(revision) => Some(revision),
            Self::Modern => Some(Revision::V2026_07_28),
        }
    }

    /// Whether batches are allowed.
    pub(crate) fn has_batches(self) -> bool {
        matches!(self, Self::Bare | Self::Legacy(Revision::V2025_03_26))
    }

    /// The era according to the headers: the version header, else the revision of the session. `None` for an unknown
    /// version: the request is refused unless its body makes it modern.
    pub(crate) fn from_headers(headers: &HeaderMap, session: Option<Revision>) -> Option<Self> {
        let Some(value) = headers.get(VERSION_HEADER) else {
            return Some(session.map_or(Self::Bare, Self::Legacy));
        };
        let version = value.to_str().unwrap_or_default().trim();
        match Revision::parse(version) {
            Some(Revision::V2026_07_28) => Some(Self::Modern),
            Some(revision) => Some(Self::Legacy(revision)),
            // A later revision follows the modern rules, which refuse it with the list of supported ones.
            None => (is_date(version) && version > Revision::V2026_07_28.as_str()).then_some(Self::Modern),
        }
    }
}

/// Whether a text has the form `YYYY-MM-DD`, which all revisions have.
fn is_date(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(index, byte)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn era_of_version(version: &str) -> Option<Era> {
        let mut headers = HeaderMap::new();
        headers.insert(VERSION_HEADER, version.parse().unwrap());
        Era::from_headers(&headers, None)
    }

    #[test]
    fn the_version_header_decides_the_era_and_without_it_the_session() {
        assert_eq!(era_of_version("2025-06-18"), Some(Era::Legacy(Revision::V2025_06_18)));
        assert_eq!(era_of_version("2026-07-28"), Some(Era::Modern));
        assert_eq!(era_of_version("2099-01-01"), Some(Era::Modern));
        for bad in ["1999-01-01", "x", "", "2026-7-28", "v999.0.0"] {
            assert_eq!(era_of_version(bad), None, "{bad}");
        }
        let none = HeaderMap::new();
        assert_eq!(Era::from_headers(&none, None), Some(Era::Bare));
        assert_eq!(Era::from_headers(&none, Some(Revision::V2025_11_25)), Some(Era::Legacy(Revision::V2025_11_25)));
    }
}
