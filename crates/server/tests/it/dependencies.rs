//! Checks licences, sources and bans of all compiled dependencies against deny.toml, the configuration of `cargo deny`.
//! Advisories are not checked here because that needs a network: run `cargo deny check advisories` regularly.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use serde::Deserialize;
use toml::{Table, Value};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// `None` for workspace crates.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<ResolveNode>,
}

#[derive(Deserialize)]
struct ResolveNode {
    id: String,
    dependencies: Vec<String>,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The packages that are compiled for this machine.
fn metadata() -> Metadata {
    let rustc = Command::new("rustc").arg("-vV").output().unwrap();
    let version_text = String::from_utf8(rustc.stdout).unwrap();
    let host = version_text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Metadata = serde_json::from_slice(&output.stdout).unwrap();
    let compiled: BTreeSet<&str> = metadata.resolve.nodes.iter().map(|node| node.id.as_str()).collect();
    metadata.packages.retain(|package| compiled.contains(package.id.as_str()));
    metadata
}

fn rules() -> Table {
    fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap()
}

/// The crates in a list of the section `bans`, with their versions if given.
fn listed_crates(rules: &Table, list: &str) -> Vec<(String, Option<String>)> {
    let entries = rules["bans"][list].as_array().unwrap();
    let parse_crate = |entry: &Value| {
        let (name, version) = entry["crate"].as_str().map(|name| name.split_once('@').unwrap_or((name, "")))?;
        Some((name.to_owned(), (!version.is_empty()).then(|| version.to_owned())))
    };
    entries.iter().map(|entry| parse_crate(entry).unwrap()).collect()
}

fn is_listed(package: &Package, list: &[(String, Option<String>)]) -> bool {
    let is_version = |listed: &str| package.version == listed || package.version.starts_with(&format!("{listed}."));
    list.iter().any(|(name, version)| *name == package.name && version.as_deref().is_none_or(is_version))
}

#[test]
fn every_licence_is_allowed() {
    let rules = rules();
    let allowed: Vec<&str> = rules["licenses"]["allow"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let is_allowed = |text: &str| {
        let licence = spdx::Expression::parse_mode(text, spdx::ParseMode::LAX).unwrap();
        licence.evaluate(|requirement| allowed.contains(&requirement.to_string().as_str()))
    };
    assert!(is_allowed("GPL-3.0-only OR MIT") && !is_allowed("MIT AND GPL-3.0-only") && !is_allowed("SSPL-1.0"));
    for package in metadata().packages {
        let licence = package.license.as_deref().unwrap_or("none");
        assert!(package.license.as_deref().is_some_and(is_allowed), "{} is under {licence}", package.name);
    }
}

#[test]
fn everything_comes_from_the_registry_and_nothing_is_banned() {
    let deny = listed_crates(&rules(), "deny");
    assert!(deny.len() >= 4, "deny.toml must ban other TLS stacks");
    let packages = metadata().packages;
    for package in &packages {
        assert!(!is_listed(package, &deny), "{} is banned", package.name);
        let from_registry = package.source.as_deref().is_none_or(|source| source.starts_with("registry+"));
        assert!(from_registry, "{} comes from {:?}", package.name, package.source);
    }
    let registries: BTreeSet<_> = packages.iter().filter_map(|package| package.source.as_deref()).collect();
    assert_eq!(registries.len(), 1, "all packages must come from one registry: {registries:?}");
}

#[test]
fn no_crate_is_compiled_in_two_versions_without_a_documented_reason() {
    let rules = rules();
    let (skip, skip_tree) = (listed_crates(&rules, "skip"), listed_crates(&rules, "skip-tree"));
    let Metadata { packages, resolve } = metadata();
    let dependencies: HashMap<&str, &[String]> =
        resolve.nodes.iter().map(|node| (node.id.as_str(), node.dependencies.as_slice())).collect();
    let mut accepted: BTreeSet<&str> =
        packages.iter().filter(|package| is_listed(package, &skip)).map(|package| package.id.as_str()).collect();
    let mut pending: Vec<&str> =
        packages.iter().filter(|package| is_listed(package, &skip_tree)).map(|package| package.id.as_str()).collect();
    while let Some(id) = pending.pop() {
        if accepted.insert(id) {
            pending.extend(dependencies[id].iter().map(String::as_str));
        }
    }
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages.iter().filter(|package| !accepted.contains(package.id.as_str())) {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert_eq!(versions, BTreeMap::new(), "crates are compiled in several versions");
}

#[test]
fn every_workspace_crate_forbids_unsafe_code() {
    let manifest: Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    assert_eq!(manifest["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let manifest: Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        assert_eq!(manifest["lints"]["workspace"].as_bool(), Some(true), "{}", path.display());
    }
}
