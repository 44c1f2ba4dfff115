//! Checks that the files and tests named in ARCHITECTURE.md, SECURITY.md and the guides exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{markdown_files, root, rust_files};

/// The texts between backticks.
fn code_spans(markdown: &str) -> impl Iterator<Item = &str> {
    markdown.lines().filter(|line| !line.starts_with("```")).flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn expand_braces(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').flat_map(|choice| expand_braces(&format!("{before}{choice}{after}"))).collect()
}

/// Whether a path of a document exists. Documents omit `crates/`, and name all files of a folder as `*.rs`.
fn path_exists(path: &str) -> bool {
    let path = path.trim_end_matches("*.rs").trim_end_matches('/');
    ["", "crates"].iter().any(|base| root().join(base).join(path).exists())
}

fn is_rust_file(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Whether the text between backticks is the path of a file; `NNNN` is a placeholder.
fn is_path(span: &str) -> bool {
    const FIRST_FOLDERS: [&str; 15] = [
        "crates",
        "console",
        "bench",
        "fuzz",
        "scripts",
        "docs",
        "domain",
        "execution",
        "storage",
        "server",
        "mcp",
        "auth",
        "analytics",
        "rest",
        "import",
    ];
    let is_file = ["/src/", "/tests/", "/migrations/"].iter().any(|folder| span.contains(folder)) || is_rust_file(span);
    is_file
        && !span.contains("NNNN")
        && span.split_once('/').is_some_and(|(first, _)| FIRST_FOLDERS.contains(&first))
        && span.chars().all(|character| character.is_alphanumeric() || "/_.{},*-".contains(character))
}

#[test]
fn paths_in_documents_exist() {
    let mut checked = 0;
    let mut missing = Vec::new();
    for document in markdown_files() {
        let text = fs::read_to_string(&document).unwrap();
        for path in code_spans(&text).filter(|span| is_path(span)).flat_map(expand_braces) {
            checked += 1;
            if !path_exists(&path) {
                missing.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(checked > 50, "only {checked} paths were found");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Whether the file of a reference such as `it mcp/bodies.rs` or `execution egress/dialer.rs` exists; `None` for other
/// texts.
fn referenced_file_exists(span: &str) -> Option<bool> {
    let (crate_or_it, file) = span.split_once(' ').filter(|(_, file)| is_rust_file(file))?;
    let crates = root().join("crates");
    let folders = match crate_or_it {
        "it" => vec![crates.join("server/tests/it")],
        name => vec![crates.join(name).join("src"), crates.join(name)],
    };
    Some(folders.iter().any(|folder| folder.join(file).exists()))
}

/// The names of all functions of the workspace, tests within `proptest!` included.
fn function_names() -> BTreeSet<String> {
    let declared = |file: &Path| {
        let text = fs::read_to_string(file).unwrap();
        let names = text.lines().filter_map(|line| line.trim_start().split_once("fn ")?.1.split(['(', '<']).next());
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    rust_files().iter().flat_map(|file| declared(file)).collect()
}

#[test]
fn tests_named_in_security_md_exist() {
    let function_names = function_names();
    let text = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (mut checked, mut missing) = (0, Vec::new());
    for span in text.lines().filter(|line| line.starts_with("| ")).flat_map(code_spans) {
        // Names of tests are sentences; shorter names are fields or settings.
        let is_test = span.len() > 20 && span.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        let exists = if is_test { Some(function_names.contains(span)) } else { referenced_file_exists(span) };
        checked += usize::from(exists.is_some());
        if exists == Some(false) {
            missing.push(span);
        }
    }
    assert!(checked > 150, "only {checked} references were found");
    assert!(missing.is_empty(), "{missing:#?}");
}
