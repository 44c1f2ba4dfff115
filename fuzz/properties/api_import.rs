//! Any bytes are imported or rejected; ids and names of candidates are unique, and each argument has a mapping rule.

use std::collections::HashSet;

use toolgate_import::api::options::ImportOptions;
use toolgate_import::api::read;

/// Reads a document and checks its candidates.
pub(crate) fn check(bytes: &[u8]) {
    let options = ImportOptions { output_schema: true, ..ImportOptions::default() };
    let Ok(import) = read(bytes, &options) else { return };
    let (mut ids, mut names) = (HashSet::new(), HashSet::new());
    for candidate in &import.candidates {
        assert!(ids.insert(candidate.temp_id.clone()), "{} is given twice", candidate.temp_id);
        assert!(names.insert(candidate.name.to_ascii_lowercase()), "{} is given twice", candidate.name);
        assert!(!candidate.description.is_empty(), "{} has no description", candidate.operation);
        let (schema, mapping) = (candidate.input_schema.to_value(), candidate.parameter_mapping.to_value());
        for (name, _) in schema["properties"].as_object().into_iter().flatten() {
            assert!(mapping.get(name).is_some(), "{name} has no rule");
        }
        for (name, rule) in mapping.as_object().into_iter().flatten() {
            let is_argument = schema["properties"].get(name).is_some();
            assert_ne!(is_argument, rule.get("value").is_some(), "{name} is an argument or a constant");
        }
    }
    let skipped = import.totals.filtered + import.totals.unlisted;
    assert!(import.totals.operations <= import.totals.candidates + import.problems.len() + skipped);
}
