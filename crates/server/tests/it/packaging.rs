//! Tests of the files for installation: the packages, the systemd unit, the container, the examples for proxies, and the
//! files for several nodes.

mod container;
mod deploy;
mod nginx;
mod packages;
pub(crate) mod proxied_service;
mod unit;

use std::path::PathBuf;

/// A file of the repository.
fn repository_file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
