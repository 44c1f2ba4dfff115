//! Names of tools, from `operationId` or from method and path.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::api::known_operations::KnownOperations;
use crate::api::overlay::OperationOverlay;
use crate::naming::{NAME_MAX, truncate};
use crate::spelling::to_snake_case;

/// Number of hexadecimal digits of the hash in a shortened name.
const HASH_DIGITS: usize = 6;
/// Number of hexadecimal digits of the hash in a temporary id.
const ID_DIGITS: usize = 10;

/// Gives each operation of a document a unique name, in the order of the document.
#[derive(Default)]
pub(crate) struct ToolNames {
    /// The names in use, in lower case.
    taken: HashSet<String>,
    /// The last number that was appended to each name.
    numbers: HashMap<String, usize>,
}

impl ToolNames {
    /// Reserves a name that the owner has chosen. If it is taken, a number is appended.
    pub(crate) fn take_chosen(&mut self, name: &str) -> String {
        self.numbered(name)
    }

    /// Reserves the names that operations have from earlier imports, then those that the owner has chosen: no tool is
    /// renamed because another one wants its name.
    pub(crate) fn take_all_chosen<'o>(
        &mut self,
        operations: impl Iterator<Item = (&'o str, Option<&'o str>)>,
        overlays: &[OperationOverlay],
        known: &KnownOperations,
    ) -> Vec<Option<String>> {
        let operations: Vec<_> = operations.collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (operation, _) in &operations {
            *counts.entry(operation).or_default() += 1;
        }
        let mut chosen: Vec<Option<String>> = Vec::with_capacity(overlays.len());
        for ((operation, operation_id), overlay) in operations.into_iter().zip(overlays) {
            // Several requests of a collection may have one operation: which of them has the known name is ambiguous.
            let is_unambiguous = counts.get(operation) == Some(&1) && overlay.name.is_none();
            let name = known.name(operation, operation_id).filter(|_| is_unambiguous);
            chosen.push(name.map(|name| self.take_chosen(name)));
        }
        for (name, overlay) in chosen.iter_mut().zip(overlays) {
            if let Some(wanted) = &overlay.name {
                *name = Some(self.take_chosen(wanted));
            }
        }
        chosen
    }

    /// Reserves the name of an operation. If it is taken, the last word of the path is appended, then a number.
    pub(crate) fn take(&mut self, operation_id: Option<&str>, method: &str, path: &str) -> String {
        let operation = format!("{method} {path}");
        let from_id = operation_id.map(to_snake_case).filter(|name| !name.is_empty());
        let name = fit(&from_id.unwrap_or_else(|| path_name(method, path)), &operation);
        if self.taken.insert(name.to_ascii_lowercase()) {
            return name;
        }
        let word = last_word(path).filter(|word| !name.ends_with(&format!("_{word}")));
        self.numbered(&word.map_or(name.clone(), |word| fit(&format!("{name}_{word}"), &operation)))
    }

    fn numbered(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        // Starts where the last search ended, so that many operations of one name are numbered in linear time.
        let number = self.numbers.entry(name.to_ascii_lowercase()).or_insert(1);
        while !self.taken.insert(candidate.to_ascii_lowercase()) {
            *number += 1;
            let suffix = format!("_{number}");
            candidate = format!("{}{suffix}", truncate(name, NAME_MAX - suffix.len()));
        }
        candidate
    }
}

/// The temporary id of an operation: the same in every version of the document.
pub(crate) fn temp_id(operation: &str) -> String {
    format!("op_{}", hash(operation, ID_DIGITS))
}

/// The name of an operation without `operationId`: `get_pets_by_id`.
fn path_name(method: &str, path: &str) -> String {
    let mut words = vec![method.to_ascii_lowercase()];
    for segment in segments(path) {
        let (mut text, mut placeholders) = (String::new(), Vec::new());
        for part in segment.split('{') {
            match part.split_once('}') {
                Some((placeholder, literal)) => {
                    placeholders.push(placeholder);
                    text.extend([" ", literal]);
                }
                None => text.push_str(part),
            }
        }
        words.push(to_snake_case(&text));
        for placeholder in placeholders.into_iter().map(to_snake_case).filter(|name| !name.is_empty()) {
            words.push(format!("by_{placeholder}"));
        }
    }
    words.retain(|word| !word.is_empty());
    words.join("_")
}

