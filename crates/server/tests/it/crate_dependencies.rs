//! The dependency rules of the workspace: which crate may depend on which, checked in the manifests.
//!
//! Cargo only lets a crate use what its manifest declares; this test limits what a manifest may declare. To change a
//! rule, change a table here and ARCHITECTURE.md in the same commit.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, io};

use toml::{Table, Value};

/// Each crate with the workspace crates that it may use. `rest` and `mcp` must not use each other, and `execution` must
/// not use `storage`.
const CRATE_USES: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("import", &["domain"]),
    ("shaping", &["domain"]),
    ("storage", &["domain"]),
    ("auth", &["domain"]),
    ("execution", &["shaping", "auth", "domain"]),
    ("discovery", &["domain"]),
    ("analytics", &["storage", "domain"]),
    ("mcp", &["execution", "discovery", "analytics", "auth", "storage", "shaping", "domain"]),
    ("rest", &["execution", "discovery", "analytics", "auth", "storage", "import", "shaping", "domain"]),
    ("issuer", &["execution", "auth", "storage", "domain"]),
    (
        "server",
        &[
            "domain",
            "import",
            "shaping",
            "storage",
            "auth",
            "execution",
            "discovery",
            "analytics",
            "mcp",
            "rest",
            "issuer",
        ],
    ),
    // `testkit` tests the binary from outside, so it may only share the types of `domain`.
    ("testkit", &["domain"]),
];

/// Restricted libraries, with the only crates that may depend on them or their companions (`sqlx-core`).
const LIBRARY_USERS: &[(&str, &[&str])] = &[
    ("sqlx", &["storage"]),
    ("reqwest", &["execution"]),
    ("rustls", &["execution"]),
    ("redis", &["execution"]),
    ("axum", &["rest", "mcp", "auth", "issuer", "server"]),
    ("anyhow", &["server"]),
    ("clap", &["server"]),
    ("mimalloc", &["server"]),
    ("prometheus-client", &["server"]),
    ("opentelemetry", &["server"]),
    ("prost", &["server"]),
];

const DEPENDENCY_KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// One dependency in a manifest of the workspace.
struct DependencyEntry {
    user: String,
    package: String,
    kind: &'static str,
}

#[test]
fn every_crate_uses_only_allowed_dependencies() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let violations = violations(&root)?;
    assert!(
        violations.is_empty(),
        "forbidden dependencies (rules: CRATE_USES and LIBRARY_USERS in {}):\n  {}",
        file!(),
        violations.join("\n  ")
    );
    Ok(())
}

fn violations(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let entries = dependency_entries(root)?;
    let forbidden =
        entries.iter().flat_map(|entry| [check_crate_use(entry), check_library_use(entry)].into_iter().flatten());
    let without_rules = crate_names(root)?
        .into_iter()
        .filter(|crate_name| allowed_crates(crate_name).is_none())
        .map(|crate_name| format!("crates/{crate_name}: add a row for it to CRATE_USES"));
    Ok(without_rules.chain(forbidden).collect())
}

/// The violation of [`CRATE_USES`], if there is one.
fn check_crate_use(entry: &DependencyEntry) -> Option<String> {
    let target = crate_name(&entry.package)?;
    let (user, kind) = (&entry.user, entry.kind);
    if target == "testkit" {
        let is_allowed = kind == "dev-dependencies" && user != "testkit";
        return (!is_allowed)
            .then(|| format!("crates/{user}: uses testkit in [{kind}], but testkit may be a dev-dependency only"));
    }
    let allowed = allowed_crates(user)?;
    (!allowed.contains(&target)).then(|| {
        let rule = match allowed {
            [] => "no workspace crate".to_owned(),
            crate_names => format!("only {}", crate_names.join(", ")),
        };
        format!("crates/{user}: uses {target} in [{kind}], but {user} may use {rule}")
    })
}

/// The violation of [`LIBRARY_USERS`], if there is one.
fn check_library_use(entry: &DependencyEntry) -> Option<String> {
    let DependencyEntry { user, package, kind } = entry;
    let (library, users) = LIBRARY_USERS.iter().find(|(library, _)| is_package_of(package, library))?;
    (!users.contains(&user.as_str())).then(|| {
        let users = users.join(", ");
        format!("crates/{user}: uses {package} in [{kind}], but {library} may be used only by {users}")
    })
}

fn allowed_crates(crate_name: &str) -> Option<&'static [&'static str]> {
    let row = CRATE_USES.iter().find(|(name, _)| *name == crate_name)?;
    Some(row.1)
}

/// Whether the package is the library or one of its companions.
fn is_package_of(package: &str, library: &str) -> bool {
    let rest = package.strip_prefix(library);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
}

/// The folder of a workspace crate; `None` for other packages.
fn crate_name(package: &str) -> Option<&str> {
    match package {
        "toolgate" => Some("server"),
        other => other.strip_prefix("toolgate-"),
    }
}

fn crate_names(root: &Path) -> io::Result<Vec<String>> {
    let mut crate_names = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        if let (true, Some(name)) = (folder.join("Cargo.toml").is_file(), folder.file_name()) {
            crate_names.push(name.to_string_lossy().into_owned());
        }
    }
    crate_names.sort();
    Ok(crate_names)
}

