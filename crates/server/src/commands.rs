//! Commands beside the service. Most work on its database, whether it runs or not; `import` needs none.

mod backup;
mod check;
mod import;
mod keys;
mod postgres;
mod restore;
mod rotation;

pub(crate) use backup::backup;
pub(crate) use check::check;
pub(crate) use import::import;
pub(crate) use keys::key;
pub(crate) use restore::restore;
pub(crate) use rotation::rotate_keys;

use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What a script may read.
fn print(line: impl Display) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{line}")?)
}

/// What only a person wants to know.
fn note(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// A path with something added to its last name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether two paths lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(one).is_some_and(|found| identity(other) == Some(found))
}
