//! Describes a tool in a sentence for the model. The sentence contains only the host and path of the URL, because other
//! parts may be secret.

use toolgate_domain::text;

use super::tool_name::{ToolNameParts, Verb};
use crate::request::path::UrlPath;
use crate::sensitivity::is_opaque;

/// Maximum length of the path in a description, in characters.
const PATH_MAX: usize = 200;

/// The description of a tool.
pub(super) fn describe(parts: &ToolNameParts, path: &UrlPath) -> String {
    let (host, action) = (path.host(), action(parts));
    let ToolNameParts { method, .. } = parts;
    let displayed_path = displayed_path(path);
    let sentences = [
        format!("{action} {host} ({method} {displayed_path})."),
        format!("{action} {host}."),
        format!("Sends a {method} request."),
    ];
    sentences.into_iter().find(|sentence| text::description("", sentence).is_ok()).unwrap_or_default()
}

/// The beginning of the sentence, up to the host.
fn action(parts: &ToolNameParts) -> String {
    let object = object(parts);
    match &parts.verb {
        Verb::Operation(operation) => format!("Runs the operation {operation} at"),
        Verb::Path(verb) => {
            let verb = verb.replace('_', " ");
            let verb = if is_compound(&verb) { format!("Runs {verb} for") } else { third_person(&verb) };
            let verb = if object.is_empty() { verb.trim_end_matches(" for").to_owned() } else { verb };
            join(&[&verb, &object, "at"])
        }
        Verb::Method(verb) => match verb.as_str() {
            "get" | "list" | "delete" => join(&[&third_person(verb), &object, "from"]),
            "create" | "update" | "send" => join(&[&third_person(verb), &object, "at"]),
            "head" => join(&["Gets the headers of", &object, "from"]),
            "options" => join(&["Requests the options of", &object, "at"]),
            other => join(&["Calls", other, "of", &object, "at"]),
        },
    }
}

/// The object of the sentence.
fn object(parts: &ToolNameParts) -> String {
    let words = parts.object.replace('_', " ");
    if !parts.is_single_item || words.is_empty() {
        return words;
    }
    let article = if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    let by = parts.selector.as_ref().map(|key| format!("by {}", key.replace('_', " "))).unwrap_or_default();
    join(&[article, &words, &by])
}

/// Whether a verb is a compound such as `login`, which has no regular third person.
fn is_compound(verb: &str) -> bool {
    matches!(verb, "login" | "logout" | "signin" | "signout" | "signup")
}

fn third_person(verb: &str) -> String {
    let (first, rest) = verb.split_once(' ').unwrap_or((verb, ""));
    let ends_in_sibilant = ["s", "sh", "ch", "x", "z"].iter().any(|end| first.ends_with(end));
    let inflected = match first.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if ends_in_sibilant => format!("{first}es"),
        _ => format!("{first}s"),
    };
    let mut letters = inflected.chars();
    let capitalized: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect();
    join(&[&capitalized, rest])
}

/// The path without segments that may be secret.
fn displayed_path(path: &UrlPath) -> String {
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
