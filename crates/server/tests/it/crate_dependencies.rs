//! The walls of the house: which crate may use which, read from the manifests.
//!
//! Cargo keeps a crate from using what it does not name; this keeps it from naming what it should not.
//! Whoever has a reason to move a wall changes a table here and ARCHITECTURE.md, in the same change.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, io};

use toml::{Table, Value};

/// Each crate with all that it may use of our own. "rest and mcp do not know each other" and
/// "execution knows no storage" are the gaps in this table.
const CRATE_USES: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("import", &["domain"]),
    ("storage", &["domain"]),
    ("auth", &["domain"]),
    ("execution", &["domain"]),
    ("analytics", &["storage", "domain"]),
    ("mcp", &["execution", "analytics", "auth", "storage", "domain"]),
    ("rest", &["execution", "analytics", "auth", "storage", "import", "domain"]),
    ("server", &["domain", "import", "storage", "auth", "execution", "analytics", "mcp", "rest"]),
    // It tests the binary from outside: of ours it may share the vocabulary, nothing else.
    ("testkit", &["domain"]),
];

/// Each library that has a home, with the only crates that may name it or its companions (`sqlx-core`).
const LIBRARY_USERS: &[(&str, &[&str])] = &[
    ("sqlx", &["storage"]),
    ("reqwest", &["execution"]),
    ("rustls", &["execution"]),
    ("redis", &["execution"]),
    ("axum", &["rest", "mcp", "auth", "server"]),
    ("anyhow", &["server"]),
    ("clap", &["server"]),
    ("mimalloc", &["server"]),
];

const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// One line of a manifest: a crate of ours names a package.
struct DependencyEntry {
    user: String,
    package: String,
    kind: &'static str,
}

#[test]
fn every_crate_names_only_what_it_may() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let violations = violations(&root)?;
    assert!(
        violations.is_empty(),
        "walls are broken (rules: MAY_USE and NAMED_ONLY_BY in {}):\n  {}",
        file!(),
        violations.join("\n  ")
    );
    Ok(())
}

fn violations(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let entries = entries(root)?;
    let broken =
        entries.iter().flat_map(|entry| [check_crate_use(entry), check_library_use(entry)].into_iter().flatten());
    let unknown = crate_names(root)?
        .into_iter()
        .filter(|crate_name| allowed(crate_name).is_none())
        .map(|crate_name| format!("crates/{crate_name}: has no row in MAY_USE that says what it may use"));
    Ok(unknown.chain(broken).collect())
}

fn check_crate_use(entry: &DependencyEntry) -> Option<String> {
    let target = crate_name(&entry.package)?;
    let (user, kind) = (&entry.user, entry.kind);
    if target == "testkit" {
        let is_fine = kind == "dev-dependencies" && user != "testkit";
        return (!is_fine)
            .then(|| format!("crates/{user}: names testkit in [{kind}], but testkit may be a dev-dependency only"));
    }
    let allowed = allowed(user)?;
    (!allowed.contains(&target)).then(|| {
        let rule = match allowed {
            [] => "nothing of ours".to_owned(),
            crate_names => format!("only {}", crate_names.join(", ")),
        };
        format!("crates/{user}: names {target} in [{kind}], but {user} may use {rule}")
    })
}

fn check_library_use(entry: &DependencyEntry) -> Option<String> {
    let DependencyEntry { user, package, kind } = entry;
    let (library, users) = LIBRARY_USERS.iter().find(|(library, _)| is_package_of(package, library))?;
    (!users.contains(&user.as_str())).then(|| {
        let users = users.join(", ");
        format!("crates/{user}: names {package} in [{kind}], but {library} may be named only by {users}")
    })
}

fn allowed(crate_name: &str) -> Option<&'static [&'static str]> {
    let row = CRATE_USES.iter().find(|(name, _)| *name == crate_name)?;
    Some(row.1)
}

fn is_package_of(package: &str, library: &str) -> bool {
    let rest = package.strip_prefix(library);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
}

