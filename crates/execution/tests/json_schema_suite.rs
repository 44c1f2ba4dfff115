//! Runs the mandatory part of the official JSON Schema test suite against the schema compiler.
//!
//! The suite is not part of this repository: `scripts/json-schema-suite` fetches it and prints its folder. Set
//! `TOOLGATE_JSON_SCHEMA_SUITE` to that folder. Without it the test is skipped, or fails if `CI=true`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::Deserialize;
use serde_json::{Value, json};
use toolgate_execution::arguments::InputSchema;

/// Folders of the suite, the draft for schemas without `$schema`, and the least number of tests.
const DRAFTS: [(&str, &str, usize); 5] = [
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema", 1200),
    ("draft2019-09", "https://json-schema.org/draft/2019-09/schema", 1200),
    ("draft7", "http://json-schema.org/draft-07/schema#", 900),
    ("draft6", "http://json-schema.org/draft-06/schema#", 800),
    ("draft4", "http://json-schema.org/draft-04/schema#", 600),
];

/// Tests that are expected to fail.
struct SuiteException {
    file: &'static str,
    /// Text in the description of the tests or of their group; empty for all tests of the file.
    description: &'static str,
    reason: &'static str,
}

const fn exception(file: &'static str, description: &'static str, reason: &'static str) -> SuiteException {
    SuiteException { file, description, reason }
}

const REMOTE: &str = "needs another document, but no document is ever fetched for a schema";
const META_SCHEMA: &str = "refers to the meta-schema, which is another document, so the cost cannot be computed";
const VOCABULARY: &str = "needs a custom meta-schema, but no document is ever fetched for a schema";

const EXCEPTIONS: [SuiteException; 10] = [
    exception("refRemote", "", REMOTE),
    exception("dynamicRef", "strict-tree schema, guards against misspelled properties", REMOTE),
    exception("dynamicRef", "tests for implementation dynamic anchor and reference link", REMOTE),
    exception("dynamicRef", "$ref and $dynamicAnchor are independent of order - $defs first", REMOTE),
    exception("dynamicRef", "$ref and $dynamicAnchor are independent of order - $ref first", REMOTE),
    exception("dynamicRef", "$ref to $dynamicRef finds detached $dynamicAnchor", REMOTE),
    exception("vocabulary", "", VOCABULARY),
    exception("defs", "validate definition against metaschema", META_SCHEMA),
    exception("definitions", "validate definition against metaschema", META_SCHEMA),
    exception("ref", "remote ref, containing refs itself", META_SCHEMA),
];

#[derive(Deserialize)]
struct SuiteGroup {
    description: String,
    schema: Value,
    tests: Vec<SuiteCase>,
}

#[derive(Deserialize)]
struct SuiteCase {
    description: String,
    data: Value,
    valid: bool,
}

/// A test with another result than the suite expects.
struct SuiteFailure {
    draft: &'static str,
    file: String,
    /// The test and how its result differs.
    message: String,
}

impl SuiteFailure {
    fn is_covered_by(&self, exception: &SuiteException) -> bool {
        self.file == exception.file && self.message.contains(exception.description)
    }
}

#[test]
fn the_official_json_schema_suite_passes() {
    let Some(suite) = suite_folder() else { return };
    let mut failures = Vec::new();
    for (draft, draft_uri, minimum) in DRAFTS {
        let failures_before = failures.len();
        let total = run_draft(&suite.join(draft), draft, draft_uri, &mut failures).unwrap();
        let failed = failures.len() - failures_before;
        eprintln!("{draft}: {} of {total} tests pass, {failed} are excepted or wrong", total - failed);
        assert!(total >= minimum, "{draft} has only {total} tests");
    }
    for SuiteFailure { draft, file, message } in failures.iter().filter(|failure| !is_excepted(failure)) {
        eprintln!("{draft}/{file}: {message}");
    }
    assert!(failures.iter().all(is_excepted), "some tests of the suite fail, see above");
    for exception in EXCEPTIONS {
        let is_needed = failures.iter().any(|failure| failure.is_covered_by(&exception));
        assert!(
            is_needed,
            "remove the exception for {}, {:?}, whose tests pass now ({})",
            exception.file, exception.description, exception.reason
        );
    }
}

fn is_excepted(failure: &SuiteFailure) -> bool {
    EXCEPTIONS.iter().any(|exception| failure.is_covered_by(exception))
}

/// The folder of the suite; prints a note if there is none.
fn suite_folder() -> Option<PathBuf> {
    let folder = env::var_os("TOOLGATE_JSON_SCHEMA_SUITE").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        let note = "TOOLGATE_JSON_SCHEMA_SUITE is not the path of a folder: see scripts/json-schema-suite";
        assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "{note}");
        eprintln!("skipped: {note}");
    }
    folder
}

/// Runs the mandatory tests of one draft, which are the files not in its subfolders; returns their number.
fn run_draft(
    folder: &Path,
    draft: &'static str,
    draft_uri: &str,
    failures: &mut Vec<SuiteFailure>,
) -> io::Result<usize> {
    let mut total = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            continue;
        }
        let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let groups: Vec<SuiteGroup> = serde_json::from_slice(&fs::read(&path)?)?;
        for group in groups {
            total += group.tests.len();
            failures.extend(failed_tests(&group, draft_uri).map(|message| SuiteFailure {
                draft,
                file: file.clone(),
                message,
            }));
        }
    }
    Ok(total)
}

/// The failed tests of a group, each with how its result differs.
fn failed_tests(group: &SuiteGroup, draft_uri: &str) -> impl Iterator<Item = String> {
    let mut schema = group.schema.clone();
    if let Some(keywords) = schema.as_object_mut() {
        keywords.entry("$schema").or_insert_with(|| json!(draft_uri));
    }
    let compiled = InputSchema::compile_value(&schema).map_err(|error| error.to_string());
    group.tests.iter().filter_map(move |case| {
        let difference = match &compiled {
            Err(error) => error.as_str(),
            Ok(schema) if schema.validate(&case.data).is_ok() == case.valid => return None,
            Ok(_) if case.valid => "is refused",
            Ok(_) => "is accepted",
        };
        Some(format!("{}: {}: {difference}", group.description, case.description))
    })
}
