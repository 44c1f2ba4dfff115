//! A backup that is taken while others write and call restores whole, and keeps nobody waiting.

use std::time::Duration;

use toolgate_testkit::secrets::find_secret;

use super::{Shop, TOKEN, restore, succeed, toolgate};
use crate::durability::Writers;
use crate::recording::{Callers, counted_at};

const ROUNDS: usize = 3;
const WRITERS: usize = 4;
const CALLERS: usize = 4;
/// Nobody waits longer for a write, also on a machine that does other things: SQLite gives up after five seconds.
const PATIENCE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_taken_under_load_restores_whole() {
    let mut shop = Shop::open().await;
    let callers = Callers::start(CALLERS, || shop.caller_of(&shop.app), &format!("Bearer {TOKEN}"));
    let writers = Writers::start(&shop.app, "Server", WRITERS);
    for round in 0..ROUNDS {
        writers.wait_for(writers.ledger().acknowledged + 60).await;
        let (before, stored) = (writers.ledger(), counted_at(&shop.app).await);
        let file = shop.file(&format!("backup-{round}"));
        let (said, _) = shop.back_up(&file);
        assert!(said.contains(" schema version 2, "), "{said}");
        writers.wait_for(writers.ledger().acknowledged + 20).await;
        let expected = before.with_attempts_of(&writers.ledger());

        let home = shop.empty_home(&format!("home-{round}"));
        succeed(&restore(&home, &file, &[]));
        let restored = toolgate().data_dir(&home).start();
        expected.verify(&restored.client()).await;
        let check = restored.command().arg("check").output().unwrap();
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
        let calls = counted_at(&restored).await;
        assert!(calls >= stored, "{calls} calls of at least {stored}");
        assert!(said.contains(&format!(" {calls} calls")), "{calls} calls, but: {said}");
        shop.assert_works_at(&restored).await;
        assert_eq!(find_secret(&std::fs::read(&file).unwrap(), TOKEN), None);
    }
    shop.app.kill();
    let ledger = writers.join().await;
    callers.stop().await;
    assert!(ledger.slowest < PATIENCE, "a writer had to wait for {:?}", ledger.slowest);
    eprintln!("{} acknowledged writes beside {ROUNDS} backups, the slowest {:?}", ledger.acknowledged, ledger.slowest);
}
