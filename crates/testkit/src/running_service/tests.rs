//! Tests of `RunningService` with a shell script that prints the banner of `toolgate`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use super::{RunningService, TEST_KEY};

const SERVES: &str = r#"
echo "started with $TOOLGATE_API_KEY on $TOOLGATE_LISTEN" >&2
echo x >> "$TOOLGATE_DATA_DIR/starts"
echo 'Toolgate 0.1.0'
echo '  console   http://127.0.0.1:4/'
echo '  api_base  http://127.0.0.1:4/wp-json/toolgate/v1'
if [ -z "$TOOLGATE_API_KEY" ]; then echo '  key       tg_made'; fi
exec sleep 60
"#;

/// Each test has its own script file, so that no test writes a file that another one runs.
fn script(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toolgate");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    (folder, path)
}

/// `sh` runs the script: executing a file just written can fail (ETXTBSY) while another test forks.
fn app(path: &PathBuf) -> super::ServiceBuilder {
    RunningService::builder("sh").arg(path)
}

#[test]
fn the_address_and_key_come_from_the_banner_and_the_builder() {
    let (_folder, path) = script(SERVES);
    let app = app(&path).start();
    assert_eq!(app.api_base(), "http://127.0.0.1:4/wp-json/toolgate/v1");
    assert_eq!(app.address(), "127.0.0.1:4");
    assert_eq!(app.origin(), "http://127.0.0.1:4");
    assert_eq!(app.console_url().as_deref(), Some("http://127.0.0.1:4/"));
    assert_eq!(app.key(), TEST_KEY);
    let logged = format!("started with {TEST_KEY} on 127.0.0.1:0");
    app.wait_for_log(&logged, Duration::from_secs(10));
}

#[test]
fn a_key_created_by_the_process_is_read() {
    let (_folder, path) = script(SERVES);
    assert_eq!(app(&path).without_api_key().start().key(), "tg_made");
}

#[test]
fn terminate_returns_the_exit_status() {
    let (_folder, path) = script(SERVES);
    let mut app = app(&path).start();
    app.wait_for_log("started", Duration::from_secs(10));
    assert_eq!(app.terminate().signal(), Some(15));
}

#[test]
fn a_restart_keeps_the_data_folder() {
    let (_folder, path) = script(SERVES);
    let mut app = app(&path).start();
    let folder = app.data_dir().to_path_buf();
    app.kill();
    app.restart();
    assert_eq!(app.data_dir(), folder);
    assert_eq!(fs::read_to_string(folder.join("starts")).unwrap(), "x\nx\n");
    drop(app);
    assert!(!folder.exists(), "a temporary folder is removed with its service");
}

#[test]
fn a_failed_start_returns_its_output() {
    let (_folder, path) = script("echo half; echo 'wrong key' >&2; exit 3");
    let error = app(&path).try_start().unwrap_err();
    assert_eq!(error.exit.and_then(|exit| exit.code()), Some(3));
    assert_eq!(error.stdout, "half\n");
    assert_eq!(error.stderr, "wrong key\n");
}

#[test]
fn a_start_that_hangs_is_killed() {
    let (_folder, path) = script("exec sleep 60");
    let timeout = Duration::from_millis(200);
    let error = app(&path).start_timeout(timeout).try_start().unwrap_err();
    assert_eq!(error.exit, None);
    assert!(error.reason.contains("in time"), "{error}");
}
