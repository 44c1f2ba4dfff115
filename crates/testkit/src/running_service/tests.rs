//! Tests of `RunningService` with a shell script that prints the banner of `toolgate`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use super::{RunningService, TEST_KEY};

const SERVICE_SCRIPT: &str = r#"
echo "started with $TOOLGATE_API_KEY on $TOOLGATE_LISTEN" >&2
echo x >> "$TOOLGATE_DATA_DIR/starts"
if [ -z "$TOOLGATE_API_KEY" ]; then echo tg_made > "$TOOLGATE_DATA_DIR/admin-key"; fi
echo 'Toolgate 0.1.0'
echo '  console   http://127.0.0.1:4/'
echo '  api_base  http://127.0.0.1:4/wp-json/toolgate/v1'
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
fn service_builder(path: &PathBuf) -> super::ServiceBuilder {
    RunningService::builder("sh").arg(path)
}

#[test]
fn the_address_and_key_come_from_the_banner_and_the_builder() {
    let (_folder, path) = script(SERVICE_SCRIPT);
    let service = service_builder(&path).start();
    assert_eq!(service.api_base(), "http://127.0.0.1:4/wp-json/toolgate/v1");
    assert_eq!(service.address(), "127.0.0.1:4");
    assert_eq!(service.origin(), "http://127.0.0.1:4");
    assert_eq!(service.console_url().as_deref(), Some("http://127.0.0.1:4/"));
    assert_eq!(service.key(), TEST_KEY);
    let logged = format!("started with {TEST_KEY} on 127.0.0.1:0");
    service.wait_for_log(&logged, Duration::from_secs(10));
}

#[test]
fn a_key_created_by_the_process_is_read() {
    let (_folder, path) = script(SERVICE_SCRIPT);
    assert_eq!(service_builder(&path).without_api_key().start().key(), "tg_made");
}

#[test]
fn terminate_returns_the_exit_status() {
    let (_folder, path) = script(SERVICE_SCRIPT);
    let mut service = service_builder(&path).start();
    service.wait_for_log("started", Duration::from_secs(10));
    assert_eq!(service.terminate().signal(), Some(15));
}

#[test]
fn a_restart_uses_the_same_data_folder() {
    let (_folder, path) = script(SERVICE_SCRIPT);
    let mut service = service_builder(&path).start();
    let folder = service.data_dir().to_path_buf();
    service.kill();
    service.restart();
    assert_eq!(service.data_dir(), folder);
    assert_eq!(fs::read_to_string(folder.join("starts")).unwrap(), "x\nx\n");
    drop(service);
    assert!(!folder.exists(), "a temporary folder is removed with its service");
}

#[test]
fn a_failed_start_returns_its_output() {
    let (_folder, path) = script("echo half; echo 'wrong key' >&2; exit 3");
    let error = service_builder(&path).try_start().unwrap_err();
    assert_eq!(error.exit.and_then(|exit| exit.code()), Some(3));
    assert_eq!(error.stdout, "half\n");
    assert_eq!(error.stderr, "wrong key\n");
}

#[test]
fn a_start_that_hangs_is_killed() {
    let (_folder, path) = script("exec sleep 60");
    let timeout = Duration::from_millis(200);
    let error = service_builder(&path).start_timeout(timeout).try_start().unwrap_err();
    assert_eq!(error.exit, None);
    assert!(error.reason.contains("in time"), "{error}");
}
