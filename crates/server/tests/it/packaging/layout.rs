//! The scripts that optimise the packaged binary, without LLVM's tools: what becomes of the binary, with a small program
//! in place of the service.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::{STAND_IN, repository_file};

fn run(layout: &str, output: &Path) -> Output {
    let script = repository_file("scripts/optimize-layout");
    Command::new(script).arg(STAND_IN).arg(output).env("LAYOUT", layout).output().unwrap()
}

fn record_compiler_profile(layout: &str, output: &Path) -> Output {
    let script = repository_file("scripts/compiler-profile");
    Command::new(script).arg("toolgate").arg(output).env("LAYOUT", layout).output().unwrap()
}

#[test]
fn with_the_layout_of_the_linker_the_compiler_gets_no_profile() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("optimized/toolgate.profdata");
    let ended = record_compiler_profile("linker", &output);
    assert!(ended.status.success() && ended.stdout.is_empty(), "{ended:?}");
    assert!(String::from_utf8(ended.stderr).unwrap().contains("the compiler gets no profile"));
    assert_eq!(fs::read_dir(output.parent().unwrap()).unwrap().count(), 0, "no file is left");
}

#[test]
fn with_the_layout_of_the_linker_the_binary_is_copied_and_runs() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("optimized/toolgate");
    let ended = run("linker", &output);
    assert!(ended.status.success(), "{ended:?}");
    assert!(String::from_utf8(ended.stderr).unwrap().contains("keeps the layout of the linker"));
    assert!(Command::new(&output).status().unwrap().success());
    let files: Vec<_> = fs::read_dir(output.parent().unwrap()).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files, [output], "no other file is left");
}

#[test]
fn an_unknown_layout_is_refused_before_anything_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("toolgate");
    fs::write(&output, "of an earlier build").unwrap();
    for refused in [run("fastest", &output), record_compiler_profile("fastest", &output)] {
        assert!(!refused.status.success(), "{refused:?}");
        let message = String::from_utf8(refused.stderr).unwrap();
        assert!(message.contains("LAYOUT must be optional, required or linker, not fastest"), "{message}");
        assert_eq!(fs::read_to_string(&output).unwrap(), "of an earlier build");
    }
}
