//! The results of the suite, read from the files it writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use toolgate_testkit::RunningService;

use super::super::client_programs::{ClientPrograms, ProgramOutput, run};

pub(super) struct Report {
    /// The scenarios that the revision requires.
    required: BTreeSet<String>,
    /// Every scenario that ran, with its checks.
    checks: BTreeMap<String, Vec<Value>>,
    output: ProgramOutput,
}

impl Report {
    /// Runs all scenarios of a revision, including the optional ones.
    pub(super) fn run_requirements(client_programs: &ClientPrograms, url: &str, revision: &str) -> Self {
        let mut list = client_programs.package_command("conformance");
        list.args(["list", "--requirements", revision]);
        let required = required_scenarios(&run(list).stdout);

        let results = tempfile::tempdir().unwrap();
        let mut suite = client_programs.package_command("conformance");
        suite.args(["server", "--url", url, "--requirements", revision, "--output-dir"]).arg(results.path());
        let output = run(suite);
        Self { required, checks: read_checks(results.path()), output }
    }

    /// Asserts that exactly these required scenarios fail.
    #[track_caller]
    pub(super) fn assert_failing(&self, expected: &[&str], app: &RunningService) {
        let failing: Vec<&str> = self.failing().filter(|scenario| self.required.contains(*scenario)).collect();
        let is_expected = |scenario: &str| expected.contains(&scenario) || !self.required.contains(scenario);
        assert_eq!(failing, expected, "{}", self.explain(app, is_expected));
    }

    /// Asserts that every optional scenario that fails is expected to fail.
    #[track_caller]
    pub(super) fn assert_failing_optional(&self, is_expected: impl Fn(&str) -> bool, app: &RunningService) {
        let unexpected: Vec<&str> =
            self.failing().filter(|scenario| !self.required.contains(*scenario) && !is_expected(scenario)).collect();
        assert!(unexpected.is_empty(), "{unexpected:?}{}", self.explain(app, is_expected));
    }

    /// Asserts the numbers of passing and required scenarios, so that a changed suite is noticed.
    #[track_caller]
    pub(super) fn assert_counts(&self, passing: usize, required: usize) {
        let failing: Vec<&str> = self.failing().collect();
        let ran = self.required.iter().filter(|scenario| self.checks.contains_key(*scenario));
        let passed = ran.filter(|scenario| !failing.contains(&scenario.as_str())).count();
        assert_eq!((passed, self.required.len()), (passing, required), "{}", self.output);
    }

    /// Asserts that no passing scenario has a warning.
    #[track_caller]
    pub(super) fn assert_no_warnings(&self) {
        let failing: Vec<&str> = self.failing().collect();
        let passing = self.checks.iter().filter(|(scenario, _)| !failing.contains(&scenario.as_str()));
        let warnings: Vec<String> = passing
            .flat_map(|(scenario, checks)| {
                with_status(checks, "WARNING").map(move |check| describe_check(scenario, check))
            })
            .collect();
        assert!(warnings.is_empty(), "{}", warnings.join("\n"));
    }

    fn failing(&self) -> impl Iterator<Item = &str> {
        let failing = self.checks.iter().filter(|(_, checks)| with_status(checks, "FAILURE").next().is_some());
        failing.map(|(scenario, _)| scenario.as_str())
    }

    /// The failed checks of unexpected scenarios, and the log of the service.
    fn explain(&self, app: &RunningService, is_expected: impl Fn(&str) -> bool) -> String {
        let mut text = String::new();
        for (scenario, checks) in self.checks.iter().filter(|(scenario, _)| !is_expected(scenario)) {
            for check in with_status(checks, "FAILURE") {
                let _ = write!(text, "\n{}", describe_check(scenario, check));
            }
        }
        if self.checks.is_empty() {
            let _ = write!(text, "\nno scenario ran: {}", self.output);
        }
        format!("{text}\n{}", app.logs())
    }
}

fn with_status<'a>(checks: &'a [Value], status: &'a str) -> impl Iterator<Item = &'a Value> {
    checks.iter().filter(move |check| check["status"] == status)
}

fn describe_check(scenario: &str, check: &Value) -> String {
    let message = check["errorMessage"].as_str().unwrap_or_default();
    format!("{scenario}: {}: {message}", check["id"].as_str().unwrap_or_default())
}

/// Parses the list under the heading "Server scenarios".
fn required_scenarios(output: &str) -> BTreeSet<String> {
    let servers = output.lines().skip_while(|line| !line.starts_with("Server scenarios")).skip(1);
    servers.map_while(|line| line.trim().strip_prefix("- ")).map(str::to_owned).collect()
}

/// Each scenario has a folder, `server-NAME-TIMESTAMP`, with a file `checks.json` unless it was aborted.
fn read_checks(folder: &Path) -> BTreeMap<String, Vec<Value>> {
    let mut checks_by_scenario = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let checks = match fs::read_to_string(path.join("checks.json")) {
            Ok(text) => serde_json::from_str(&text).unwrap(),
            Err(_) => vec![json!({"id": "aborted", "status": "FAILURE"})],
        };
        checks_by_scenario.insert(scenario_name(&name).to_owned(), checks);
    }
    checks_by_scenario
}

/// `server-tools-list-2026-11-15T06-00-00-000Z` is the folder of `tools-list`.
fn scenario_name(folder: &str) -> &str {
    let suffix_len = "-2026-11-15T06-00-00-000Z".len();
    let name = folder.strip_prefix("server-").unwrap_or(folder);
    name.len().checked_sub(suffix_len).and_then(|end| name.get(..end)).unwrap_or(name)
}

#[test]
fn the_name_of_a_scenario_is_found_in_its_folder() {
    assert_eq!(scenario_name("server-tools-list-2026-11-15T06-00-00-000Z"), "tools-list");
    assert_eq!(scenario_name("server-json-schema-2020-12-2026-11-15T06-00-00-000Z"), "json-schema-2020-12");
    assert_eq!(scenario_name("server-server-stateless-2026-11-15T06-00-00-000Z"), "server-stateless");
}