fn dependency_entries(root: &Path) -> Result<Vec<DependencyEntry>, Box<dyn Error>> {
    let workspace = read_manifest(&root.join("Cargo.toml"))?;
    let inheritable = table(&workspace, "workspace").and_then(|section| table(section, "dependencies"));
    let mut entries = Vec::new();
    for crate_name in crate_names(root)? {
        let manifest = read_manifest(&root.join("crates").join(&crate_name).join("Cargo.toml"))?;
        for (kind, dependencies) in dependency_tables(&manifest) {
            entries.extend(dependencies.iter().map(|(key, value)| DependencyEntry {
                user: crate_name.clone(),
                package: package_name(key, value, inheritable),
                kind,
            }));
        }
    }
    Ok(entries)
}

/// All dependency tables, including those under `[target.…]`.
fn dependency_tables(manifest: &Table) -> Vec<(&'static str, &Table)> {
    let targets = table(manifest, "target").into_iter().flat_map(Table::values);
    std::iter::once(manifest)
        .chain(targets.filter_map(Value::as_table))
        .flat_map(|part| DEPENDENCY_KINDS.map(|kind| (kind, table(part, kind))))
        .filter_map(|(kind, dependencies)| Some((kind, dependencies?)))
        .collect()
}

/// The package name of a dependency. The key may be another name if the manifest or the workspace manifest renames it.
fn package_name(key: &str, value: &Value, inheritable: Option<&Table>) -> String {
    let renamed = |value: &Value| Some(value.get("package")?.as_str()?.to_owned());
    let inherited = || renamed(inheritable?.get(key)?);
    renamed(value).or_else(inherited).unwrap_or_else(|| key.to_owned())
}

fn table<'a>(parent: &'a Table, key: &str) -> Option<&'a Table> {
    parent.get(key)?.as_table()
}

fn read_manifest(path: &PathBuf) -> Result<Table, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed = text.parse();
    Ok(parsed.map_err(|error| format!("{}: {error}", path.display()))?)
}

/// Tests of the check, on manifests that break one rule each.
#[cfg(test)]
mod forbidden_dependencies {
    use super::*;

    const WORKSPACE: &str = r#"
        [workspace.dependencies]
        storage = { package = "toolgate-storage", path = "crates/storage" }
        rest = { package = "toolgate-rest", path = "crates/rest" }
        testkit = { package = "toolgate-testkit", path = "crates/testkit" }
        sql = { package = "sqlx", version = "1" }
    "#;

    fn violations_of(crate_name: &str, manifest: &str) -> Vec<String> {
        let workspace = tempfile::tempdir().unwrap();
        let folder = workspace.path().join("crates").join(crate_name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(workspace.path().join("Cargo.toml"), WORKSPACE).unwrap();
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        violations(workspace.path()).unwrap()
    }

    #[test]
    fn a_forbidden_crate_is_reported_under_any_name_and_kind() {
        let expected =
            "crates/execution: uses storage in [dependencies], but execution may use only shaping, auth, domain";
        for entry in [
            "[dependencies]\nstorage.workspace = true",
            "[dependencies]\nother = { package = \"toolgate-storage\", path = \"../storage\" }",
            "[target.'cfg(unix)'.dependencies]\ntoolgate-storage = { path = \"../storage\" }",
        ] {
            assert_eq!(violations_of("execution", entry), [expected]);
        }
        let dev_violations = violations_of("mcp", "[dev-dependencies]\nrest.workspace = true");
        assert!(dev_violations[0].starts_with("crates/mcp: uses rest in [dev-dependencies], but mcp may use only"));
    }

    #[test]
    fn a_library_in_a_forbidden_crate_is_reported() {
        for (crate_name, entry, expected) in [
            (
                "testkit",
                "sql.workspace = true",
                "crates/testkit: uses sqlx in [dependencies], but sqlx may be used only by storage",
            ),
            (
                "rest",
                "rustls-pki-types = \"1\"",
                "crates/rest: uses rustls-pki-types in [dependencies], but rustls may be used only by execution",
            ),
            (
                "domain",
                "anyhow = \"1\"",
                "crates/domain: uses anyhow in [dependencies], but anyhow may be used only by server",
            ),
        ] {
            assert_eq!(violations_of(crate_name, &format!("[dependencies]\n{entry}")), [expected]);
        }
    }

    #[test]
    fn testkit_is_for_tests_only() {
        let expected = "crates/storage: uses testkit in [dependencies], but testkit may be a dev-dependency only";
        let entry = "testkit.workspace = true";
        assert_eq!(violations_of("storage", &format!("[dependencies]\n{entry}")), [expected]);
        assert!(violations_of("storage", &format!("[dev-dependencies]\n{entry}")).is_empty());
    }

    #[test]
    fn testkit_never_uses_the_server() {
        let reported = violations_of("testkit", "[dependencies]\ntoolgate = { path = \"../server\" }");
        assert_eq!(reported, ["crates/testkit: uses server in [dependencies], but testkit may use only domain"]);
    }

    #[test]
    fn a_crate_without_rules_is_reported() {
        let reported = violations_of("unlisted", "");
        assert_eq!(reported, ["crates/unlisted: add a row for it to CRATE_USES"]);
    }
}
