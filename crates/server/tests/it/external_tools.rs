//! Finds external programs that a script of `make test` installs. Tests that need a missing program are skipped with a
//! message, except under `CI=true`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Once;

/// The path of a program, from an environment variable whose value `script` prints. `None` if the variable is not set:
/// the test must return.
pub(crate) fn installed_path(variable: &str, script: &str) -> Option<PathBuf> {
    static WARNED: Once = Once::new();
    let path = std::env::var_os(variable).filter(|path| !path.is_empty());
    if path.is_none() {
        let advice = format!("run the tests with `make test`, or set it to the output of `{script}`");
        report_skipped(&WARNED, &format!("{variable} is not set"), &advice);
    }
    path.map(PathBuf::from)
}

/// Whether all these programs are in the search path. If not, reports that the test is skipped: the test must return.
pub(crate) fn are_installed(programs: &[&str]) -> bool {
    static WARNED: Once = Once::new();
    let missing: Vec<_> = programs.iter().copied().filter(|program| !is_installed(program)).collect();
    if !missing.is_empty() {
        report_skipped(&WARNED, &format!("missing programs: {missing:?}"), "install them, or run `make test` as root");
    }
    missing.is_empty()
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn report_skipped(warned: &'static Once, reason: &str, advice: &str) {
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{reason}, and no test may be skipped under CI=true: {advice}"
    );
    // Not eprintln!: the test harness would hide it in a test that passes.
    warned.call_once(|| {
        let _ = writeln!(std::io::stderr(), "tests are skipped: {reason}; {advice}");
    });
}
