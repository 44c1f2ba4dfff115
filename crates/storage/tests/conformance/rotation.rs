//! Keys that change while the storage is open.

use std::sync::Arc;

use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_storage::StorageError::Sealing;
use toolgate_storage::{OpenError, SealError, Storage as _, Tools as _};

use crate::bench::{Bench, Ring, key_id};
use crate::make::bearer;

async fn tools_with_secrets(bench: &Bench, count: usize) -> (ServerId, Vec<ToolId>) {
    let server = bench.server("S").await;
    let mut ids = Vec::new();
    for number in 0..count {
        ids.push(bench.tool_with(server.id, &format!("t{number}"), bearer(&format!("token-{number}"))).await.id);
    }
    (server.id, ids)
}

async fn assert_all_open(storage: &toolgate_storage::SqlStorage, ids: &[ToolId]) {
    for (number, id) in ids.iter().enumerate() {
        let secrets = storage.tool_secrets(*id).await.unwrap();
        assert!(secrets.expose().contains(&format!("token-{number}\"")), "{id}");
    }
}

async fn known_keys(bench: &Bench) -> Vec<String> {
    bench.raw.texts("SELECT key_id FROM encryption_keys ORDER BY created_at, key_id").await
}

async fn sealed_with(bench: &Bench, key: u8) -> i64 {
    bench.raw.int(&format!("SELECT COUNT(*) FROM secrets WHERE key_id = '{}'", key_id(key))).await
}

async fn reseal(bench: &Bench) -> u64 {
    bench.storage.reseal(bench.actor().at).await.unwrap()
}

