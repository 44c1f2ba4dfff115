//! Commands beside the service. Most work on its database, whether it runs or not; `import` needs none.

mod check;
mod import;
mod keys;
mod rotation;

pub(crate) use check::check;
pub(crate) use import::import;
pub(crate) use keys::key;
pub(crate) use rotation::rotate_keys;

use std::fmt::Display;
use std::io::Write;

/// What a script may read.
fn print(line: impl Display) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{line}")?)
}

/// What only a person wants to know.
fn remark(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
