//! The fields of a form that `-F` gives.

use crate::curl::body::Fields;
use crate::curl::error::Misread;
use crate::curl::options::table::Effect;
use crate::curl::options::{Given, Options};
use crate::curl::warnings::Warnings;

/// The fields; none if the command has no `-F`.
pub(super) fn read(options: &Options, warnings: &mut Warnings) -> Result<Fields, Misread> {
    let mut fields = Fields::new();
    let given = options.given.iter().filter(|given| matches!(given.effect, Effect::Form | Effect::FormString));
    for Given { effect, value, at, name: option, .. } in given {
        let Some((name, content)) = value.split_once('=') else {
            return Err(Misread::new(format!("--{option} needs the form name=value"), *at));
        };
        let content = match effect {
            Effect::Form => part(content, options, warnings),
            _ => content.to_owned(),
        };
        fields.entry(name.to_owned()).or_default().add(name, content);
    }
    Ok(fields)
}

/// The value of a part, without what is said about it behind a semicolon.
fn part(content: &str, options: &Options, warnings: &mut Warnings) -> String {
    let file = content.strip_prefix(['@', '<']);
    let (value, extras) = value_and_extras(file.unwrap_or(content));
    if extras.contains("type=") || extras.contains("filename=") {
        warnings.add("The parts of a form have no type or file name of their own; only their values were taken.");
    }
    if file.is_none() {
        return value;
    }
    options.stdin.read(&value).unwrap_or_else(|| {
        warnings.add("The file of a form is not there: no file is read. Its name stands in its place.");
        format!("@{value}")
    })
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
