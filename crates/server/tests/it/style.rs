//! Rules of CONTRIBUTING.md that the compiler cannot check: unique type names, plain words, documents that match the
//! code.

mod documents;
mod type_names;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below `folder` whose names end with one of `endings`. Folders of build products are skipped.
pub(super) fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    const BUILD_PRODUCTS: [&str; 3] = ["target", "node_modules", "dist"];
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !BUILD_PRODUCTS.contains(&name.as_str()) {
            files.extend(files_below(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    files
}

fn rust_files() -> Vec<PathBuf> {
    ["crates", "bench", "fuzz"].iter().flat_map(|folder| files_below(&root().join(folder), &[".rs"])).collect()
}

fn markdown_files() -> Vec<PathBuf> {
    let mut files = files_below(&root().join("docs"), &[".md"]);
    files.extend(["ARCHITECTURE", "CONTRIBUTING", "README", "SECURITY"].map(|name| root().join(format!("{name}.md"))));
    files
}
