//! The health check of the container image.

use std::process::{Command, Stdio};

use super::repository_file;
use crate::toolgate;

/// The exit code of the health check for a service at this address; `args` may have the path to check.
pub(super) fn check_health(address: &str, args: &[&str]) -> Option<i32> {
    let mut command = Command::new(repository_file("packaging/container-health"));
    command.args(args).env("TOOLGATE_LISTEN", address);
    command.stdin(Stdio::null()).stderr(Stdio::null()).status().unwrap().code()
}

#[test]
fn the_health_check_of_the_container_succeeds_while_the_service_runs() {
    let mut app = toolgate().start();
    let address = app.address().to_owned();
    assert_eq!(check_health(&address, &[]), Some(0));
    assert_eq!(check_health(&address, &["/readyz"]), Some(0));
    assert_eq!(check_health(&address, &["/unknown"]), Some(1));
    app.terminate();
    assert_eq!(check_health(&address, &[]), Some(1));
}
