//! The disk of the data folder is full: writes fail, reads and calls continue, and the service recovers when space is
//! freed.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::recorded_calls::POLL_INTERVAL;
use toolgate_testkit::{RunningService, ServiceFixture};

use crate::recording::{start_callers, start_service};

const RECOVERY_TIMEOUT: Duration = Duration::from_secs(20);

/// Writes a program that runs the service with a small tmpfs as its data folder. The tmpfs is mounted in a private
/// mount namespace and disappears with the process.
fn write_small_disk_program(folder: &Path) -> PathBuf {
    let program = folder.join("toolgate-on-a-small-disk");
    let binary = env!("CARGO_BIN_EXE_toolgate");
    let inner = format!("mount -t tmpfs -o size=12m,mode=700 none \"$TOOLGATE_DATA_DIR\" && exec {binary} \"$@\"");
    fs::write(&program, format!("#!/bin/sh\nexec unshare --mount sh -c '{inner}' sh \"$@\"\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    program
}

fn can_mount() -> bool {
    let script = "unshare --mount sh -c 'mount -t tmpfs -o size=1m none /mnt'";
    let is_allowed = Command::new("sh").args(["-c", script]).output().is_ok_and(|output| output.status.success());
    if !is_allowed {
        let _ = writeln!(std::io::stderr(), "skipping a test of a full disk: mounting a tmpfs is not allowed");
    }
    is_allowed
}

/// Fills the disk to the last byte.
fn fill_disk(file: &Path) {
    let mut file = File::create(file).unwrap();
    let mut size = 1 << 20;
    while size > 0 {
        if file.write_all(&vec![7; size]).is_err() {
            size /= 2;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_only_writes_and_recovers_without_a_restart() {
    if !can_mount() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = write_small_disk_program(folder.path());
    let fixture = start_service(RunningService::builder(program)).await;
    let api = fixture.app.client();
    let callers = start_callers(&fixture, 2);
    callers.wait_for(20).await;
    // The mount is visible only in the namespace of the process.
    let root = PathBuf::from(format!("/proc/{}/root", fixture.app.pid()));
    let filler = root.join(fixture.app.data_dir().strip_prefix("/").unwrap()).join("filler");
    let mut created_servers = 0;
    for round in 0..3 {
        fill_disk(&filler);
        let refused = loop {
            // Some writes may still fit into partly used pages.
            fill_disk(&filler.with_extension("more"));
            let reply = api.post("/servers").json(json!({"name": format!("S{created_servers}")})).send().await;
            match reply.status {
                201 => created_servers += 1,
                _ => break reply.expect(507),
            }
        };
        assert_eq!(refused.json()["code"], "rest_storage_full");
        let succeeded_before = callers.succeeded();
        for attempt in 0..20 {
            let name = format!("full {round}-{attempt}");
            let reply = api.post("/servers").json(json!({"name": name})).send().await.expect(507);
            assert!(!reply.text().contains("sqlite"), "{}", reply.text());
            api.get("/servers").send().await.expect(200);
        }
        api.get("/analytics/overview").send().await.expect(200);
        callers.wait_for(succeeded_before + 50).await;

        fs::remove_file(&filler).unwrap();
        fs::remove_file(filler.with_extension("more")).unwrap();
        let name = format!("recovered {round}");
        let freed = Instant::now();
        while api.post("/servers").json(json!({"name": name})).send().await.status != 201 {
            assert!(freed.elapsed() < RECOVERY_TIMEOUT, "writes are still refused: {}", fixture.app.logs());
        }
        created_servers += 1;
    }
    let lost_before = lost_calls(&fixture).await;
    callers.wait_for(callers.succeeded() + 100).await;
    assert_eq!(lost_calls(&fixture).await, lost_before, "no call may be lost while there is space");
    let (_, succeeded) = callers.stop().await;
    let servers = api.get("/servers?per_page=1").send().await.expect(200);
    // The fixture created one more server.
    assert_eq!(
        servers.header("x-wp-total"),
        Some((created_servers + 1).to_string().as_str()),
        "refused writes must not be stored"
    );
    assert_all_accounted_for(&fixture, succeeded.len() as u64).await;
    assert_consistent(&fixture.app);
}

/// Checks the database inside the mount namespace of the process.
fn assert_consistent(app: &RunningService) {
    let pid = app.pid().to_string();
    let check = Command::new("nsenter")
        .args(["--target", &pid, "--mount", env!("CARGO_BIN_EXE_toolgate"), "check", "--data-dir"])
        .arg(app.data_dir())
        .output()
        .unwrap();
    let output = [check.stdout, check.stderr].concat();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&output));
}

/// Asserts that every call is counted or reported as lost; calls are lost while the journal has no space.
async fn assert_all_accounted_for(fixture: &ServiceFixture, succeeded: u64) {
    let started = Instant::now();
    loop {
        let (counted, lost) = (fixture.app.call_count().await, lost_calls(fixture).await);
        if counted + lost == succeeded {
            return eprintln!("{succeeded} calls: {counted} counted, {lost} lost because the disk was full");
        }
        assert!(started.elapsed() < RECOVERY_TIMEOUT, "only {counted} counted and {lost} lost calls of {succeeded}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn lost_calls(fixture: &ServiceFixture) -> u64 {
    let settings = fixture.app.client().get("/settings").send().await.expect(200).json();
    settings["recording"]["lost_calls"].as_u64().unwrap()
}
