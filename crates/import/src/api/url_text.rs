//! Makes texts of a document valid in a URL.

use percent_encoding::percent_encode_byte;

use crate::naming::to_argument_name;

/// A name that a placeholder of a URL may have.
pub(crate) fn url_name(name: &str) -> String {
    let name = to_argument_name(name).replace('.', "_");
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { name } else { format!("p_{name}") }
}

/// Appends text of the document, with characters that a URL cannot have percent-encoded.
pub(crate) fn push_literal(out: &mut String, text: &str) {
    for c in text.chars() {
        if matches!(c, '{' | '}' | '\\') || c.is_whitespace() || c.is_control() {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(percent_encode_byte));
        } else {
            out.push(c);
        }
    }
}
