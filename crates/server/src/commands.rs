//! Commands other than `serve`. All but `import` use the database of the service. All but `restore` can run while
//! the service runs.

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
pub(crate) use keys::manage_keys;
pub(crate) use restore::restore;
pub(crate) use rotation::rotate_keys;

use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Prints a line for scripts to stdout.
fn print(line: impl Display) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{line}")?)
}

/// Prints a line for people to stderr.
fn note(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// A number with its noun, such as `1 server` or `2 servers`.
fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The path with `suffix` appended to its file name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether two paths refer to the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino())).ok();
    identity(one).is_some_and(|id| identity(other) == Some(id))
}
