//! Parses a `multipart/form-data` body given as text, as browsers copy it.

use super::{FIELDS_MAX, Fields};
use crate::warnings::Warnings;

/// Parses the fields of the body. Returns `None` if the text is not a multipart form or has too many fields.
pub(super) fn parse_fields(text: &str, content_type: &str, warnings: &mut Warnings) -> Option<Fields> {
    let boundary = boundary(content_type).or_else(|| text.lines().next()?.trim().strip_prefix("--"))?;
    if boundary.is_empty() {
        return None;
    }
    let mut fields = Fields::new();
    for part in text.split(&format!("--{boundary}")).skip(1) {
        if part.starts_with("--") {
            break;
        }
        let (head, value) = split_part(strip_leading_newline(part))?;
        let disposition = head.lines().find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
        let name = parameter(disposition, "name")?;
        if parameter(disposition, "filename").is_some() {
            warnings.add("A file in the form is sent as a plain text field with the pasted content.");
        }
        fields.entry(name.clone()).or_default().add(&name, value.to_owned());
        if fields.len() > FIELDS_MAX {
            return None;
        }
    }
    (!fields.is_empty()).then_some(fields)
}

fn boundary(content_type: &str) -> Option<&str> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.trim().split_once('='));
    let boundary = parameters.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("boundary"))?.1;
    Some(boundary.trim().trim_matches('"'))
}

/// Splits a part into its headers and its content without the line break before the next boundary.
fn split_part(part: &str) -> Option<(&str, &str)> {
    let (head, value) = part.split_once("\r\n\r\n").or_else(|| part.split_once("\n\n"))?;
    Some((head, value.strip_suffix("\r\n").or_else(|| value.strip_suffix('\n')).unwrap_or(value)))
}

fn strip_leading_newline(part: &str) -> &str {
    part.strip_prefix("\r\n").or_else(|| part.strip_prefix('\n')).unwrap_or(part)
}

/// A parameter of a Content-Disposition header, with or without quotes.
fn parameter(line: &str, name: &str) -> Option<String> {
    let (_, after) = line.split_once(&format!(" {name}=")).or_else(|| line.split_once(&format!(";{name}=")))?;
    Some(match after.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default().replace("%22", "\""),
        None => after.split(';').next().unwrap_or_default().trim().to_owned(),
    })
}
