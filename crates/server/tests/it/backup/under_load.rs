//! A backup taken during writes and calls restores completely, and does not block writers.

use std::time::Duration;

use toolgate_testkit::secrets::find_secret;

use super::{BackupFixture, TOKEN, assert_success, restore, schema_version};
use crate::durability::Writers;
use crate::recording::LoadGenerator;
use crate::toolgate;

const ROUNDS: usize = 3;
const WRITERS: usize = 4;
const CALLERS: usize = 4;
/// How long a write may take, even on a busy machine. A blocked SQLite write fails after five seconds.
const WRITE_TIMEOUT: Duration = Duration::from_millis(4_500);

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_taken_under_load_restores_completely() {
    let mut fixture = BackupFixture::open().await;
    let callers =
        LoadGenerator::start(CALLERS, Duration::ZERO, || fixture.service.caller_at(&fixture.service.app), "ok");
    let writers = Writers::start(&fixture.service.app, "Server", WRITERS);
    for round in 0..ROUNDS {
        writers.wait_for(writers.ledger().acknowledged + 60).await;
        let (ledger_before, stored_calls) = (writers.ledger(), fixture.service.app.call_count().await);
        let file = fixture.file(&format!("backup-{round}"));
        let (stdout, _) = fixture.back_up(&file);
        assert!(stdout.contains(&format!(" schema version {}, ", schema_version())), "{stdout}");
        writers.wait_for(writers.ledger().acknowledged + 20).await;
        let expected = ledger_before.with_attempts_of(&writers.ledger());

        let data_dir = fixture.new_data_dir(&format!("data_dir-{round}"));
        assert_success(&restore(&data_dir, &file, &[]));
        let restored = toolgate().data_dir(&data_dir).start();
        expected.verify(&restored.client()).await;
        let check = restored.command().arg("check").output().unwrap();
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
        let calls = restored.call_count().await;
        assert!(calls >= stored_calls, "only {calls} of {stored_calls} stored calls are restored");
        assert!(
            stdout.contains(&format!(" {calls} calls")),
            "{calls} calls are restored, but the backup reported: {stdout}"
        );
        fixture.assert_works_at(&restored).await;
        assert_eq!(find_secret(&std::fs::read(&file).unwrap(), TOKEN), None);
    }
    fixture.service.app.kill();
    let ledger = writers.join().await;
    callers.stop().await;
    assert!(ledger.slowest < WRITE_TIMEOUT, "a write took {:?}", ledger.slowest);
    eprintln!("{} acknowledged writes during {ROUNDS} backups, the slowest {:?}", ledger.acknowledged, ledger.slowest);
}
