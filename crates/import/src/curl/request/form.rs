//! The fields of a form that `-F` gives.

use crate::curl::body::{FIELDS_MAX, Field, Fields};
use crate::curl::error::Misread;
use crate::curl::options::table::Effect;
use crate::curl::options::{Given, Options};
use crate::curl::stdin::Stdin;
use crate::curl::warnings::Warnings;

/// The fields; none if the command has no `-F`.
pub(super) fn read(options: &Options, stdin: &mut Stdin, warnings: &mut Warnings) -> Result<Fields, Misread> {
    let mut fields = Fields::new();
    let given = options.given.iter().filter(|given| matches!(given.effect, Effect::Form | Effect::FormString));
    for Given { effect, value, at, name: option, .. } in given {
        let Some((name, content)) = value.split_once('=') else {
            return Err(Misread::new(format!("--{option} needs the form name=value"), *at));
        };
        if fields.len() == FIELDS_MAX && !fields.contains_key(name) {
            warnings.add("The form has more fields than a tool can have arguments; the last ones were left out.");
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

/// Adds the value of a part, without what is said about it behind a semicolon.
fn add_part(field: &mut Field, name: &str, content: &str, stdin: &mut Stdin, warnings: &mut Warnings) {
    let file = content.strip_prefix(['@', '<']);
    let (value, extras) = value_and_extras(file.unwrap_or(content));
    if !extras.is_empty() || content.starts_with('(') {
        warnings.add("The parts of a form have no type, file name, headers, encoding or parts of their own here; only their values were taken.");
    }
    let value = match file.map(|_| stdin.read(&value)) {
        None => value,
        Some(Some(read)) => read,
        Some(None) => {
            warnings.add("The file of a form is not there: no file is read. Its name stands in its place.");
            field.has_file = true;
            format!("@{value}")
        }
    };
    field.add(name, value);
}

/// Blanks around a value are no part of it, unless quotes say so.
fn value_and_extras(text: &str) -> (String, &str) {
    let text = text.trim_ascii_start();
    if let Some(quoted) = text.strip_prefix('"') {
        match unquote(quoted) {
            Some((value, rest)) if matches!(rest.trim_ascii_start().as_bytes(), [] | [b';', ..]) => {
                return (value, rest);
            }
            // quotes inside of it that have no backslash
            _ => return (quoted.strip_suffix('"').unwrap_or(text).to_owned(), ""),
        }
    }
    // A semicolon belongs to the value, unless one of the words that curl knows follows it.
    let is_extra = |at: usize| {
        let after = text.get(at + 1..).unwrap_or_default().trim_start();
        ["type=", "filename=", "headers=", "encoder="].iter().any(|word| after.starts_with(word))
    };
    let end = text.match_indices(';').map(|(at, _)| at).find(|at| is_extra(*at)).unwrap_or(text.len());
    let (value, extras) = text.split_at_checked(end).unwrap_or((text, ""));
    (value.trim_ascii_end().to_owned(), extras)
}

/// The text up to the closing quote, and what follows it; `None` if there is none.
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
