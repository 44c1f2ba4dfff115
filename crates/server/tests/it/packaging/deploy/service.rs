//! The settings, health checks and metrics that the files in `deploy/` use exist in the service.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::alerts::{alerts, dashboard_expressions};
use super::kubernetes::base_objects;
use super::{deploy_files, document, items, read, text};
use crate::packaging::container::check_health;
use crate::toolgate;

/// The words of a text that begin with one of `prefixes` and have only characters that `is_allowed` accepts.
fn words(text: &str, prefixes: &[&str], is_allowed: fn(char) -> bool) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let has_prefix = |word: &&str| prefixes.iter().any(|prefix| word.len() > prefix.len() && word.starts_with(prefix));
    words.filter(has_prefix).filter(|word| word.chars().all(is_allowed)).map(str::to_owned).collect()
}

fn setting_names(text: &str) -> BTreeSet<String> {
    words(text, &["TOOLGATE_"], |character| character.is_ascii_uppercase() || character == '_')
}

fn metric_names(text: &str) -> BTreeSet<String> {
    words(text, &["toolgate_", "process_"], |character| character.is_ascii_lowercase() || character == '_')
}

#[test]
fn every_environment_variable_is_a_setting() {
    let output = Command::new(env!("CARGO_BIN_EXE_toolgate")).arg("--help").output().unwrap();
    let settings = setting_names(&String::from_utf8(output.stdout).unwrap());
    assert!(settings.len() > 20, "{settings:?}");
    for file in deploy_files() {
        let unknown = &setting_names(&fs::read_to_string(&file).unwrap()) - &settings;
        assert!(unknown.is_empty(), "{}: {unknown:?}", file.display());
    }
}

#[test]
fn every_health_check_requests_a_path_of_the_service() {
    let objects = base_objects();
    let stateful_set = objects.iter().find(|object| object["kind"] == "StatefulSet").unwrap();
    let container = &stateful_set["spec"]["template"]["spec"]["containers"][0];
    let probe = |name: &str| text(container, &format!("/{name}/httpGet/path")).to_owned();
    let mut paths: BTreeSet<String> = ["startupProbe", "readinessProbe", "livenessProbe"].map(probe).into();
    let compose = document("deploy/compose/compose.yaml");
    paths.insert(text(&compose, "/services/node-a/healthcheck/test/2").to_owned());
    let url = items(&compose, "/services/balancer/healthcheck/test").last().unwrap().as_str().unwrap();
    paths.insert(url::Url::parse(url).unwrap().path().to_owned());
    let app = toolgate().start();
    for path in paths {
        assert_eq!(check_health(app.address(), &[&path]), Some(0), "{path}");
    }
}

#[test]
fn every_metric_of_the_rules_and_the_dashboard_is_documented() {
    let metrics = read("docs/metrics.md");
    let first_cells = metrics.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let documented: BTreeSet<String> = first_cells.flat_map(metric_names).collect();
    assert!(documented.len() > 30, "{documented:?}");
    let rules: Vec<String> = alerts().iter().map(|alert| text(alert, "/expr").to_owned()).collect();
    let used: BTreeSet<String> =
        rules.into_iter().chain(dashboard_expressions()).flat_map(|expression| metric_names(&expression)).collect();
    assert!(used.len() > 30, "{used:?}");
    // A histogram has several series.
    let is_documented = |name: &String| {
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix));
        documented.contains(name) || family.is_some_and(|family| documented.contains(family))
    };
    let unknown: Vec<&String> = used.iter().filter(|name| !is_documented(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
