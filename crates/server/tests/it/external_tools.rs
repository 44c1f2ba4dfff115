//! Programs of other projects that a script installs: where they are, or a word that the tests with them are left
//! out. Under `CI=true` none may be.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Once;

/// The folder that `variable` names, as `script` printed it; `None` where nothing is installed: the test is to
/// return at once.
pub(crate) fn folder(variable: &str, script: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).filter(|folder| !folder.is_empty());
    if folder.is_none() {
        skip(variable, script);
    }
    folder.map(PathBuf::from)
}

fn skip(variable: &str, script: &str) {
    static WARNED: Once = Once::new();
    let advice = format!("run the tests with `make test`, or set it to what `{script}` prints");
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{variable} is not set, and under CI=true no test may be left out: {advice}"
    );
    // Not eprintln!: the test harness would hide it in a test that passes.
    WARNED.call_once(|| {
        let _ = writeln!(std::io::stderr(), "tests are left out: {variable} is not set; {advice}");
    });
}