/// The segments of a path that say what it is about: without `api` and versions.
fn segments(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').filter(|segment| !segment.is_empty() && !is_version(segment))
}

fn is_version(segment: &str) -> bool {
    let digits = segment.strip_prefix(['v', 'V']).map(|rest| rest.replace('.', ""));
    segment.eq_ignore_ascii_case("api")
        || digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// The last word of a path that is not a placeholder.
fn last_word(path: &str) -> Option<String> {
    segments(path).rev().filter(|segment| !segment.contains('{')).map(to_snake_case).find(|word| !word.is_empty())
}

/// A name that begins with a letter and has at most 64 characters: words are removed from the middle, and a hash of the
/// operation keeps the result unique.
fn fit(name: &str, operation: &str) -> String {
    let name = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name.to_owned() } else { format!("op_{name}") };
    if name.len() <= NAME_MAX {
        return name;
    }
    let max = NAME_MAX - HASH_DIGITS - 1;
    let mut words: Vec<&str> = name.split('_').collect();
    if words.len() > NAME_MAX {
        // More words do not fit anyway.
        words.drain(NAME_MAX / 2..words.len() - NAME_MAX / 2);
    }
    while words.len() > 1 && words.iter().map(|word| word.len() + 1).sum::<usize>() > max + 1 {
        words.remove(words.len() / 2);
    }
    let stem = truncate(&words.join("_"), max);
    format!("{stem}_{}", hash(operation, HASH_DIGITS))
}

fn hash(text: &str, digits: usize) -> String {
    let hex = Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    truncate(&hex, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(operation_id: Option<&str>, method: &str, path: &str) -> String {
        ToolNames::default().take(operation_id, method, path)
    }

    #[test]
    fn a_name_is_the_operation_id_in_snake_case() {
        for (operation_id, expected) in [
            ("getPet", "get_pet"),
            ("listPetsV2", "list_pets_v2"),
            ("getHTTPResponse", "get_http_response"),
            ("repos/list-for-org", "repos_list_for_org"),
            ("Pets_Find.byStatus", "pets_find_by_status"),
            ("2fa", "op_2fa"),
            ("Größe lesen", "grosse_lesen"),
        ] {
            assert_eq!(name(Some(operation_id), "GET", "/x"), expected, "{operation_id}");
        }
    }

    #[test]
    fn without_operation_id_a_name_is_method_and_path() {
        for (method, path, expected) in [
            ("GET", "/pets/{id}", "get_pets_by_id"),
            ("GET", "/api/v1/pets", "get_pets"),
            ("POST", "/v2.1/pets/{petId}/uploadImage", "post_pets_by_pet_id_upload_image"),
            ("GET", "/", "get"),
            ("GET", "/pets/{id}.json?x={y}#z", "get_pets_json_by_id"),
            ("GET", "/items({key})", "get_items_by_key"),
        ] {
            assert_eq!(name(None, method, path), expected, "{path}");
            assert_eq!(name(Some(" "), method, path), expected, "{path}");
        }
    }

    #[test]
    fn a_long_name_loses_words_in_the_middle() {
        let long = name(Some(&"SomeWord".repeat(12)), "GET", "/x");
        assert!(long.len() <= 64 && long.starts_with("some_word_some"), "{long}");
        let other = name(Some(&"SomeWord".repeat(12)), "GET", "/y");
        assert_ne!(long, other);
        assert_eq!(name(Some(&"x".repeat(100)), "GET", "/x").len(), 64);
    }

    #[test]
    fn names_are_unique_without_regard_to_case() {
        let mut names = ToolNames::default();
        let taken = ["/pets", "/cats/{id}", "/cats", "/v1/{id}"].map(|path| names.take(Some("list"), "GET", path));
        assert_eq!(taken, ["list", "list_cats", "list_cats_2", "list_2"]);
        assert_eq!(names.take_chosen("LIST"), "LIST_3");
        assert_eq!(names.take(Some("List"), "GET", "/pets"), "list_pets");
    }

    #[test]
    fn the_temporary_id_depends_on_the_operation_only() {
        let id = temp_id("GET /pets/{id}");
        assert!(id.starts_with("op_") && id.len() == 13, "{id}");
        assert_eq!(id, temp_id("GET /pets/{id}"));
        assert_ne!(id, temp_id("PUT /pets/{id}"));
    }
}
