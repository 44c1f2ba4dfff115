//! What a tool does, in a sentence for a model. Of the address it says host and path: everything else may be secret.

use toolgate_domain::text;

use super::discretion::is_opaque;
use super::path::Path;
use super::tool_name::{Parts, Verb};

/// Longest path that is shown, in characters.
const PATH_MAX: usize = 200;

/// The description of a tool.
pub(super) fn of(parts: &Parts, path: &Path) -> String {
    let (host, done) = (path.host(), done(parts));
    let Parts { method, .. } = parts;
    let shown = shown(path);
    let sentences =
        [format!("{done} {host} ({method} {shown})."), format!("{done} {host}."), format!("Sends a {method} request.")];
    sentences.into_iter().find(|sentence| text::description("", sentence).is_ok()).unwrap_or_default()
}

/// What is done, up to the host.
fn done(parts: &Parts) -> String {
    let object = object(parts);
    match &parts.verb {
        Verb::GraphQl(Some(operation)) => format!("Runs the GraphQL operation {operation} at"),
        Verb::GraphQl(None) => "Runs a GraphQL query or mutation at".to_owned(),
        Verb::Path(verb) => {
            let verb = verb.replace('_', " ");
            let verb = if is_compound(&verb) { format!("Runs {verb} for") } else { third_person(&verb) };
            let verb = if object.is_empty() { verb.trim_end_matches(" for").to_owned() } else { verb };
            join(&[&verb, &object, "at"])
        }
        Verb::Method(_) if object.is_empty() => "Calls".to_owned(),
        Verb::Method(verb) => match verb.as_str() {
            "get" => join(&["Gets", &object, "from"]),
            "delete" => join(&["Deletes", &object, "from"]),
            "create" | "update" => join(&[&third_person(verb), &object, "at"]),
            "head" => join(&["Gets the headers of", &object, "from"]),
            "options" => join(&["Asks for the options of", &object, "at"]),
            other => join(&["Calls", other, "of", &object, "at"]),
        },
    }
}

/// What it is done to.
fn object(parts: &Parts) -> String {
    let words = parts.object.replace('_', " ");
    if !parts.is_one || words.is_empty() {
        return words;
    }
    let article = if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    let by = parts.by.as_ref().map(|by| format!("by {}", by.replace('_', " "))).unwrap_or_default();
    join(&[article, &words, &by])
}

/// Verbs of two words in one have no third person of their own.
fn is_compound(verb: &str) -> bool {
    matches!(verb, "login" | "logout" | "signin" | "signout" | "signup")
}

fn third_person(verb: &str) -> String {
    let (first, rest) = verb.split_once(' ').unwrap_or((verb, ""));
    let ends_hard = ["s", "sh", "ch", "x", "z"].iter().any(|end| first.ends_with(end));
    let third = match first.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if ends_hard => format!("{first}es"),
        _ => format!("{first}s"),
    };
    let mut letters = third.chars();
    let capital: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect();
    join(&[&capital, rest])
}

/// The path, without what may be a secret.
fn shown(path: &Path) -> String {
    let segments: Vec<&str> =
        path.segments.iter().map(|segment| if is_opaque(segment) { "…" } else { segment.as_str() }).collect();
    let text = format!("/{}", segments.join("/"));
    let cut: String = text.chars().take(PATH_MAX).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}

fn join(words: &[&str]) -> String {
    let words: Vec<&str> = words.iter().filter(|word| !word.is_empty()).copied().collect();
    words.join(" ")
}
