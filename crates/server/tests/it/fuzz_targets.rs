//! `fuzz/` needs a nightly compiler, so no build of the workspace compiles it. A fuzz target only passes its input to a
//! property, a file that tests on a stable compiler include as well.

use std::fs;
use std::path::{Path, PathBuf};

use toolgate_testkit::secrets::files_below;

/// The target without a property file: its property is `toolgate_mcp::envelope::assert_parsed_or_refused`, which the
/// tests of that crate call.
const TARGET_WITHOUT_FILE: &str = "jsonrpc";
/// Maximum length of a target; further code belongs in its property.
const TARGET_LINES_MAX: usize = 15;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of the files in a folder of `fuzz/`, without the extension.
fn names(folder: &str) -> Vec<String> {
    let files = fs::read_dir(root().join("fuzz").join(folder)).unwrap();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_fuzz_target_is_declared_and_only_calls_a_property() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    let mut properties = names("properties");
    properties.push(TARGET_WITHOUT_FILE.to_owned());
    properties.sort();
    assert_eq!(names("fuzz_targets"), properties);
    for name in &properties {
        let declaration = format!("[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n");
        assert!(manifest.contains(&declaration), "fuzz/Cargo.toml does not declare {name}");
        let target = fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs"))).unwrap();
        assert!(target.lines().count() <= TARGET_LINES_MAX, "move the code of {name} into its property");
        let include = format!("#[path = \"../properties/{name}.rs\"]\n");
        assert!(name == TARGET_WITHOUT_FILE || target.contains(&include), "{name} does not include its property");
    }
}

#[test]
fn every_property_of_a_fuzz_target_is_tested_on_a_stable_compiler() {
    let tests: Vec<String> = files_below(&root().join("crates"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for name in names("properties") {
        let include = format!("/fuzz/properties/{name}.rs\"]");
        assert!(tests.iter().any(|test| test.contains(&include)), "no test includes the property {name}");
    }
}
