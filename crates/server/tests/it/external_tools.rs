//! Finds external programs that a script installs. Tests that need a missing one are skipped with a message, except
//! under `CI=true`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Once;

/// The path of a program, from an environment variable whose value `script` prints. `None` if the variable is not set:
/// the test must return.
pub(crate) fn installed_path(variable: &str, script: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).filter(|path| !path.is_empty());
    if path.is_none() {
        report_skipped(variable, script);
    }
    path.map(PathBuf::from)
}

fn report_skipped(variable: &str, script: &str) {
    static WARNED: Once = Once::new();
    let advice = format!("run the tests with `make test`, or set it to what `{script}` prints");
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{variable} is not set, and no test may be skipped under CI=true: {advice}"
    );
    // Not eprintln!: the test harness would hide it in a test that passes.
    WARNED.call_once(|| {
        let _ = writeln!(std::io::stderr(), "tests are skipped: {variable} is not set; {advice}");
    });
}
