//! Parses `multipart/form-data` bodies.

/// One part of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MultipartPart {
    pub(super) name: String,
    pub(super) value: String,
    /// Other parameters and headers, such as the file name and the content type.
    pub(super) other_headers: Vec<String>,
}

/// Parses the parts; `None` if the body is not multipart.
pub(super) fn parse_parts(content_type: &str, body: &str) -> Option<Vec<MultipartPart>> {
    let boundary =
        content_type.split(';').find_map(|parameter| parameter.trim().strip_prefix("boundary="))?.trim_matches('"');
    let body = body.strip_prefix(&format!("--{boundary}\r\n"))?;
    let body = body.strip_suffix("\r\n").unwrap_or(body).strip_suffix(&format!("\r\n--{boundary}--"))?;
    body.split(&format!("\r\n--{boundary}\r\n")).map(parse_part).collect()
}

fn parse_part(text: &str) -> Option<MultipartPart> {
    let (head, value) = text.split_once("\r\n\r\n")?;
    let (disposition, other_headers): (Vec<&str>, Vec<&str>) =
        head.split("\r\n").partition(|line| line.to_ascii_lowercase().starts_with("content-disposition:"));
    let [disposition] = disposition.as_slice() else { return None };
    let mut parameters = disposition.split("; ").skip(1);
    let name = parameters.find_map(|parameter| parameter.strip_prefix("name=\"")?.strip_suffix('"'))?;
    let other_headers = parameters.chain(other_headers).map(str::to_owned).collect();
    Some(MultipartPart { name: name.to_owned(), value: value.to_owned(), other_headers })
}

#[test]
fn parts_are_parsed_with_their_headers() {
    let body = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n2\r\n--b\r\n\
        content-disposition: form-data; name=\"f\"; filename=\"x\"\r\nContent-Type: t/u\r\n\r\n\r\n--b--\r\n";
    let part = |name: &str, value: &str, other_headers: &[&str]| MultipartPart {
        name: name.to_owned(),
        value: value.to_owned(),
        other_headers: other_headers.iter().map(|&header| header.to_owned()).collect(),
    };
    let expected = vec![part("a", "1\r\n2", &[]), part("f", "", &["filename=\"x\"", "Content-Type: t/u"])];
    assert_eq!(parse_parts("multipart/form-data; boundary=b", body), Some(expected));
    assert_eq!(parse_parts("multipart/form-data; boundary=c", body), None);
    assert_eq!(parse_parts("text/plain", body), None);
}