on_both_databases! {
    async fn resealing_moves_every_secret_to_the_first_key_and_forgets_the_old_one(bench) {
        let (_, ids) = tools_with_secrets(bench, 5).await;
        bench.keys.becomes(&[2, 1]);
        assert_eq!(reseal(bench).await, 5);
        assert_eq!((sealed_with(bench, 1).await, sealed_with(bench, 2).await), (0, 5));
        assert_eq!(known_keys(bench).await, [key_id(2)]);
        assert_all_open(&bench.storage, &ids).await;
        assert_eq!(reseal(bench).await, 0, "nothing is left to do");
    }

    async fn more_secrets_than_one_batch_are_resealed(bench) {
        let (_, ids) = tools_with_secrets(bench, 1).await;
        for _ in 1..115 {
            bench.storage.duplicate_tool(&bench.actor(), bench.mine(), ids[0]).await.unwrap();
        }
        bench.keys.becomes(&[2, 1]);
        assert_eq!(reseal(bench).await, 115);
        assert_eq!(sealed_with(bench, 2).await, 115);
    }

    async fn after_resealing_the_old_key_is_not_needed(bench) {
        let (_, ids) = tools_with_secrets(bench, 3).await;
        bench.keys.becomes(&[2, 1]);
        reseal(bench).await;
        let opened = bench.open_again(&Arc::new(Ring::of(&[2]))).await.unwrap();
        assert_all_open(&opened, &ids).await;
        let with_old_key = bench.open_again(&Arc::new(Ring::of(&[1]))).await;
        assert_fails!(with_old_key, OpenError::WrongKey { key_id: id } if id == key_id(2));
    }

    async fn a_wrong_keyring_does_not_open_the_database_and_changes_nothing(bench) {
        tools_with_secrets(bench, 1).await;
        for keys in [&[9][..], &[9, 8]] {
            let opened = bench.open_again(&Arc::new(Ring::of(keys))).await;
            assert_fails!(opened, OpenError::WrongKey { key_id: id } if id == key_id(1));
        }
        assert_eq!(known_keys(bench).await, [key_id(1)]);
        bench.open_again(&Arc::new(Ring::of(&[9, 1]))).await.unwrap();
        assert_eq!(bench.raw.int("SELECT COUNT(*) FROM encryption_keys").await, 2);
    }

    async fn an_empty_keyring_does_not_open_the_database(bench) {
        assert_fails!(bench.open_again(&Arc::new(Ring::of(&[]))).await, OpenError::Keyring(_));
    }

    async fn an_open_storage_reads_what_another_process_resealed(bench) {
        let (server, ids) = tools_with_secrets(bench, 3).await;
        bench.keys.becomes(&[2, 1]);
        let other = bench.open_again(&bench.keys).await.unwrap();
        assert_eq!(other.reseal(bench.actor().at).await.unwrap(), 3);
        assert_all_open(&bench.storage, &ids).await;
        bench.tool_with(server, "new", bearer("new")).await;
        assert_eq!(sealed_with(bench, 2).await, 4);
    }

    async fn an_open_storage_seals_with_the_new_key_once_the_old_one_is_forgotten(bench) {
        let (server, _) = tools_with_secrets(bench, 3).await;
        bench.keys.becomes(&[2, 1]);
        let other = bench.open_again(&bench.keys).await.unwrap();
        other.reseal(bench.actor().at).await.unwrap();
        let tool = bench.tool_with(server, "new", bearer("new")).await;
        assert_eq!((sealed_with(bench, 1).await, sealed_with(bench, 2).await), (0, 4));
        assert!(bench.storage.tool_secrets(tool.id).await.unwrap().expose().contains("new"));
    }

    async fn what_an_old_storage_seals_meanwhile_is_caught_by_the_next_reseal(bench) {
        let (server, _) = tools_with_secrets(bench, 2).await;
        let new_ring = Arc::new(Ring::of(&[2, 1]));
        let other = bench.open_again(&new_ring).await.unwrap();
        bench.tool_with(server, "late", bearer("late")).await;
        assert_eq!(other.reseal(bench.actor().at).await.unwrap(), 3);
        assert_eq!(known_keys(bench).await, [key_id(2)]);
    }

    async fn an_interrupted_rotation_is_resumed(bench) {
        let (_, ids) = tools_with_secrets(bench, 4).await;
        // As if the process had died half-way: one secret is damaged for the time of the first run.
        let hurt = ids[2];
        let sealed = bench.raw.blobs(&format!("SELECT sealed FROM secrets WHERE object_id = {hurt}")).await.remove(0);
        let set = |hex: String| {
            let literal = if bench.raw.is_sqlite() { format!("x'{hex}'") } else { format!("decode('{hex}', 'hex')") };
            format!("UPDATE secrets SET sealed = {literal} WHERE object_id = {hurt}")
        };
        bench.raw.execute(&set("00".to_owned())).await;
        bench.keys.becomes(&[2, 1]);
        assert_fails!(bench.storage.reseal(bench.actor().at).await, Sealing(SealError::Damaged));
        assert_eq!((sealed_with(bench, 2).await, sealed_with(bench, 1).await), (2, 2));
        assert_eq!(known_keys(bench).await.len(), 2, "the old key is still needed");
        assert_fails!(bench.open_again(&Arc::new(Ring::of(&[2]))).await, OpenError::WrongKey { .. });
        bench.raw.execute(&set(sealed.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat())).await;
        let resumed = bench.open_again(&bench.keys).await.unwrap();
        assert_eq!(resumed.reseal(bench.actor().at).await.unwrap(), 2);
        assert_eq!(known_keys(bench).await, [key_id(2)]);
        assert_all_open(&bench.storage, &ids).await;
    }

    async fn a_rotation_cut_off_half_way_is_resumed(bench) {
        let (_, ids) = tools_with_secrets(bench, 40).await;
        bench.keys.becomes(&[2, 1]);
        let some_are_done = async {
            while sealed_with(bench, 2).await == 0 {
                tokio::task::yield_now().await;
            }
        };
        // Whichever ends first, the other is dropped where it stands.
        tokio::select! {
            _ = bench.storage.reseal(bench.actor().at) => {}
            () = some_are_done => {}
        }
        assert_all_open(&bench.storage, &ids).await;
        let left = u64::try_from(sealed_with(bench, 1).await).unwrap();
        assert_eq!(reseal(bench).await, left);
        assert_eq!((sealed_with(bench, 2).await, known_keys(bench).await), (40, vec![key_id(2)]));
        assert_all_open(&bench.storage, &ids).await;
    }

    async fn a_secret_of_a_key_that_is_gone_is_an_error(bench) {
        let (_, ids) = tools_with_secrets(bench, 1).await;
        let new_ring = Arc::new(Ring::of(&[2, 1]));
        bench.open_again(&new_ring).await.unwrap().reseal(bench.actor().at).await.unwrap();
        assert_fails!(bench.storage.tool_secrets(ids[0]).await, Sealing(SealError::UnknownKey(id)) if id == key_id(2));
        bench.keys.becomes(&[1, 2]);
        assert_all_open(&bench.storage, &ids).await;
    }

    async fn rotating_back_and_forth_loses_nothing(bench) {
        let (_, ids) = tools_with_secrets(bench, 2).await;
        for keys in [&[2, 1][..], &[3, 2], &[1, 3], &[2, 1]] {
            bench.keys.becomes(keys);
            assert_eq!(reseal(bench).await, 2);
            assert_eq!(known_keys(bench).await, [key_id(keys[0])]);
            assert_all_open(&bench.storage, &ids).await;
        }
    }

    async fn secrets_written_during_a_rotation_all_open_afterwards(bench) {
        let (server, ids) = tools_with_secrets(bench, 30).await;
        bench.keys.becomes(&[2, 1]);
        let rotating = async { reseal(bench).await };
        let writing = async {
            for (number, id) in ids.iter().take(20).enumerate() {
                bench.tool_with(server, &format!("w{number}"), bearer(&format!("written-{number}"))).await;
                let patch = bearer(&format!("token-{number}"));
                bench.storage.update_tool(&bench.actor(), bench.mine(), *id, patch).await.unwrap();
            }
        };
        tokio::join!(rotating, writing);
        reseal(bench).await;
        assert_eq!(sealed_with(bench, 2).await, 50);
        assert_all_open(&bench.storage, &ids).await;
    }
}
