//! The files in `deploy/`: they agree with each other, with the service, and with the programs that read them.

mod alerts;
mod chart;
mod compose;
mod kubernetes;
mod service;
mod yaml;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::repository_file;
use crate::style::files_below;

fn read(path: &str) -> String {
    fs::read_to_string(repository_file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The only document of a YAML file.
fn document(path: &str) -> Value {
    let mut documents = yaml::parse(&read(path));
    assert_eq!(documents.len(), 1, "{path}");
    documents.remove(0)
}

/// The files of `deploy/`, without secrets that were created there.
fn deploy_files() -> Vec<PathBuf> {
    let mut files = files_below(&repository_file("deploy"), &[""]);
    files.retain(|file| !file.to_string_lossy().contains("/secrets/") && !file.ends_with("secrets.env"));
    files
}

/// The text at a JSON pointer.
#[track_caller]
fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no text at {pointer}: {value:#}"))
}

/// The items of the list at a JSON pointer.
#[track_caller]
fn items<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).unwrap_or_else(|| panic!("no list at {pointer}: {value:#}"))
}

/// The port that the image exposes.
fn image_port() -> String {
    let dockerfile = read("packaging/Dockerfile");
    let exposed = dockerfile.lines().find_map(|line| line.strip_prefix("EXPOSE ")).unwrap();
    assert!(dockerfile.contains(&format!("TOOLGATE_LISTEN=0.0.0.0:{exposed} ")), "{dockerfile}");
    exposed.to_owned()
}

#[test]
fn the_files_have_been_found() {
    let files = deploy_files();
    for name in ["compose.yaml", "create-secrets", "Chart.yaml", "alerts.yaml", "toolgate.json"] {
        assert!(files.iter().any(|file| file.ends_with(name)), "{name}: {files:?}");
    }
}
