//! The official JSON Schema test-suite, its mandatory part, against our schema compiler: what an author writes
//! by the book has to mean what the book says, within our limits as well.
//!
//! The suite is not part of this repository: `scripts/json-schema-suite` fetches it and prints the folder, which
//! is expected in `TOOLGATE_JSON_SCHEMA_SUITE`. Without it the test has nothing to say, except under `CI=true`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::Deserialize;
use serde_json::{Value, json};
use toolgate_execution::arguments::InputSchema;

/// Folders of the suite, the name of the draft for schemas that give none, and the number of tests to find at least.
const DRAFTS: [(&str, &str, usize); 5] = [
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema", 1200),
    ("draft2019-09", "https://json-schema.org/draft/2019-09/schema", 1200),
    ("draft7", "http://json-schema.org/draft-07/schema#", 900),
    ("draft6", "http://json-schema.org/draft-06/schema#", 800),
    ("draft4", "http://json-schema.org/draft-04/schema#", 600),
];

/// Tests that we do not pass.
struct Exception {
    file: &'static str,
    /// Words in the description of the tests or of their group; empty for all tests of the file.
    words: &'static str,
    reason: &'static str,
}

const fn exception(file: &'static str, words: &'static str, reason: &'static str) -> Exception {
    Exception { file, words, reason }
}

const REMOTE: &str = "needs another document, and nothing is ever fetched for a schema";
const META: &str = "refers to the meta-schema, which is another document, too: its work could not be priced";
const VOCABULARY: &str = "needs a meta-schema of somebody's own, and nothing is ever fetched for a schema";

const EXCEPTIONS: [Exception; 10] = [
    exception("refRemote", "", REMOTE),
    exception("dynamicRef", "strict-tree schema, guards against misspelled properties", REMOTE),
    exception("dynamicRef", "tests for implementation dynamic anchor and reference link", REMOTE),
    exception("dynamicRef", "$ref and $dynamicAnchor are independent of order - $defs first", REMOTE),
    exception("dynamicRef", "$ref and $dynamicAnchor are independent of order - $ref first", REMOTE),
    exception("dynamicRef", "$ref to $dynamicRef finds detached $dynamicAnchor", REMOTE),
    exception("vocabulary", "", VOCABULARY),
    exception("defs", "validate definition against metaschema", META),
    exception("definitions", "validate definition against metaschema", META),
    exception("ref", "remote ref, containing refs itself", META),
];

#[derive(Deserialize)]
struct Group {
    description: String,
    schema: Value,
    tests: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    description: String,
    data: Value,
    valid: bool,
}

/// A test that did not come out as the suite says.
struct Failure {
    draft: &'static str,
    file: String,
    /// Its description and what is wrong.
    what: String,
}

impl Failure {
    fn is_covered_by(&self, exception: &Exception) -> bool {
        self.file == exception.file && self.what.contains(exception.words)
    }
}

#[test]
fn schemas_mean_what_the_official_suite_says() {
    let Some(suite) = suite() else { return };
    let mut failures = Vec::new();
    for (draft, uri, at_least) in DRAFTS {
        let before = failures.len();
        let total = run(&suite.join(draft), draft, uri, &mut failures).unwrap();
        let failed = failures.len() - before;
        eprintln!("{draft}: {} of {total} tests pass, {failed} are excepted or wrong", total - failed);
        assert!(total >= at_least, "{draft} has only {total} tests");
    }
    for Failure { draft, file, what } in failures.iter().filter(|failure| !is_excepted(failure)) {
        eprintln!("{draft}/{file}: {what}");
    }
    assert!(failures.iter().all(is_excepted), "some tests of the suite fail: see above");
    for exception in EXCEPTIONS {
        let is_needed = failures.iter().any(|failure| failure.is_covered_by(&exception));
        assert!(is_needed, "{}, {:?} passes now ({})", exception.file, exception.words, exception.reason);
    }
}

fn is_excepted(failure: &Failure) -> bool {
    EXCEPTIONS.iter().any(|exception| failure.is_covered_by(exception))
}

/// The folder of the suite, or none and a word about it.
fn suite() -> Option<PathBuf> {
    let folder = env::var_os("TOOLGATE_JSON_SCHEMA_SUITE").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        let why = "TOOLGATE_JSON_SCHEMA_SUITE names no folder: see scripts/json-schema-suite";
        assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "{why}");
        eprintln!("left out, for {why}");
    }
    folder
}

/// Runs the mandatory tests of one draft, which are those outside of its folders; says how many they are.
fn run(folder: &Path, draft: &'static str, uri: &str, failures: &mut Vec<Failure>) -> io::Result<usize> {
    let mut total = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            continue;
        }
        let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let groups: Vec<Group> = serde_json::from_slice(&fs::read(&path)?)?;
        for group in groups {
            total += group.tests.len();
            failures.extend(outcome(&group, uri).map(|what| Failure { draft, file: file.clone(), what }));
        }
    }
    Ok(total)
}

/// Each test of a group that fails, and how.
fn outcome(group: &Group, uri: &str) -> impl Iterator<Item = String> {
    let mut schema = group.schema.clone();
    if let Some(keywords) = schema.as_object_mut() {
        keywords.entry("$schema").or_insert_with(|| json!(uri));
    }
    let compiled = InputSchema::compile_value(&schema).map_err(|error| error.to_string());
    group.tests.iter().filter_map(move |case| {
        let wrong = match &compiled {
            Err(error) => error.as_str(),
            Ok(schema) if schema.validate(&case.data).is_ok() == case.valid => return None,
            Ok(_) if case.valid => "is refused",
            Ok(_) => "is accepted",
        };
        Some(format!("{}: {}: {wrong}", group.description, case.description))
    })
}
