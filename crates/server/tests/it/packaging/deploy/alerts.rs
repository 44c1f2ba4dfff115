//! The alert rules, their unit tests and their sections in the runbook; the expressions of the dashboard.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{document, items, read, repository_file, text};
use crate::external_tools;

const FOLDER: &str = "deploy/prometheus";

pub(super) fn alerts() -> Vec<Value> {
    let rules = document(&format!("{FOLDER}/alerts.yaml"));
    let alerts: Vec<Value> =
        items(&rules, "/groups").iter().flat_map(|group| items(group, "/rules").to_vec()).collect();
    assert!(alerts.len() > 10, "{rules:#}");
    alerts
}

fn alert_names() -> BTreeSet<String> {
    alerts().iter().map(|alert| text(alert, "/alert").to_owned()).collect()
}

/// The expressions of all panels.
pub(super) fn dashboard_expressions() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&read("deploy/grafana/toolgate.json")).unwrap();
    let panels = items(&dashboard, "/panels").iter().filter(|panel| panel["type"] != "row");
    panels.flat_map(|panel| items(panel, "/targets").iter().map(|target| text(target, "/expr").to_owned())).collect()
}

fn promtool(args: &[&str], file: &Path) {
    let output = Command::new("promtool").args(args).arg(file).current_dir(repository_file(FOLDER)).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

#[test]
fn every_alert_has_a_section_in_the_runbook() {
    let runbook = read("docs/runbook.md");
    let sections: BTreeSet<String> = runbook
        .lines()
        .filter_map(|line| line.strip_prefix("### Toolgate"))
        .map(|name| format!("Toolgate{name}"))
        .collect();
    assert_eq!(sections, alert_names());
    for section in runbook.split("\n### Toolgate").skip(1) {
        for part in ["**Meaning.** ", "**Look at.** ", "**Do.** "] {
            assert!(section.contains(part), "{part}is missing: {section}");
        }
    }
    for alert in alerts() {
        let anchor = text(&alert, "/alert").to_lowercase();
        assert_eq!(text(&alert, "/annotations/runbook"), format!("docs/runbook.md#{anchor}"));
        for annotation in ["/annotations/summary", "/annotations/description", "/labels/severity"] {
            assert!(!text(&alert, annotation).is_empty(), "{alert}");
        }
    }
}

#[test]
fn every_alert_has_a_unit_test_in_which_it_fires_and_one_in_which_it_does_not() {
    let tests = document(&format!("{FOLDER}/alerts.test.yaml"));
    let cases: Vec<&Value> = items(&tests, "/tests").iter().flat_map(|test| items(test, "/alert_rule_test")).collect();
    for name in alert_names() {
        for fires in [true, false] {
            let is_tested = |case: &&Value| case["alertname"] == name && items(case, "/exp_alerts").is_empty() != fires;
            assert!(cases.iter().any(is_tested), "{name}: there is no test with fires = {fires}");
        }
    }
}

#[test]
fn promtool_accepts_the_rules_and_their_unit_tests() {
    if !external_tools::are_installed(&["promtool"]) {
        return;
    }
    promtool(&["check", "config"], Path::new("prometheus.yaml"));
    promtool(&["check", "rules"], Path::new("alerts.yaml"));
    promtool(&["test", "rules"], Path::new("alerts.test.yaml"));
}

/// The expressions are checked as recording rules, because promtool cannot read dashboards.
#[test]
fn promtool_accepts_the_expressions_of_the_dashboard() {
    if !external_tools::are_installed(&["promtool"]) {
        return;
    }
    let rule = |(number, expression): (usize, String)| {
        let expression = expression.replace("$__rate_interval", "5m");
        json!({"record": format!("dashboard:expression:{number}"), "expr": expression})
    };
    let rules: Vec<Value> = dashboard_expressions().into_iter().enumerate().map(rule).collect();
    assert!(rules.len() > 20, "{rules:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rules.yaml");
    // JSON is YAML.
    fs::write(&file, json!({"groups": [{"name": "dashboard", "rules": rules}]}).to_string()).unwrap();
    promtool(&["check", "rules"], &file);
}
