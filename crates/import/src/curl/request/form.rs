//! The form fields of `-F` and `--form-string`.

use crate::curl::error::ParseError;
use crate::curl::options::table::Effect;
use crate::curl::options::{GivenOption, Options};
use crate::curl::stdin::Stdin;
use crate::request::body::{FIELDS_MAX, Field, Fields};
use crate::warnings::Warnings;

/// The form fields; empty if the command has none.
pub(super) fn fields(options: &Options, stdin: &mut Stdin, warnings: &mut Warnings) -> Result<Fields, ParseError> {
    let mut fields = Fields::new();
    let given = options.given.iter().filter(|given| matches!(given.effect, Effect::Form | Effect::FormString));
    for GivenOption { effect, value, offset, name: option, .. } in given {
        let Some((name, content)) = value.split_once('=') else {
            return Err(ParseError::new(format!("--{option} needs a value of the form name=value"), *offset));
        };
        if fields.len() == FIELDS_MAX && !fields.contains_key(name) {
            warnings.add("The form has more fields than a tool can have arguments. The last fields were left out.");
            continue;
        }
        let field: &mut Field = fields.entry(name.to_owned()).or_default();
        if *effect == Effect::Form {
            add_part(field, name, content, stdin, warnings);
        } else {
            field.add(name, content.to_owned());
        }
    }
    Ok(fields)
}

/// Adds the value of a part without the parameters after a semicolon.
fn add_part(field: &mut Field, name: &str, content: &str, stdin: &mut Stdin, warnings: &mut Warnings) {
    let file = content.strip_prefix(['@', '<']);
    let (value, parameters) = split_parameters(file.unwrap_or(content));
    if !parameters.is_empty() || content.starts_with('(') {
        warnings.add("Tools do not support types, file names, headers, encodings or nested parts in a form. Only the values were imported.");
    }
    let value = match file.map(|_| stdin.read(&value)) {
        None => value,
        Some(Some(input)) => input,
        Some(None) => {
            warnings.add("A file of the form was not imported: no file is read. Its name is used instead.");
            field.has_file = true;
            format!("@{value}")
        }
    };
    field.add(name, value);
}

/// Splits a value from its parameters. Blanks around an unquoted value are removed.
fn split_parameters(text: &str) -> (String, &str) {
    let text = text.trim_ascii_start();
    if let Some(quoted) = text.strip_prefix('"') {
        match unquote(quoted) {
            Some((value, rest)) if matches!(rest.trim_ascii_start().as_bytes(), [] | [b';', ..]) => {
                return (value, rest);
            }
            // The quoted text is not valid: the value contains a quote without a backslash.
            _ => return (quoted.strip_suffix('"').unwrap_or(text).to_owned(), ""),
        }
    }
    // As in curl, a semicolon is part of the value unless a known parameter follows.
    let is_parameter = |offset: usize| {
        let after = text.get(offset + 1..).unwrap_or_default().trim_start();
        ["type=", "filename=", "headers=", "encoder="].iter().any(|word| after.starts_with(word))
    };
    let end =
        text.match_indices(';').map(|(offset, _)| offset).find(|offset| is_parameter(*offset)).unwrap_or(text.len());
    let (value, parameters) = text.split_at_checked(end).unwrap_or((text, ""));
    (value.trim_ascii_end().to_owned(), parameters)
}

/// The unescaped text up to the closing quote, and the text after it; `None` without a closing quote.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some((value, chars.as_str())),
            '\\' => match chars.next()? {
                c @ ('"' | '\\') => value.push(c),
                c => value.extend(['\\', c]),
            },
            c => value.push(c),
        }
    }
}
