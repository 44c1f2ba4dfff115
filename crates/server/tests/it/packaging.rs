//! Tests of the files for installation: the packages, the systemd unit and the examples for reverse proxies.

mod nginx;
mod packages;
mod proxied_service;
mod unit;

use std::path::PathBuf;

pub(crate) use proxied_service::ProxiedService;

/// A file of the repository.
fn repository_file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
