//! A `multipart/form-data` body: the document with the arguments of its import.

/// How many characters of the digest are in the boundary; a boundary may have 70 characters (RFC 2046).
const DIGEST_CHARS: usize = 32;

/// A form with text fields and one file.
pub(super) struct DocumentForm {
    boundary: String,
    body: Vec<u8>,
}

impl DocumentForm {
    /// An empty form. The boundary contains a part of the document's digest, so that it does not occur in the values.
    pub(super) fn new(digest: &str) -> Self {
        let digest: String = digest.chars().take(DIGEST_CHARS).collect();
        Self { boundary: format!("toolgate-{digest}"), body: Vec::new() }
    }

    /// Adds a text field. Lists and objects are sent as JSON.
    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.part(&format!("name=\"{name}\""), value.as_bytes());
    }

    /// Adds the document.
    pub(super) fn document(&mut self, content: &[u8]) {
        self.part("name=\"file\"; filename=\"document\"", content);
    }

    fn part(&mut self, disposition: &str, content: &[u8]) {
        let head = format!("--{}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n", self.boundary);
        self.body.extend_from_slice(head.as_bytes());
        self.body.extend_from_slice(content);
        self.body.extend_from_slice(b"\r\n");
    }

    /// The content type and the body.
    pub(super) fn finish(mut self) -> (String, Vec<u8>) {
        self.body.extend_from_slice(format!("--{}--\r\n", self.boundary).as_bytes());
        (format!("multipart/form-data; boundary={}", self.boundary), self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_separated_by_the_boundary() {
        let mut form = DocumentForm::new(&"a".repeat(64));
        form.text("commit", "true");
        form.document(b"{}");
        let (content_type, body) = form.finish();
        let boundary = format!("toolgate-{}", "a".repeat(32));
        assert_eq!(content_type, format!("multipart/form-data; boundary={boundary}"));
        let expected = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"commit\"\r\n\r\ntrue\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"document\"\r\n\r\n{{}}\r\n\
             --{boundary}--\r\n"
        );
        assert_eq!(String::from_utf8(body).unwrap(), expected);
    }
}
