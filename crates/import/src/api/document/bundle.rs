//! Joins files that refer to each other into one document: the other files become members of the main one, and the
//! references between files become references within the document.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::archive::SourceFile;
use super::limits::{ExceededLimit, ParseState};
use super::{DocumentError, DocumentKind, detect, encoding, parse_text};
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;

/// The member of the main file that holds the other files, by name.
const FILES_MEMBER: &str = "x-toolgate-files";

/// A parsed file.
struct ParsedFile {
    name: String,
    root: Value,
    kind: Option<DocumentKind>,
    warnings: Vec<ApiWarning>,
}

/// Joins the files of an archive.
pub(super) fn join(files: Vec<SourceFile>) -> Result<(Value, Vec<ApiWarning>), DocumentError> {
    let mut files = files.into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    check_size(&files)?;
    let main = main_file(&files)?;
    let names = FileNames::new(&files, main);
    for (index, file) in files.iter_mut().enumerate() {
        names.rewrite(index, &mut file.root);
    }
    let ParsedFile { mut root, mut warnings, .. } = files.remove(main);
    let mut others = Map::new();
    for file in files {
        let position = Pointer::root().member(FILES_MEMBER).member(&file.name);
        let moved = |warning: ApiWarning| ApiWarning { pointer: warning.pointer.moved_to(&position), ..warning };
        warnings.extend(file.warnings.into_iter().map(moved));
        others.insert(file.name, file.root);
    }
    if let Value::Object(members) = &mut root {
        members.insert(FILES_MEMBER.to_owned(), Value::Object(others));
    }
    Ok((root, warnings))
}

fn parse(file: SourceFile) -> Result<ParsedFile, DocumentError> {
    let text = encoding::decode(&file.content).map_err(|error| in_file(&file.name, error))?;
    let (root, warnings) = parse_text(&text).map_err(|error| in_file(&file.name, error))?;
    let name = normalize("", &file.name).unwrap_or(file.name);
    Ok(ParsedFile { name, kind: detect::kind(&root), root, warnings })
}

/// Adds the name of the file to an error.
fn in_file(name: &str, error: DocumentError) -> DocumentError {
    let shown: String = name.chars().take(200).collect();
    match error {
        DocumentError::Syntax { message, line, column } => {
            DocumentError::Syntax { message: format!("{shown:?}: {message}"), line, column }
        }
        other => DocumentError::Archive { message: format!("{shown:?}: {other}") },
    }
}

/// The limit of a document applies to all files together.
fn check_size(files: &[ParsedFile]) -> Result<(), DocumentError> {
    let mut state = ParseState::default();
    let counted = files.iter().try_for_each(|file| state.add_nodes(count(&file.root)));
    counted.map_err(|limit: ExceededLimit| limit.at(&Pointer::root()))
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Object(members) => members.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// The file that describes the API: of several, the one in the outermost folder.
fn main_file(files: &[ParsedFile]) -> Result<usize, DocumentError> {
    let depth = |file: &ParsedFile| file.name.matches('/').count();
    let described = || files.iter().enumerate().filter(|(_, file)| file.kind.is_some());
    let outermost = described().map(|(_, file)| depth(file)).min();
    let mut found = described().filter(|(_, file)| Some(depth(file)) == outermost);
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(index),
        (None, _) => Err(DocumentError::UnknownFormat),
        (Some((_, first)), Some((_, second))) => {
            let message = format!(
                "The archive has several descriptions of APIs in one folder: {:?} and {:?}. Send one of them with the \
                 files it refers to.",
                first.name, second.name
            );
            Err(DocumentError::Archive { message })
        }
    }
}

/// The files of a bundle by name.
struct FileNames {
    names: Vec<String>,
    main: usize,
    by_name: HashMap<String, usize>,
    /// Files by the last part of their name; `None` if several have it.
    by_last_part: HashMap<String, Option<usize>>,
}

