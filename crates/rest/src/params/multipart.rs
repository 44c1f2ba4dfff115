//! Reads the parts of a complete `multipart/form-data` body (RFC 7578).

use bytes::Bytes;
use toolgate_import::api::document::archive::FILES_MAX;

/// Maximum number of parts that are read: the files of a document, and more arguments than any request has.
const PARTS_MAX: usize = FILES_MAX + 100;
/// Maximum length of a boundary, by RFC 2046.
const BOUNDARY_MAX: usize = 70;

/// One part of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FormPart {
    pub(super) name: String,
    /// The name of the file, if the part is one.
    pub(super) file_name: Option<String>,
    pub(super) content: Bytes,
}

/// The boundary in a content type; `None` if the type is not multipart or has no boundary.
pub(super) fn boundary(content_type: &str) -> Option<String> {
    let mut parameters = content_type.split(';').map(str::trim);
    let media_type = parameters.next().unwrap_or_default();
    if !media_type.eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let value = parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim())
    })?;
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    (!value.is_empty() && value.len() <= BOUNDARY_MAX).then(|| value.to_owned())
}

/// The parts of a body; `None` if it is not complete.
pub(super) fn parts(body: &Bytes, boundary: &str) -> Option<Vec<FormPart>> {
    let delimiter = format!("\r\n--{boundary}");
    let first = delimiter.as_bytes().get(2..)?;
    let mut at =
        if body.starts_with(first) { first.len() } else { find(body, 0, delimiter.as_bytes())? + delimiter.len() };
    let mut parts = Vec::new();
    while parts.len() < PARTS_MAX {
        let rest = body.get(at..)?;
        if rest.starts_with(b"--") {
            return Some(parts);
        }
        // White space may follow a delimiter.
        let start = find(body, at, b"\r\n")? + 2;
        let end = find(body, start.checked_sub(2)?, delimiter.as_bytes())?;
        parts.extend(part(body, start, end));
        at = end + delimiter.len();
    }
    None
}

/// Reads the part between two positions; `None` if it has no name.
fn part(body: &Bytes, start: usize, end: usize) -> Option<FormPart> {
    let head_end = find(body.get(..end)?, start, b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(body.get(start..head_end)?).into_owned();
    let disposition = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then(|| value.trim().to_owned())
    })?;
    let name = parameter(&disposition, "name")?;
    let file_name = parameter(&disposition, "filename");
    Some(FormPart { name, file_name, content: body.slice(head_end + 4..end) })
}

/// A parameter of a content disposition: `form-data; name="file"; filename="a.yaml"`.
fn parameter(disposition: &str, name: &str) -> Option<String> {
    disposition.split(';').skip(1).find_map(|parameter| {
        let (parameter_name, value) = parameter.split_once('=')?;
        let is_named = parameter_name.trim().eq_ignore_ascii_case(name);
        is_named.then(|| value.trim().trim_matches('"').to_owned())
    })
}

/// The first position of `needle`, at or after `from`.
fn find(haystack: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    let rest = haystack.get(from..)?;
    rest.windows(needle.len()).position(|window| window == needle).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Option<Vec<(String, bool, String)>> {
        let parts = parts(&Bytes::from(body.to_owned()), "B")?;
        let text =
            |part: FormPart| (part.name, part.file_name.is_some(), String::from_utf8(part.content.to_vec()).unwrap());
        Some(parts.into_iter().map(text).collect())
    }

    #[test]
    fn parts_have_names_contents_and_may_be_files() {
        let body = "--B\r\nContent-Disposition: form-data; name=\"commit\"\r\n\r\ntrue\r\n--B\r\n\
            content-disposition: form-data; name=\"file\"; filename=\"a.yaml\"\r\nContent-Type: text/yaml\r\n\r\n\
            openapi: 3.1.0\r\n\r\n--b\r\n--B--\r\n";
        let expected = [
            ("commit".to_owned(), false, "true".to_owned()),
            ("file".to_owned(), true, "openapi: 3.1.0\r\n\r\n--b".to_owned()),
        ];
        assert_eq!(read(body).unwrap(), expected);
        let empty = "preamble\r\n--B\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--B--";
        assert_eq!(read(empty).unwrap(), [("a".to_owned(), false, String::new())]);
    }

    #[test]
    fn incomplete_bodies_are_refused() {
        for body in ["", "--B", "--B\r\n", "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nx", "x"] {
            assert_eq!(read(body), None, "{body:?}");
        }
        assert_eq!(read("--B--"), Some(Vec::new()));
    }

    #[test]
    fn the_boundary_may_be_quoted() {
        assert_eq!(boundary("multipart/form-data; boundary=\"a b\"").as_deref(), Some("a b"));
        assert_eq!(boundary("Multipart/Form-Data; charset=utf-8; Boundary=x").as_deref(), Some("x"));
        for other in ["multipart/form-data", "multipart/mixed; boundary=x", "text/plain; boundary=x"] {
            assert_eq!(boundary(other), None, "{other}");
        }
    }
}
