//! Files that were compressed when the console was built lie beside the originals: `x.js.br`, `x.js.gz`.

use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

/// How a file may be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    pub(super) const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// As HTTP calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }

    /// The name of the compressed file beside `name`.
    pub(super) fn file_name(self, name: &str) -> String {
        format!("{name}{}", self.suffix())
    }

    /// Whether `name` is that of a compressed file.
    pub(super) fn is_suffix_of(self, name: &str) -> bool {
        name.ends_with(self.suffix())
    }

    /// Whether the caller understands it: named, or meant by `*`, and not with a weight of zero.
    pub(super) fn is_accepted(self, headers: &HeaderMap) -> bool {
        let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let mut by_star = false;
        for item in values.flat_map(|value| value.split(',')) {
            let (coding, weight) = item.split_once(';').unwrap_or((item, ""));
            match coding.trim() {
                coding if coding.eq_ignore_ascii_case(self.name()) => return !is_zero(weight),
                "*" => by_star = !is_zero(weight),
                _ => {}
            }
        }
        by_star
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
    fn an_encoding_is_used_when_the_caller_names_or_means_it() {
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
            let accepted = (Encoding::Brotli.is_accepted(&headers), Encoding::Gzip.is_accepted(&headers));
            assert_eq!(accepted, (brotli, gzip), "{header}");
        }
        assert!(!Encoding::Gzip.is_accepted(&HeaderMap::new()));
    }
}
