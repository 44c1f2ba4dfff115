//! Tests of the files for installation: the packages, the systemd unit, the container, the examples for proxies, and
//! the files for several nodes.

mod container;
mod deploy;
mod layout;
mod nginx;
mod packages;
pub(crate) mod proxied_service;
mod unit;

use std::path::PathBuf;

/// The program that is packed in place of the service.
const STAND_IN: &str = "/bin/true";

/// A file of the repository.
fn repository_file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
