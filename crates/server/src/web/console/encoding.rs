//! Precompressed files, which the build of the console stores next to the originals: `x.js.br`, `x.js.gz`.

use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

/// The encoding of a precompressed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding {
    /// The name in HTTP headers.
    pub(super) name: &'static str,
    /// The suffix of file names with this encoding.
    pub(super) suffix: &'static str,
}

impl Encoding {
    const BROTLI: Self = Self { name: "br", suffix: ".br" };
    const GZIP: Self = Self { name: "gzip", suffix: ".gz" };
    pub(super) const ALL: [Self; 2] = [Self::BROTLI, Self::GZIP];

    /// Whether the client accepts this encoding, by name or by `*`, with a weight above zero.
    pub(super) fn is_accepted(self, headers: &HeaderMap) -> bool {
        let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let mut is_star_accepted = false;
        for item in values.flat_map(|value| value.split(',')) {
            let (coding, weight) = item.split_once(';').unwrap_or((item, ""));
            match coding.trim() {
                coding if coding.eq_ignore_ascii_case(self.name) => return !is_zero(weight),
                "*" => is_star_accepted = !is_zero(weight),
                _ => {}
            }
        }
        is_star_accepted
    }
}

fn is_zero(weight: &str) -> bool {
    let quality = weight.split_once('=').map(|(_, quality)| quality.trim());
    quality.and_then(|quality| quality.parse::<f32>().ok()).is_some_and(|quality| quality <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_accepted_by_name_or_by_star() {
        for (header, brotli, gzip) in [
            ("gzip, deflate, br, zstd", true, true),
            ("GZIP", false, true),
            ("gzip;q=0.5, br;q=0", false, true),
            ("br;q=0.0, *", false, true),
            ("*;q=0, br", true, false),
            ("identity", false, false),
            ("", false, false),
            ("brotli, xgzip, ;;;,,", false, false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, header.parse().unwrap())]);
            let accepted = (Encoding::BROTLI.is_accepted(&headers), Encoding::GZIP.is_accepted(&headers));
            assert_eq!(accepted, (brotli, gzip), "{header}");
        }
        assert!(!Encoding::GZIP.is_accepted(&HeaderMap::new()));
    }
}
