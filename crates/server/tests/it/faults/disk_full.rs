//! The disk of the data folder is full: writes are refused, reads and calls go on, and room is all that it takes to recover.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::RunningService;

use crate::recording::RecordingFixture;

const SOON: Duration = Duration::from_secs(20);

/// A program that runs the service with a small disk of its own as its data folder. It is mounted for that process
/// alone, and goes with it.
fn on_a_small_disk(folder: &Path) -> PathBuf {
    let program = folder.join("toolgate-on-a-small-disk");
    let binary = env!("CARGO_BIN_EXE_toolgate");
    let inner = format!("mount -t tmpfs -o size=12m,mode=700 none \"$TOOLGATE_DATA_DIR\" && exec {binary} \"$@\"");
    fs::write(&program, format!("#!/bin/sh\nexec unshare --mount sh -c '{inner}' sh \"$@\"\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    program
}

fn may_mount() -> bool {
    let script = "unshare --mount sh -c 'mount -t tmpfs -o size=1m none /mnt'";
    let allowed = Command::new("sh").args(["-c", script]).output().is_ok_and(|output| output.status.success());
    if !allowed {
        let _ = writeln!(std::io::stderr(), "a test of a full disk is left out: mounting a small one is not allowed");
    }
    allowed
}

/// Takes all the room that is left, to the last byte.
fn fill(file: &Path) {
    let mut file = File::create(file).unwrap();
    let mut size = 1 << 20;
    while size > 0 {
        if file.write_all(&vec![7; size]).is_err() {
            size /= 2;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_and_nothing_else_and_recovers_by_itself() {
    if !may_mount() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = on_a_small_disk(folder.path());
    let stage = RecordingFixture::start(RunningService::builder(program)).await;
    let api = stage.app.client();
    let callers = stage.callers(2);
    callers.wait_for(20).await;
    // The process sees another disk than we do at this path.
    let root = PathBuf::from(format!("/proc/{}/root", stage.app.pid()));
    let ballast = root.join(stage.app.data_dir().strip_prefix("/").unwrap()).join("ballast");
    let mut made = 0;
    for round in 0..3 {
        fill(&ballast);
        let refused = loop {
            // What is left in half-used pages may do for some.
            fill(&ballast.with_extension("more"));
            let reply = api.post("/servers").json(json!({"name": format!("S{made}")})).send().await;
            match reply.status {
                201 => made += 1,
                _ => break reply.expect(507),
            }
        };
        assert_eq!(refused.json()["code"], "rest_storage_full");
        let began = callers.answered();
        for attempt in 0..20 {
            let name = format!("full {round}-{attempt}");
            let reply = api.post("/servers").json(json!({"name": name})).send().await.expect(507);
            assert!(!reply.text().contains("sqlite"), "{}", reply.text());
            api.get("/servers").send().await.expect(200);
        }
        api.get("/analytics/overview").send().await.expect(200);
        callers.wait_for(began + 50).await;

        fs::remove_file(&ballast).unwrap();
        fs::remove_file(ballast.with_extension("more")).unwrap();
        let name = format!("recovered {round}");
        let freed = Instant::now();
        while api.post("/servers").json(json!({"name": name})).send().await.status != 201 {
            assert!(freed.elapsed() < SOON, "writes are still refused: {}", stage.app.logs());
        }
        made += 1;
    }
    let lost = lost_calls(&stage).await;
    callers.wait_for(callers.answered() + 100).await;
    assert_eq!(lost_calls(&stage).await, lost, "with room there is no reason to lose a call");
    let (_, answered) = callers.stop().await;
    let servers = api.get("/servers?per_page=1").send().await.expect(200);
    assert_eq!(servers.header("x-wp-total"), Some((made + 1).to_string().as_str()), "what was refused is not there");
    assert_all_accounted_for(&stage, answered.len() as u64).await;
    assert_consistent(&stage.app);
}

/// The database is looked at where it is: on the disk of that process.
fn assert_consistent(app: &RunningService) {
    let pid = app.pid().to_string();
    let check = Command::new("nsenter")
        .args(["--target", &pid, "--mount", env!("CARGO_BIN_EXE_toolgate"), "check", "--data-dir"])
        .arg(app.data_dir())
        .output()
        .unwrap();
    let said = [check.stdout, check.stderr].concat();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&said));
}

/// Calls are counted, or counted as lost: those for which the journal found no room.
async fn assert_all_accounted_for(stage: &RecordingFixture, answered: u64) {
    let began = Instant::now();
    loop {
        let (counted, lost) = (stage.counted().await, lost_calls(stage).await);
        if counted + lost == answered {
            return eprintln!("{answered} calls: {counted} counted, {lost} lost for want of room, and counted as lost");
        }
        assert!(began.elapsed() < SOON, "{counted} counted and {lost} lost of {answered}");
        tokio::task::yield_now().await;
    }
}

async fn lost_calls(stage: &RecordingFixture) -> u64 {
    let settings = stage.app.client().get("/settings").send().await.expect(200).json();
    settings["recording"]["lost_calls"].as_u64().unwrap()
}
