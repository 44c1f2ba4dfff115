//! The Helm chart, rendered by helm and checked against the schemas of Kubernetes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::kubernetes::base_objects;
use super::{document, read, repository_file, yaml};
use crate::external_tools;

const CHART: &str = "deploy/helm/toolgate";

/// The values without which the chart cannot be rendered.
const REQUIRED_VALUES: [&str; 2] = ["baseUrl=https://tools.example.com", "secret.existingSecret=toolgate"];

/// Values that enable every optional object, with a Secret that the chart creates.
const ALL_VALUES: [&str; 13] = [
    "baseUrl=https://tools.example.com",
    "secret.databaseUrl=postgres://toolgate:p@db/toolgate",
    "secret.redisUrl=redis://:p@redis:6379/0",
    "secret.apiKey=tg_0123456789",
    "secret.encryptionKeys=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
    "ingress.enabled=true",
    "ingress.tlsSecret=tls",
    "metrics.serviceMonitor.enabled=true",
    "trustedProxies={10.0.0.0/8}",
    "upstreamAllow={api.internal,10.1.2.3:8443}",
    "extraEnv[0].name=TOOLGATE_CORS_ORIGINS,extraEnv[0].value=https://console.example",
    "extraVolumes[0].name=ca",
    "extraVolumeMounts[0].name=ca,extraVolumeMounts[0].mountPath=/ca",
];

/// The oldest version that Chart.yaml allows, and the newest one that the validator knows.
const KUBERNETES_VERSIONS: [&str; 2] = ["1.27", "1.37"];

/// The folder of helm and kubernetes-validate. `None` if they are not installed: the test must return.
fn tools() -> Option<PathBuf> {
    Some(external_tools::installed_path("TOOLGATE_DEPLOY_TOOLS", "scripts/deploy-tools")?.join("bin"))
}

fn helm(tools: &Path, args: &[&str], values: &[&str]) -> Output {
    let mut command = Command::new(tools.join("helm"));
    // An empty home directory, so that settings and repositories of the user have no effect.
    let home = tempfile::tempdir().unwrap();
    command.env("HOME", home.path()).args(args).arg(repository_file(CHART));
    for value in values {
        command.args(["--set", value]);
    }
    command.output().unwrap()
}

fn render(tools: &Path, values: &[&str]) -> String {
    let output = helm(tools, &["template", "toolgate"], values);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Checks objects against the schemas of Kubernetes; unknown fields are errors.
fn validate(tools: &Path, objects: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("objects.yaml");
    fs::write(&file, objects).unwrap();
    for version in KUBERNETES_VERSIONS {
        let mut command = Command::new(tools.join("kubernetes-validate"));
        let output = command.args(["--strict", "--kubernetes-version", version]).arg(&file).output().unwrap();
        let report = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && report.contains(" passed for resource "), "{version}: {report}");
    }
}

/// An object without the labels that only the chart sets.
fn without_chart_labels(mut object: Value) -> Value {
    let labels = object.pointer_mut("/metadata/labels").and_then(Value::as_object_mut).unwrap();
    labels.retain(|name, _| {
        !matches!(name.as_str(), "helm.sh/chart" | "app.kubernetes.io/version" | "app.kubernetes.io/managed-by")
    });
    object
}

#[test]
fn the_version_of_the_chart_is_that_of_the_service() {
    let chart = document(&format!("{CHART}/Chart.yaml"));
    assert_eq!(chart["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(chart["appVersion"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn helm_accepts_the_chart() {
    let Some(tools) = tools() else { return };
    for values in [&REQUIRED_VALUES[..], &ALL_VALUES] {
        let output = helm(&tools, &["lint", "--strict"], values);
        assert!(output.status.success(), "{output:?}");
    }
    // Without the values that have no default, too; rendering refuses that.
    let output = helm(&tools, &["lint"], &[]);
    assert!(output.status.success(), "{output:?}");
    let file = repository_file(CHART).join("ci/default-values.yaml");
    let output = helm(&tools, &["lint", "--strict", "--values", &file.display().to_string()], &[]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn kubernetes_accepts_the_objects_of_the_chart_and_of_kustomize() {
    let Some(tools) = tools() else { return };
    let rendered = render(&tools, &ALL_VALUES);
    let mut kinds: Vec<String> =
        yaml::parse(&rendered).iter().map(|object| object["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort_unstable();
    let expected = [
        "Ingress",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "Secret",
        "Service",
        "Service",
        "ServiceMonitor",
        "StatefulSet",
    ];
    assert_eq!(kinds, expected);
    validate(&tools, &rendered);
    for folder in ["base", "overlays/example"] {
        for file in fs::read_dir(repository_file(&format!("deploy/kustomize/{folder}"))).unwrap() {
            let path = file.unwrap().path();
            let is_object = path.extension().is_some_and(|extension| extension == "yaml");
            // A patch is an incomplete object.
            if is_object && !path.ends_with("kustomization.yaml") && !path.ends_with("settings.yaml") {
                validate(&tools, &fs::read_to_string(&path).unwrap());
            }
        }
    }
}

#[test]
fn the_kustomize_base_equals_the_rendered_chart() {
    let Some(tools) = tools() else { return };
    let by_name = |object: &Value| format!("{} {}", object["kind"], object["metadata"]["name"]);
    let mut rendered: Vec<Value> =
        yaml::parse(&render(&tools, &REQUIRED_VALUES)).into_iter().map(without_chart_labels).collect();
    let mut base = base_objects();
    rendered.sort_by_key(by_name);
    base.sort_by_key(by_name);
    for (rendered, base) in rendered.iter().zip(&base) {
        assert_eq!(rendered, base, "change the chart and deploy/kustomize/base together");
    }
    assert_eq!(rendered.len(), base.len());
}

#[test]
fn the_chart_names_a_missing_or_wrong_value() {
    let Some(tools) = tools() else { return };
    for (values, name) in [
        (&["secret.existingSecret=toolgate"][..], "baseUrl"),
        (&["baseUrl=https://tools.example.com"], "secret.databaseUrl"),
        (&["baseUrl=https://tools.example.com", "secret.databaseUrl=postgres://db/tools"], "secret.apiKey"),
        (&["baseUrl=https://tools.example.com", "secret.databaseUrl=mysql://db/tools"], "databaseUrl"),
        (&[REQUIRED_VALUES[0], REQUIRED_VALUES[1], "replica=3"], "replica"),
        (&[REQUIRED_VALUES[0], REQUIRED_VALUES[1], "journalMaxMib=1"], "journalMaxMib"),
    ] {
        let output = helm(&tools, &["template", "toolgate"], values);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.contains(name), "{values:?}: {message}");
    }
}

/// The schema refuses unknown values, so it must list all of them.
#[test]
fn the_schema_of_the_values_has_every_value() {
    let schema: Value = serde_json::from_str(&read(&format!("{CHART}/values.schema.json"))).unwrap();
    let values = document(&format!("{CHART}/values.yaml"));
    let unknown = unknown_values(&schema, &values, "");
    assert!(unknown.is_empty(), "{unknown:?}");
}

fn unknown_values(schema: &Value, values: &Value, path: &str) -> Vec<String> {
    let (Some(properties), Some(values)) = (schema["properties"].as_object(), values.as_object()) else {
        return Vec::new();
    };
    let check = |(name, value): (&String, &Value)| {
        let path = format!("{path}/{name}");
        match properties.get(name) {
            Some(schema) => unknown_values(schema, value, &path),
            None => vec![path],
        }
    };
    values.iter().flat_map(check).collect()
}
