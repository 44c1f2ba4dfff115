//! Makes sure that `console/dist`, which the binary embeds, exists. `make run` builds the console into it; with Cargo
//! alone the folder stays empty, and the binary has no console.

use std::io::{self, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console/dist");
    std::fs::create_dir_all(&dist)?;
    writeln!(io::stdout(), "cargo::rerun-if-changed={}", dist.display())
}
