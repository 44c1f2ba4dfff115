//! Compares the inferred tools with the golden files of the corpus. README.md describes the form of these files.

#![expect(clippy::expect_used, reason = "a failed expectation fails the test")]

mod projection;

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Maximum number of commands of the corpus whose inferred tool may differ from its golden file.
const DIFFERENT_MAX: usize = 0;

/// The same limit for the held-out commands, whose known differences are in README.md.
const HELD_OUT_DIFFERENT_MAX: usize = 4;
const HELD_OUT_2_DIFFERENT_MAX: usize = 2;

/// The folder of the corpus, below the folder of the crate.
const CORPUS: &str = "tests/corpus";

/// The folders of commands whose golden files were written without knowledge of the inferred tools.
const HELD_OUT: &str = "tests/corpus/held_out";
const HELD_OUT_2: &str = "tests/corpus/held_out_2";

/// A command with its golden file.
struct CorpusCommand {
    name: String,
    curl: String,
    golden: Value,
}

impl CorpusCommand {
    fn read_all(folder: &str) -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut commands: Vec<Self> = fs::read_dir(folder)
            .expect("the corpus is readable")
            .map(|entry| entry.expect("the corpus is readable").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "curl"))
            .map(|path| Self::read(&path))
            .collect();
        commands.sort_by(|one, other| one.name.cmp(&other.name));
        commands
    }

    fn read(path: &Path) -> Self {
        let golden = fs::read_to_string(path.with_extension("json")).expect("each command has a golden file");
        Self {
            name: path.file_stem().expect("a file name").to_string_lossy().into_owned(),
            curl: fs::read_to_string(path).expect("the command is readable"),
            golden: serde_json::from_str(&golden).expect("a golden file is JSON"),
        }
    }

    /// The inferred tool in the form of the golden files.
    fn inferred(&self) -> Value {
        let tools = toolgate_import::curl::infer(&self.curl).map_err(|error| format!("{}: {error}", self.name));
        projection::project(&serde_json::to_value(tools.expect("the command is parsed")).expect("a tool is JSON"))
    }

    /// The fields in which the inferred tool differs from the golden file, with both values.
    fn differences(&self) -> Vec<String> {
        let inferred = self.inferred();
        let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let (inferred, golden) = (members(&inferred), members(&self.golden));
        let mut fields: Vec<&String> = golden.keys().chain(inferred.keys()).collect();
        fields.sort();
        fields.dedup();
        let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
        let differing = fields.into_iter().filter(|field| inferred.get(*field) != golden.get(*field));
        differing
            .map(|field| format!("  {field}: {}\n    expected: {}", text(inferred.get(field)), text(golden.get(field))))
            .collect()
    }
}

/// Panics if the inferred tools of more than `different_max` commands differ from their golden files.
fn assert_tools_equal_golden_files(folder: &str, different_max: usize) {
    let commands = CorpusCommand::read_all(folder);
    let different: Vec<String> = commands
        .iter()
        .map(|command| (command, command.differences()))
        .filter(|(_, differences)| !differences.is_empty())
        .map(|(command, differences)| format!("{}\n{}", command.name, differences.join("\n")))
        .collect();
    let (count, all) = (different.len(), commands.len());
    assert!(count <= different_max, "{count} of {all} differ\n{}", different.join("\n"));
}

#[test]
fn inferred_tools_equal_the_golden_files() {
    assert_tools_equal_golden_files(CORPUS, DIFFERENT_MAX);
}

#[test]
fn held_out_tools_equal_the_golden_files() {
    assert_tools_equal_golden_files(HELD_OUT, HELD_OUT_DIFFERENT_MAX);
    assert_tools_equal_golden_files(HELD_OUT_2, HELD_OUT_2_DIFFERENT_MAX);
}

#[test]
fn golden_files_have_the_documented_form() {
    let folders = [(CORPUS, 130), (HELD_OUT, 80), (HELD_OUT_2, 30)];
    let commands = folders.map(|(folder, count_min)| {
        let commands = CorpusCommand::read_all(folder);
        assert!(commands.len() >= count_min, "{folder}");
        commands
    });
    for CorpusCommand { name, golden, .. } in commands.iter().flatten() {
        let tool_name = golden["name"].as_str().unwrap();
        assert!(tool_name.split('_').count() <= 4, "{name}: {tool_name}");
        for (argument, entry) in golden["arguments"].as_object().unwrap() {
            let is_in_url = golden["endpoint_url"].as_str().unwrap().contains(&format!("{{{argument}}}"));
            assert_eq!(entry["location"] == "path", is_in_url, "{name}: {argument}");
            let is_required = entry["required"] == true;
            assert!(!is_required || entry.get("default").is_none(), "{name}: {argument} is required with a default");
        }
        for kind in golden["warnings"].as_array().unwrap() {
            assert!(projection::WARNING_KINDS.contains(&kind.as_str().unwrap()), "{name}: {kind}");
        }
    }
}