/// The crate's folder, if the package is ours.
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

fn entries(root: &Path) -> Result<Vec<DependencyEntry>, Box<dyn Error>> {
    let workspace = read_manifest(&root.join("Cargo.toml"))?;
    let shared = table(&workspace, "workspace").and_then(|table_| table(table_, "dependencies"));
    let mut entries = Vec::new();
    for crate_name in crate_names(root)? {
        let manifest = read_manifest(&root.join("crates").join(&crate_name).join("Cargo.toml"))?;
        for (kind, dependencies) in dependency_tables(&manifest) {
            entries.extend(dependencies.iter().map(|(key, value)| DependencyEntry {
                user: crate_name.clone(),
                package: package_name(key, value, shared),
                kind,
            }));
        }
    }
    Ok(entries)
}

/// All tables of dependencies, those under `[target.…]` included.
fn dependency_tables(manifest: &Table) -> Vec<(&'static str, &Table)> {
    let targets = table(manifest, "target").into_iter().flat_map(Table::values);
    std::iter::once(manifest)
        .chain(targets.filter_map(Value::as_table))
        .flat_map(|part| KINDS.map(|kind| (kind, table(part, kind))))
        .filter_map(|(kind, found)| Some((kind, found?)))
        .collect()
}

/// The package behind a key: `domain.workspace = true` is `toolgate-domain`, whatever the key says.
fn package_name(key: &str, value: &Value, shared: Option<&Table>) -> String {
    let renamed = |value: &Value| Some(value.get("package")?.as_str()?.to_owned());
    let inherited = || renamed(shared?.get(key)?);
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

/// The guard itself, on manifests that break one rule each.
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
    fn a_forbidden_room_is_reported_under_any_name_and_kind() {
        let expected = "crates/execution: names storage in [dependencies], but execution may use only domain";
        for entry in [
            "[dependencies]\nstorage.workspace = true",
            "[dependencies]\nother = { package = \"toolgate-storage\", path = \"../storage\" }",
            "[target.'cfg(unix)'.dependencies]\ntoolgate-storage = { path = \"../storage\" }",
        ] {
            assert_eq!(violations_of("execution", entry), [expected]);
        }
        let dev = violations_of("mcp", "[dev-dependencies]\nrest.workspace = true");
        assert!(dev[0].starts_with("crates/mcp: names rest in [dev-dependencies], but mcp may use only"));
    }

    #[test]
    fn a_library_outside_its_home_is_reported() {
        for (crate_name, entry, expected) in [
            (
                "testkit",
                "sql.workspace = true",
                "crates/testkit: names sqlx in [dependencies], but sqlx may be named only by storage",
            ),
            (
                "rest",
                "rustls-pki-types = \"1\"",
                "crates/rest: names rustls-pki-types in [dependencies], but rustls may be named only by execution",
            ),
            (
                "domain",
                "anyhow = \"1\"",
                "crates/domain: names anyhow in [dependencies], but anyhow may be named only by server",
            ),
        ] {
            assert_eq!(violations_of(crate_name, &format!("[dependencies]\n{entry}")), [expected]);
        }
    }

    #[test]
    fn testkit_is_for_tests_only() {
        let expected = "crates/storage: names testkit in [dependencies], but testkit may be a dev-dependency only";
        let entry = "testkit.workspace = true";
        assert_eq!(violations_of("storage", &format!("[dependencies]\n{entry}")), [expected]);
        assert!(violations_of("storage", &format!("[dev-dependencies]\n{entry}")).is_empty());
    }

    #[test]
    fn testkit_never_uses_the_server() {
        let found = violations_of("testkit", "[dependencies]\ntoolgate = { path = \"../server\" }");
        assert_eq!(found, ["crates/testkit: names server in [dependencies], but testkit may use only domain"]);
    }

    #[test]
    fn a_crate_without_rules_is_reported() {
        let found = violations_of("attic", "");
        assert_eq!(found, ["crates/attic: has no row in MAY_USE that says what it may use"]);
    }
}
