//! The archive and the Debian package that `scripts/package` makes, with a small program in place of the service.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{STAND_IN, repository_file};
use crate::external_tools;

/// Packs the stand-in into a temporary folder. `None` if a program is missing: the test must return.
fn pack() -> Option<TempDir> {
    if !external_tools::are_installed(&["dpkg-deb", "readelf", "rustc", "tar", "sha256sum"]) {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = repository_file("scripts/package");
    stdout(Command::new(script).arg(STAND_IN).arg(folder.path()).env("SOURCE_DATE_EPOCH", "1700000000"));
    Some(folder)
}

/// The output of a command, which must succeed.
#[track_caller]
fn stdout(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The file of the folder whose name ends with `ending`.
fn package(folder: &Path, ending: &str) -> PathBuf {
    let mut files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.to_string_lossy().ends_with(ending)).unwrap()
}

/// Mode and owner of each file, by its name below `prefix`, from a listing of tar or dpkg-deb.
fn listed_files<'a>(listing: &'a str, prefix: &str) -> BTreeMap<&'a str, (&'a str, &'a str)> {
    let columns = listing.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let file = |columns: Vec<&'a str>| match columns[..] {
        [mode, owner, _, _, _, name] => (name.strip_prefix(prefix).unwrap(), (mode, owner)),
        _ => panic!("{columns:?}"),
    };
    columns.map(file).collect()
}

#[test]
fn the_archive_contains_the_program_and_the_files_for_its_installation() {
    let Some(folder) = pack() else { return };
    let archive = package(folder.path(), ".tar.gz");
    let name = archive.file_name().unwrap().to_str().unwrap().strip_suffix(".tar.gz").unwrap();
    assert!(name.starts_with(concat!("toolgate-", env!("CARGO_PKG_VERSION"), "-")), "{name}");
    let listing = stdout(Command::new("tar").arg("-tvzf").arg(&archive));
    let files = listed_files(&listing, name);
    assert_eq!(files["/toolgate"], ("-rwxr-xr-x", "0/0"));
    for file in [
        "/LICENSE",
        "/README.md",
        "/docs/install.md",
        "/docs/configuration.md",
        "/packaging/toolgate.service",
        "/packaging/toolgate.toml",
        "/packaging/nginx.conf",
        "/packaging/Caddyfile",
        "/deploy/compose/compose.yaml",
        "/deploy/prometheus/alerts.yaml",
    ] {
        assert_eq!(files.get(file), Some(&("-rw-r--r--", "0/0")), "{file}");
    }
    assert_eq!(files["/deploy/compose/create-secrets"], ("-rwxr-xr-x", "0/0"));
}

#[test]
fn the_checksums_match() {
    let Some(folder) = pack() else { return };
    for ending in [".tar.gz.sha256", ".deb.sha256"] {
        let file = package(folder.path(), ending);
        let checked = stdout(Command::new("sha256sum").arg("--check").arg(&file).current_dir(folder.path()));
        assert!(checked.ends_with(": OK\n"), "{checked}");
    }
}

#[test]
fn packing_twice_gives_the_same_bytes() {
    let (Some(first), Some(second)) = (pack(), pack()) else { return };
    for ending in [".tar.gz", ".deb"] {
        let read = |folder: &TempDir| fs::read(package(folder.path(), ending)).unwrap();
        assert!(read(&first) == read(&second), "{ending}");
    }
}

#[test]
fn the_debian_package_has_its_fields_and_files() {
    let Some(folder) = pack() else { return };
    let deb = package(folder.path(), ".deb");
    let field = |name: &str| stdout(Command::new("dpkg-deb").arg("--field").arg(&deb).arg(name)).trim().to_owned();
    assert_eq!(field("Package"), "toolgate");
    assert_eq!(field("Version"), env!("CARGO_PKG_VERSION"));
    let depends = field("Depends");
    assert!(depends.starts_with("libc6 (>= 2.") && depends.ends_with(", adduser"), "{depends}");

    let listing = stdout(Command::new("dpkg-deb").arg("--contents").arg(&deb));
    let files = listed_files(&listing, ".");
    assert!(files.values().all(|(_, owner)| *owner == "root/root"), "{listing}");
    for (file, mode) in [
        ("/usr/bin/toolgate", "-rwxr-xr-x"),
        ("/usr/lib/systemd/system/toolgate.service", "-rw-r--r--"),
        ("/etc/toolgate/toolgate.toml", "-rw-r-----"),
        ("/usr/share/doc/toolgate/copyright", "-rw-r--r--"),
        ("/usr/share/doc/toolgate/install.md", "-rw-r--r--"),
        ("/usr/share/doc/toolgate/examples/nginx.conf", "-rw-r--r--"),
    ] {
        assert_eq!(files.get(file).map(|(mode, _)| *mode), Some(mode), "{file}: {listing}");
    }
}

#[test]
fn the_debian_package_has_executable_scripts_and_keeps_changed_settings() {
    let Some(folder) = pack() else { return };
    let control = folder.path().join("control");
    let deb = package(folder.path(), ".deb");
    stdout(Command::new("dpkg-deb").arg("--control").arg(&deb).arg(&control));
    assert_eq!(fs::read_to_string(control.join("conffiles")).unwrap(), "/etc/toolgate/toolgate.toml\n");
    for script in ["postinst", "prerm", "postrm"] {
        let file = control.join(script);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o755, "{script}");
        stdout(Command::new("sh").arg("-n").arg(&file));
    }
}

#[test]
fn the_packaged_settings_are_valid() {
    let settings = repository_file("packaging/toolgate.toml");
    let folder = tempfile::tempdir().unwrap();
    // Settings in comments are checked, too. The command below uses neither the data folder nor a database.
    let text = fs::read_to_string(settings).unwrap();
    let uncommented: Vec<_> = text.lines().map(uncomment).collect();
    let file = folder.path().join("toolgate.toml");
    fs::write(&file, uncommented.join("\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolgate"));
    let input = folder.path().join("command");
    fs::write(&input, "curl https://example.com/").unwrap();
    command.env_clear().args(["import", "curl", "--config"]).arg(&file).stdin(fs::File::open(input).unwrap());
    stdout(&mut command);
}

/// Turns `#name = value` into a setting; other comments stay.
fn uncomment(line: &str) -> &str {
    let setting = line.strip_prefix('#').filter(|rest| rest.starts_with(|first: char| first.is_ascii_lowercase()));
    setting.unwrap_or(line)
}
