//! Runs commands with the installed curl and bash. Requests can reach only the test upstream.

use std::io::Write;
use std::process::{Output, Stdio};
use std::sync::Once;
use std::time::Duration;

use tokio::process::Command;

use super::corpus::CurlCase;

/// Far above the usual time of a few milliseconds.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether curl and bash are installed. If not, reports that the test is skipped.
pub(super) async fn is_installed() -> bool {
    let status = Command::new("bash").args(["-c", "command -v curl"]).stdout(Stdio::null()).status().await;
    let is_installed = status.is_ok_and(|status| status.success());
    if !is_installed {
        report_skipped();
    }
    is_installed
}

/// Runs a command for the upstream.
pub(super) async fn run(case: &CurlCase, upstream: &str) -> Output {
    let text = case.bash_command(upstream);
    if let Some(host) = other_host(&text, upstream) {
        panic!("{case}: contains the host {host}, but only the upstream is allowed:\n{text}");
    }
    run_proxied(&text, &case.files, &[("no_proxy".to_owned(), "127.0.0.1".to_owned())], upstream).await
}

/// Runs a command in a temporary folder with these files, and in an environment of these variables only. The upstream
/// is also the proxy, so that requests to any other host end there.
pub(super) async fn run_proxied(
    text: &str,
    files: &[(String, String)],
    variables: &[(String, String)],
    upstream: &str,
) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let mut command = Command::new("bash");
    command.args(["-c", text]).current_dir(folder.path()).stdin(Stdio::null()).kill_on_drop(true).env_clear();
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command.env("HOME", folder.path()).env("LC_ALL", "C.UTF-8").env("PATH", std::env::var_os("PATH").unwrap());
    for variable in ["http_proxy", "https_proxy", "all_proxy"] {
        command.env(variable, format!("http://{upstream}"));
    }
    let output = tokio::time::timeout(COMMAND_TIMEOUT, command.output()).await;
    output.unwrap_or_else(|_| panic!("timed out:\n{text}")).unwrap()
}

/// The first host after a `://` that is not the upstream.
fn other_host(text: &str, upstream: &str) -> Option<String> {
    let authorities = text.split("://").skip(1).map(|rest| {
        let end = rest.find(|c: char| "/?#'\"`;,\\".contains(c) || c.is_whitespace()).unwrap_or(rest.len());
        let authority = rest.split_at(end).0;
        authority.rsplit_once('@').map_or(authority, |(_, host)| host)
    });
    // A host in separate quotes is not detected here; its request would end at the proxy.
    authorities.filter(|host| !host.is_empty()).find(|host| *host != upstream).map(str::to_owned)
}

fn report_skipped() {
    static NOTICE: Once = Once::new();
    let advice = "install the packages curl and bash";
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "curl or bash was not found, and with CI=true no test may be skipped: {advice}"
    );
    // Not eprintln!, because the test harness hides its output in a test that passes.
    NOTICE.call_once(|| {
        let _ =
            writeln!(std::io::stderr(), "tests with the real curl are skipped: curl or bash was not found; {advice}");
    });
}

#[test]
fn a_command_with_another_host_is_detected() {
    let upstream = "127.0.0.1:4000";
    for text in [
        "curl http://127.0.0.1:4000/a 'http://ann:x@127.0.0.1:4000?q' -e \"http://127.0.0.1:4000\"",
        "curl 127.0.0.1:4000/a",
        "curl 'http://'\"127.0.0.1:4000\"",
    ] {
        assert_eq!(other_host(text, upstream), None, "{text}");
    }
    for (text, host) in [
        ("curl http://127.0.0.1:4000/ https://example.test/x", "example.test"),
        ("curl http://127.0.0.1:40001", "127.0.0.1:40001"),
        ("curl http://127.0.0.1:4000@example.test", "example.test"),
        ("curl -x socks5://proxy.test:1 http://127.0.0.1:4000", "proxy.test:1"),
    ] {
        assert_eq!(other_host(text, upstream).as_deref(), Some(host), "{text}");
    }
}