impl FileNames {
    fn new(files: &[ParsedFile], main: usize) -> Self {
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        let by_name = names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect();
        let mut by_last_part = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            by_last_part.entry(last_part(name).to_owned()).and_modify(|known| *known = None).or_insert(Some(index));
        }
        Self { names, main, by_name, by_last_part }
    }

    /// Rewrites the references in a value of the file `index`.
    fn rewrite(&self, index: usize, value: &mut Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get_mut("$ref") {
                    self.rewrite_reference(index, reference);
                }
                if let Some(Value::Object(mapping)) =
                    members.get_mut("discriminator").and_then(|discriminator| discriminator.get_mut("mapping"))
                {
                    let references = mapping.values_mut().filter_map(|target| match target {
                        Value::String(reference) => Some(reference),
                        _ => None,
                    });
                    references.for_each(|reference| self.rewrite_reference(index, reference));
                }
                members.values_mut().for_each(|member| self.rewrite(index, member));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.rewrite(index, item)),
            _ => {}
        }
    }

    /// A reference to a file of the bundle becomes a pointer; others stay as they are. Anchors are unique only within
    /// their file, so references to anchors stay as well.
    fn rewrite_reference(&self, from: usize, reference: &mut String) {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        if !(fragment.is_empty() || fragment.starts_with('/')) {
            return;
        }
        let target = if path.is_empty() { Some(from) } else { self.find(from, path) };
        if let Some(target) = target {
            *reference = format!("{}{fragment}", self.position(target));
        }
    }

    /// Where a file is in the joined document.
    fn position(&self, index: usize) -> Pointer {
        match self.names.get(index) {
            Some(name) if index != self.main => Pointer::root().member(FILES_MEMBER).member(name),
            _ => Pointer::root(),
        }
    }

    /// The file that a relative path leads to. Clients that send several files often leave out the folders, so a
    /// file with a unique name is also found without its folder.
    fn find(&self, from: usize, path: &str) -> Option<usize> {
        if path.contains("://") {
            return None;
        }
        let decoded = percent_decode_str(path).decode_utf8_lossy();
        let folder = self.names.get(from)?.rsplit_once('/').map_or("", |(folder, _)| folder);
        let exact = normalize(folder, &decoded).and_then(|name| self.by_name.get(&name).copied());
        exact.or_else(|| self.by_last_part.get(last_part(&decoded)).copied().flatten())
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

/// A path relative to a folder, without `.` and `..`; `None` if it leads out of the bundle.
fn normalize(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn files(files: &[(&str, &str)]) -> Vec<SourceFile> {
        let file =
            |(name, text): &(&str, &str)| SourceFile { name: (*name).to_owned(), content: text.as_bytes().to_vec() };
        files.iter().map(file).collect()
    }

    #[test]
    fn references_between_files_become_references_within_the_document() {
        let (root, warnings) = join(files(&[
            ("api/openapi.yaml", "openapi: 3.1.0\npaths:\n  /a: {$ref: paths/a.yaml}\nx: {$ref: '#/paths'}\n"),
            ("api/paths/a.yaml", "get: {$ref: '../schemas/pet.json#/Pet'}\nput: {$ref: '#/get'}\nfar: {$ref: b.yaml}"),
            (
                "api/schemas/pet.json",
                r##"{"Pet": {"$ref": "../openapi.yaml#/paths"}, "Pet": {"$ref": "#anchor"},
                "discriminator": {"mapping": {"a": "Cat", "b": "../paths/a.yaml", "c": "../../../x.yaml"}}}"##,
            ),
        ]))
        .unwrap();
        let expected = json!({
            "openapi": "3.1.0",
            "paths": {"/a": {"$ref": "#/x-toolgate-files/api~1paths~1a.yaml"}},
            "x": {"$ref": "#/paths"},
            "x-toolgate-files": {
                "api/paths/a.yaml": {
                    "get": {"$ref": "#/x-toolgate-files/api~1schemas~1pet.json/Pet"},
                    "put": {"$ref": "#/x-toolgate-files/api~1paths~1a.yaml/get"},
                    "far": {"$ref": "b.yaml"},
                },
                "api/schemas/pet.json": {
                    "Pet": {"$ref": "#anchor"},
                    "discriminator": {"mapping": {
                        "a": "Cat", "b": "#/x-toolgate-files/api~1paths~1a.yaml", "c": "../../../x.yaml",
                    }},
                },
            },
        });
        assert_eq!(root, expected);
        let pointers: Vec<String> = warnings.iter().map(|warning| warning.pointer.to_string()).collect();
        assert_eq!(pointers, ["#/x-toolgate-files/api~1schemas~1pet.json/Pet"]);
    }

    #[test]
    fn a_file_with_a_unique_name_is_found_without_its_folder() {
        let main =
            ("main.yaml", "openapi: 3.1.0\na: {$ref: 'schemas/pet.yaml#/Pet'}\nb: {$ref: 'https://e.test/pet.yaml'}");
        let (root, _) = join(files(&[main, ("pet.yaml", "Pet: {}")])).unwrap();
        assert_eq!(root["a"]["$ref"], "#/x-toolgate-files/pet.yaml/Pet");
        assert_eq!(root["b"]["$ref"], "https://e.test/pet.yaml");
        let (root, _) = join(files(&[main, ("x/pet.yaml", "{}"), ("y/pet.yaml", "{}")])).unwrap();
        assert_eq!(root["a"]["$ref"], "schemas/pet.yaml#/Pet");
    }

    #[test]
    fn a_reference_finds_the_file_at_its_path_among_files_of_the_same_name() {
        let (root, _) = join(files(&[
            (
                "api/main.yaml",
                "openapi: 3.1.0\na: {$ref: a/pet.yaml}\nb: {$ref: 'b/pet.yaml#/Pet'}\nc: {$ref: pet.yaml}",
            ),
            ("api/a/pet.yaml", "own: {$ref: pet.yaml}\nother: {$ref: ../b/pet.yaml}"),
            ("api/b/pet.yaml", "own: {$ref: ./pet.yaml}"),
            ("a/pet.yaml", "{}"),
        ]))
        .unwrap();
        assert_eq!(root["a"]["$ref"], "#/x-toolgate-files/api~1a~1pet.yaml");
        assert_eq!(root["b"]["$ref"], "#/x-toolgate-files/api~1b~1pet.yaml/Pet");
        assert_eq!(root["c"]["$ref"], "pet.yaml", "no file has this path, and several have the name");
        let others = &root["x-toolgate-files"];
        assert_eq!(others["api/a/pet.yaml"]["own"]["$ref"], "#/x-toolgate-files/api~1a~1pet.yaml");
        assert_eq!(others["api/a/pet.yaml"]["other"]["$ref"], "#/x-toolgate-files/api~1b~1pet.yaml");
        assert_eq!(others["api/b/pet.yaml"]["own"]["$ref"], "#/x-toolgate-files/api~1b~1pet.yaml");
    }

    #[test]
    fn the_main_file_is_the_outermost_description() {
        let api = "openapi: 3.0.0";
        let (root, _) = join(files(&[("old/api.yaml", "swagger: 2.0"), ("api.yaml", api), ("x.yaml", "[]")])).unwrap();
        assert_eq!(root["openapi"], "3.0.0");
        let error = join(files(&[("a.yaml", api), ("b.yaml", api)])).unwrap_err();
        assert!(matches!(&error, DocumentError::Archive { message } if message.contains("\"b.yaml\"")), "{error}");
        assert!(matches!(join(files(&[("x.yaml", "{}")])), Err(DocumentError::UnknownFormat)));
        assert!(matches!(join(Vec::new()), Err(DocumentError::UnknownFormat)));
        let error = join(files(&[("a.yaml", api), ("broken.json", "{")])).unwrap_err();
        assert!(matches!(&error, DocumentError::Syntax { message, .. } if message.contains("broken.json")), "{error}");
    }
}
