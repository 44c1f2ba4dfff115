//! The Kustomize base and the example overlay.

use serde_json::{Value, json};

use super::{document, image_port, items, read, repository_file, text, yaml};

const BASE: &str = "deploy/kustomize/base";
const OVERLAY: &str = "deploy/kustomize/overlays/example";
const CONTAINER: &str = "/spec/template/spec/containers/0";

/// The objects of the base.
pub(super) fn base_objects() -> Vec<Value> {
    let kustomization = document(&format!("{BASE}/kustomization.yaml"));
    let files = items(&kustomization, "/resources").iter();
    files.flat_map(|file| yaml::parse(&read(&format!("{BASE}/{}", file.as_str().unwrap())))).collect()
}

fn object(kind: &str, name: &str) -> Value {
    let is_wanted = |object: &Value| object["kind"] == kind && object["metadata"]["name"] == name;
    base_objects().into_iter().find(is_wanted).unwrap_or_else(|| panic!("no {kind} {name}"))
}

/// The port of the container that has this name.
fn container_port(stateful_set: &Value, name: &str) -> String {
    let ports = items(stateful_set, &format!("{CONTAINER}/ports"));
    text(ports.iter().find(|port| port["name"] == name).unwrap(), "/containerPort").to_owned()
}

fn environment_value(stateful_set: &Value, name: &str) -> Option<String> {
    let variables = items(stateful_set, &format!("{CONTAINER}/env"));
    Some(variables.iter().find(|variable| variable["name"] == name)?["value"].as_str()?.to_owned())
}

#[test]
fn the_kustomizations_name_existing_files_and_objects() {
    let stateful_set = object("StatefulSet", "toolgate");
    let overlay = document(&format!("{OVERLAY}/kustomization.yaml"));
    for resource in items(&overlay, "/resources").iter().chain([&overlay["patches"][0]["path"]]) {
        let file = repository_file(OVERLAY).join(resource.as_str().unwrap());
        assert!(file.exists(), "{}", file.display());
    }
    assert_eq!(
        overlay["images"][0]["name"],
        text(&stateful_set, &format!("{CONTAINER}/image")).split(':').next().unwrap()
    );
    assert_eq!(overlay["images"][0]["newTag"], env!("CARGO_PKG_VERSION"));
    assert_eq!(overlay["replicas"][0]["name"], "toolgate");
    let patch = document(&format!("{OVERLAY}/settings.yaml"));
    for pointer in ["/kind", "/metadata/name", "/spec/template/spec/containers/0/name"] {
        assert_eq!(patch.pointer(pointer), stateful_set.pointer(pointer), "{pointer}");
    }
}

#[test]
fn the_secret_of_the_overlay_has_every_key_that_nodes_read() {
    let overlay = document(&format!("{OVERLAY}/kustomization.yaml"));
    let generator = &overlay["secretGenerator"][0];
    assert_eq!(generator["envs"], json!(["secrets.env"]));
    let example = read(&format!("{OVERLAY}/secrets.env.example"));
    let keys: Vec<&str> = example.lines().map(|line| line.split_once('=').unwrap().0).collect();
    let stateful_set = object("StatefulSet", "toolgate");
    let variables = items(&stateful_set, &format!("{CONTAINER}/env"));
    let references: Vec<&Value> =
        variables.iter().filter_map(|variable| variable.pointer("/valueFrom/secretKeyRef")).collect();
    assert_eq!(references.len(), keys.len());
    for reference in references {
        assert_eq!(reference["name"], generator["name"]);
        assert!(keys.contains(&text(reference, "/key")), "{reference}");
    }
}

#[test]
fn ports_users_and_folders_agree_with_the_image() {
    let stateful_set = object("StatefulSet", "toolgate");
    assert_eq!(text(&stateful_set, &format!("{CONTAINER}/image")), concat!("toolgate:", env!("CARGO_PKG_VERSION")));
    assert_eq!(container_port(&stateful_set, "http"), image_port());
    let listen = environment_value(&stateful_set, "TOOLGATE_METRICS_LISTEN").unwrap();
    let metrics_port = container_port(&stateful_set, "metrics");
    assert_eq!(listen, format!("0.0.0.0:{metrics_port}"));
    assert_eq!(text(&object("Service", "toolgate-nodes"), "/spec/ports/0/port"), metrics_port);
    let compose = document("deploy/compose/compose.yaml");
    assert_eq!(text(&compose, "/services/node-a/environment/TOOLGATE_METRICS_LISTEN"), listen);
    for target in items(&document("deploy/prometheus/prometheus.yaml"), "/scrape_configs/0/static_configs/0/targets") {
        let (node, port) = target.as_str().unwrap().split_once(':').unwrap();
        assert!(compose["services"].get(node).is_some() && port == metrics_port, "{target}");
    }
    let user = text(&stateful_set, "/spec/template/spec/securityContext/runAsUser");
    let dockerfile = read("packaging/Dockerfile");
    assert!(dockerfile.contains(&format!("USER {user}:{user}\n")), "{user}");
    let folder = text(&stateful_set, &format!("{CONTAINER}/volumeMounts/0/mountPath"));
    assert!(dockerfile.contains(&format!("VOLUME {folder}\n")), "{folder}");
}

/// The grace period must cover the stop timeout of the systemd unit, and the wait of the `preStop` hook before it.
#[test]
fn nodes_have_enough_time_to_stop() {
    let stateful_set = object("StatefulSet", "toolgate");
    let seconds = |text: &str| text.parse::<u32>().unwrap();
    let unit = read("packaging/toolgate.service");
    let needed = seconds(unit.lines().find_map(|line| line.strip_prefix("TimeoutStopSec=")).unwrap());
    let wait = seconds(text(&stateful_set, &format!("{CONTAINER}/lifecycle/preStop/exec/command/1")));
    let grace = seconds(text(&stateful_set, "/spec/template/spec/terminationGracePeriodSeconds"));
    assert!(grace >= needed + wait, "{grace} < {needed} + {wait}");
    let compose = document("deploy/compose/compose.yaml");
    assert_eq!(text(&compose, "/services/node-a/stop_grace_period"), format!("{needed}s"));
}

#[test]
fn the_journal_outlives_its_pod() {
    let stateful_set = object("StatefulSet", "toolgate");
    let claim = &stateful_set["spec"]["volumeClaimTemplates"][0];
    assert_eq!(claim["metadata"]["name"], text(&stateful_set, &format!("{CONTAINER}/volumeMounts/0/name")));
    let size = text(claim, "/spec/resources/requests/storage").strip_suffix("Gi").unwrap().parse::<u32>().unwrap();
    let journal = environment_value(&stateful_set, "TOOLGATE_JOURNAL_MAX_MIB").unwrap().parse::<u32>().unwrap();
    assert!(size * 1024 > journal, "{size} GiB are less than the journal may use");
}
