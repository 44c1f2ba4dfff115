//! The commands in crates/server/tests/curl, which the real curl also runs, cover every option.

use std::collections::BTreeSet;
use std::path::Path;

use crate::curl::options::table::OPTIONS;

/// Options with which curl sends no request, so no command has them.
const OPTIONS_WITHOUT_REQUEST: [&str; 3] = ["help", "manual", "version"];

#[test]
fn every_option_has_a_command_that_the_real_curl_also_runs() {
    let mut texts = String::new();
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/tests/curl")).unwrap() {
        texts.push_str(&std::fs::read_to_string(file.unwrap().path()).unwrap());
    }
    let used: BTreeSet<&str> = texts.split_whitespace().filter_map(|word| word.strip_prefix("--")).collect();
    let missing: Vec<&str> = OPTIONS.iter().map(|option| option.name).filter(|name| !used.contains(name)).collect();
    assert_eq!(missing, OPTIONS_WITHOUT_REQUEST);
}
