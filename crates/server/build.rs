//! The console is embedded from `console/dist`, which `make run` builds. Cargo alone builds without it: an empty folder
//! is a console that is not there.

use std::io::{self, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console/dist");
    std::fs::create_dir_all(&dist)?;
    writeln!(io::stdout(), "cargo::rerun-if-changed={}", dist.display())
}
