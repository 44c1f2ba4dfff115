//! The systemd unit, checked by systemd.

use std::fs;
use std::process::Command;

use super::repository_file;
use crate::external_tools;

/// The highest exposure level that `systemd-analyze security` may report, in tenths.
const EXPOSURE_MAX: &str = "--threshold=11";

/// Runs `systemd-analyze` on the unit with the path of an existing program, and returns whether it succeeded, and its
/// messages.
fn analyze(args: &[&str]) -> (bool, String) {
    let unit = fs::read_to_string(repository_file("packaging/toolgate.service")).unwrap();
    assert!(unit.contains("ExecStart=/usr/bin/toolgate serve "), "{unit}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("toolgate.service");
    fs::write(&file, unit.replace("/usr/bin/toolgate", env!("CARGO_BIN_EXE_toolgate"))).unwrap();
    let output = Command::new("systemd-analyze").args(args).arg("--no-pager").arg(&file).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn systemd_accepts_the_unit_without_warnings() {
    if !external_tools::are_installed(&["systemd-analyze"]) {
        return;
    }
    let (succeeded, messages) = analyze(&["verify"]);
    // Unknown settings are warnings.
    assert!(succeeded && messages.is_empty(), "{messages}");
}

#[test]
fn the_unit_is_hardened() {
    if !external_tools::are_installed(&["systemd-analyze"]) {
        return;
    }
    let (succeeded, messages) = analyze(&["security", "--offline=true", EXPOSURE_MAX]);
    assert!(succeeded, "the exposure is above {EXPOSURE_MAX}: {messages}");
}

/// The journal does not get the first key: `a_terminal_shows_the_first_key_once` tests that only a terminal shows it.
#[test]
fn the_banner_is_in_the_journal() {
    let unit = fs::read_to_string(repository_file("packaging/toolgate.service")).unwrap();
    assert!(unit.contains("\nStandardOutput=journal\n") && unit.contains("\nStandardError=journal\n"), "{unit}");
}
