//! Searches bytes for a secret: as plain text, base64, hex and percent-encoding.
//!
//! Use secrets of eight characters or more: in base64 the first and last characters also depend on the
//! neighbouring bytes, and a shorter secret leaves too few others to search for.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The shortest base64 text that is searched for; a shorter one would also occur by chance.
const BASE64_LENGTH_MIN: usize = 6;

/// A file that contains the secret, and the form it has there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretMatch {
    /// The file.
    pub path: PathBuf,
    /// The form, as [`find_secret`] names it.
    pub form: &'static str,
}

/// The form in which `haystack` contains `secret`: `plain text`, `base64`, `hex` or `percent-encoding`.
pub fn find_secret(haystack: &[u8], secret: &str) -> Option<&'static str> {
    assert!(!secret.is_empty(), "the secret must not be empty");
    // Text search is fast even in a debug build; a secret is UTF-8, so no replaced byte is part of it.
    let haystack = String::from_utf8_lossy(haystack);
    if haystack.contains(secret) {
        return Some("plain text");
    }
    if base64_forms(secret).iter().any(|form| haystack.contains(form)) {
        return Some("base64");
    }
    if hex_forms(secret).iter().any(|form| haystack.contains(form)) {
        return Some("hex");
    }
    // Decodes the haystack instead of encoding the secret, because any of its characters may be escaped.
    let mut encoded_lines = haystack.split('\n').filter(|line| line.contains('%'));
    let decode = |line: &str| percent_encoding::percent_decode_str(line).decode_utf8_lossy().into_owned();
    encoded_lines.any(|line| decode(line).contains(secret)).then_some("percent-encoding")
}

/// Every file below `folder` that contains `secret`. Does not follow links.
pub fn find_secret_in_files(folder: &Path, secret: &str) -> Vec<SecretMatch> {
    let mut matches = Vec::new();
    for path in files_below(folder) {
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            // A running service may delete its files during the search.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => panic!("cannot read {}: {error}", path.display()),
        };
        if let Some(form) = find_secret(&bytes, secret) {
            matches.push(SecretMatch { path, form });
        }
    }
    matches
}

/// Every regular file below `folder`, sorted by path.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        for entry in entries {
            let entry = entry.expect("an entry of a folder can be read");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// The base64 characters that depend on the secret alone, for each of the three offsets in a group of
/// three bytes at which it may begin.
fn base64_forms(secret: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for offset in 0..3 {
        let mut bytes = vec![0; offset];
        bytes.extend_from_slice(secret.as_bytes());
        let start = (offset * 8).div_ceil(6);
        let end = bytes.len() * 8 / 6;
        for text in [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)] {
            if let Some(form) = text.get(start..end)
                && form.len() >= BASE64_LENGTH_MIN
            {
                forms.push(form.to_owned());
            }
        }
    }
    forms
}

fn hex_forms(secret: &str) -> [String; 2] {
    let lower = secret.bytes().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    let upper = lower.to_ascii_uppercase();
    [lower, upper]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "s3cr?t/va~ue+1>";

    #[test]
    fn plain_text_is_found() {
        let haystack = format!("key={SECRET}&x");
        assert_eq!(find_secret(haystack.as_bytes(), SECRET), Some("plain text"));
    }

    #[test]
    fn base64_is_found_at_every_alignment_in_both_alphabets() {
        for prefix in ["", "a", "ab", "abc", "user:"] {
            for suffix in ["", "!", "!!"] {
                let text = format!("{prefix}{SECRET}{suffix}");
                for encoded in [STANDARD_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(&text)] {
                    assert_eq!(find_secret(encoded.as_bytes(), SECRET), Some("base64"), "{text}");
                }
            }
        }
    }

    #[test]
    fn hex_is_found_in_both_cases() {
        for haystack in ["x=733363723f742f76617e75652b313e.", "\\\\x733363723F742F76617E75652B313E"] {
            assert_eq!(find_secret(haystack.as_bytes(), SECRET), Some("hex"), "{haystack}");
        }
    }

    #[test]
    fn percent_encoding_is_found_no_matter_what_was_escaped() {
        for haystack in ["q=s3cr%3Ft%2Fva~ue%2B1%3E", "q=s3cr%3ft%2fva%7eue%2b1%3e", "q=%73%33cr?t/va~ue+1>"] {
            assert_eq!(find_secret(haystack.as_bytes(), SECRET), Some("percent-encoding"), "{haystack}");
        }
    }

    #[test]
    fn other_text_is_not_a_match() {
        let haystack = b"s3cr?t s3cr%3Ft%2F c2VjcmV0 100% of nothing";
        assert_eq!(find_secret(haystack, SECRET), None);
        assert_eq!(find_secret(b"", SECRET), None);
    }

    #[test]
    fn files_in_sub_folders_are_searched() {
        let folder = tempfile::tempdir().unwrap();
        let subfolder = folder.path().join("a/b");
        fs::create_dir_all(&subfolder).unwrap();
        fs::write(subfolder.join("leak"), [b"\0\xff", SECRET.as_bytes()].concat()).unwrap();
        fs::write(folder.path().join("clean"), "nothing").unwrap();
        let expected = SecretMatch { path: subfolder.join("leak"), form: "plain text" };
        assert_eq!(find_secret_in_files(folder.path(), SECRET), vec![expected]);
    }
}
