//! Rotation of encryption keys while the storage is open.

use std::sync::Arc;

use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_storage::StorageError::Sealing;
use toolgate_storage::{SealError, Storage as _, StorageOpenError, ToolStore as _};

use crate::builders::bearer;
use crate::fixture::{StorageFixture, TestKeys, key_id};

async fn create_tools_with_secrets(fixture: &StorageFixture, count: usize) -> (ServerId, Vec<ToolId>) {
    let server = fixture.server("S").await;
    let mut ids = Vec::new();
    for number in 0..count {
        ids.push(fixture.tool_with(server.id, &format!("t{number}"), bearer(&format!("token-{number}"))).await.id);
    }
    (server.id, ids)
}

async fn assert_all_open(storage: &toolgate_storage::SqlStorage, ids: &[ToolId]) {
    for (number, id) in ids.iter().enumerate() {
        let secrets = storage.tool_secrets(*id).await.unwrap();
        assert!(secrets.expose().contains(&format!("token-{number}\"")), "{id}");
    }
}

async fn stored_key_ids(fixture: &StorageFixture) -> Vec<String> {
    fixture.raw.texts("SELECT key_id FROM encryption_keys ORDER BY created_at, key_id").await
}

async fn count_sealed_with(fixture: &StorageFixture, key: u8) -> i64 {
    fixture.raw.int(&format!("SELECT COUNT(*) FROM secrets WHERE key_id = '{}'", key_id(key))).await
}

async fn reseal(fixture: &StorageFixture) -> u64 {
    fixture.storage.reseal(fixture.next_actor().at).await.unwrap()
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn resealing_moves_every_secret_to_the_first_key_and_removes_the_old_one(fixture) {
        let (_, ids) = create_tools_with_secrets(fixture, 5).await;
        fixture.keys.replace(&[2, 1]);
        assert_eq!(reseal(fixture).await, 5);
        assert_eq!((count_sealed_with(fixture, 1).await, count_sealed_with(fixture, 2).await), (0, 5));
        assert_eq!(stored_key_ids(fixture).await, [key_id(2)]);
        assert_all_open(&fixture.storage, &ids).await;
        assert_eq!(reseal(fixture).await, 0, "nothing is left to do");
    }

    async fn more_secrets_than_one_batch_are_resealed(fixture) {
        let (_, ids) = create_tools_with_secrets(fixture, 1).await;
        // One batch has at most 100 secrets.
        for _ in 1..115 {
            fixture.storage.duplicate_tool(&fixture.next_actor(), fixture.as_alice(), ids[0]).await.unwrap();
        }
        fixture.keys.replace(&[2, 1]);
        assert_eq!(reseal(fixture).await, 115);
        assert_eq!(count_sealed_with(fixture, 2).await, 115);
    }

    async fn after_resealing_the_old_key_is_not_needed(fixture) {
        let (_, ids) = create_tools_with_secrets(fixture, 3).await;
        fixture.keys.replace(&[2, 1]);
        reseal(fixture).await;
        let opened = fixture.open_again(&Arc::new(TestKeys::new(&[2]))).await.unwrap();
        assert_all_open(&opened, &ids).await;
        let with_old_key = fixture.open_again(&Arc::new(TestKeys::new(&[1]))).await;
        assert_fails!(with_old_key, StorageOpenError::WrongKey { key_id: id } if id == key_id(2));
    }

    async fn a_wrong_keyring_does_not_open_the_database_and_changes_nothing(fixture) {
        create_tools_with_secrets(fixture, 1).await;
        for keys in [&[9][..], &[9, 8]] {
            let opened = fixture.open_again(&Arc::new(TestKeys::new(keys))).await;
            assert_fails!(opened, StorageOpenError::WrongKey { key_id: id } if id == key_id(1));
        }
        assert_eq!(stored_key_ids(fixture).await, [key_id(1)]);
        fixture.open_again(&Arc::new(TestKeys::new(&[9, 1]))).await.unwrap();
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM encryption_keys").await, 2);
    }

    async fn an_empty_keyring_does_not_open_the_database(fixture) {
        assert_fails!(fixture.open_again(&Arc::new(TestKeys::new(&[]))).await, StorageOpenError::Keyring(_));
    }

    async fn an_open_storage_reads_secrets_that_another_process_resealed(fixture) {
        let (server, ids) = create_tools_with_secrets(fixture, 3).await;
        fixture.keys.replace(&[2, 1]);
        let other = fixture.open_again(&fixture.keys).await.unwrap();
        assert_eq!(other.reseal(fixture.next_actor().at).await.unwrap(), 3);
        assert_all_open(&fixture.storage, &ids).await;
        fixture.tool_with(server, "new", bearer("new")).await;
        assert_eq!(count_sealed_with(fixture, 2).await, 4);
    }

    async fn an_open_storage_seals_with_the_new_key_once_the_old_one_is_removed(fixture) {
        let (server, _) = create_tools_with_secrets(fixture, 3).await;
        fixture.keys.replace(&[2, 1]);
        let other = fixture.open_again(&fixture.keys).await.unwrap();
        other.reseal(fixture.next_actor().at).await.unwrap();
        let tool = fixture.tool_with(server, "new", bearer("new")).await;
        assert_eq!((count_sealed_with(fixture, 1).await, count_sealed_with(fixture, 2).await), (0, 4));
        assert!(fixture.storage.tool_secrets(tool.id).await.unwrap().expose().contains("new"));
    }

    async fn a_key_that_is_not_registered_yet_does_not_seal(fixture) {
        let (server, ids) = create_tools_with_secrets(fixture, 1).await;
        // Another storage deletes the key of this one, and the next key is in the source before its rotation begins.
        let other = fixture.open_again(&Arc::new(TestKeys::new(&[2, 1]))).await.unwrap();
        other.reseal(fixture.next_actor().at).await.unwrap();
        fixture.keys.replace(&[3, 2, 1]);
        let tool = fixture.tool_with(server, "new", bearer("new")).await;
        assert_eq!((count_sealed_with(fixture, 2).await, stored_key_ids(fixture).await), (2, vec![key_id(2)]));
        assert_eq!(reseal(fixture).await, 2);
        assert_eq!((count_sealed_with(fixture, 3).await, stored_key_ids(fixture).await), (2, vec![key_id(3)]));
        assert_all_open(&fixture.storage, &ids).await;
        assert!(fixture.storage.tool_secrets(tool.id).await.unwrap().expose().contains("new"));
    }

    async fn secrets_that_another_storage_seals_with_the_old_key_are_resealed(fixture) {
        let (server, _) = create_tools_with_secrets(fixture, 2).await;
        let new_keys = Arc::new(TestKeys::new(&[2, 1]));
        let other = fixture.open_again(&new_keys).await.unwrap();
        fixture.tool_with(server, "late", bearer("late")).await;
        assert_eq!(other.reseal(fixture.next_actor().at).await.unwrap(), 3);
        assert_eq!(stored_key_ids(fixture).await, [key_id(2)]);
    }

    async fn a_rotation_that_failed_half_way_is_resumed(fixture) {
        let (_, ids) = create_tools_with_secrets(fixture, 4).await;
        // A damaged secret stops the first run half-way, like a process that dies.
        let damaged = ids[2];
        let sealed =
            fixture.raw.blobs(&format!("SELECT sealed FROM secrets WHERE object_id = {damaged}")).await.remove(0);
        let set_sealed = |hex: String| {
            let literal = if fixture.raw.is_sqlite() { format!("x'{hex}'") } else { format!("decode('{hex}', 'hex')") };
            format!("UPDATE secrets SET sealed = {literal} WHERE object_id = {damaged}")
        };
        fixture.raw.execute(&set_sealed("00".to_owned())).await;
        fixture.keys.replace(&[2, 1]);
        assert_fails!(fixture.storage.reseal(fixture.next_actor().at).await, Sealing(SealError::Damaged));
        assert_eq!((count_sealed_with(fixture, 2).await, count_sealed_with(fixture, 1).await), (2, 2));
        assert_eq!(stored_key_ids(fixture).await.len(), 2, "the old key is still needed");
        assert_fails!(fixture.open_again(&Arc::new(TestKeys::new(&[2]))).await, StorageOpenError::WrongKey { .. });
        let sealed_hex = sealed.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        fixture.raw.execute(&set_sealed(sealed_hex)).await;
        let resumed = fixture.open_again(&fixture.keys).await.unwrap();
        assert_eq!(resumed.reseal(fixture.next_actor().at).await.unwrap(), 2);
        assert_eq!(stored_key_ids(fixture).await, [key_id(2)]);
        assert_all_open(&fixture.storage, &ids).await;
    }

    async fn a_rotation_cancelled_half_way_is_resumed(fixture) {
        let (_, ids) = create_tools_with_secrets(fixture, 40).await;
        fixture.keys.replace(&[2, 1]);
        let some_are_done = async {
            while count_sealed_with(fixture, 2).await == 0 {
                tokio::task::yield_now().await;
            }
        };
        // `select!` drops the rotation once a secret is resealed, unless the rotation ends first.
        tokio::select! {
            _ = fixture.storage.reseal(fixture.next_actor().at) => {}
            () = some_are_done => {}
        }
        assert_all_open(&fixture.storage, &ids).await;
        let remaining = u64::try_from(count_sealed_with(fixture, 1).await).unwrap();
        assert_eq!(reseal(fixture).await, remaining);
        assert_eq!((count_sealed_with(fixture, 2).await, stored_key_ids(fixture).await), (40, vec![key_id(2)]));
        assert_all_open(&fixture.storage, &ids).await;
    }

    async fn a_secret_sealed_with_an_unknown_key_is_an_error(fixture) {
        let (_, ids) = create_tools_with_secrets(fixture, 1).await;
        let new_keys = Arc::new(TestKeys::new(&[2, 1]));
        fixture.open_again(&new_keys).await.unwrap().reseal(fixture.next_actor().at).await.unwrap();
        let opened = fixture.storage.tool_secrets(ids[0]).await;
        assert_fails!(opened, Sealing(SealError::UnknownKey(id)) if id == key_id(2));
        fixture.keys.replace(&[1, 2]);
        assert_all_open(&fixture.storage, &ids).await;
    }

    async fn rotating_back_and_forth_loses_nothing(fixture) {
        let (_, ids) = create_tools_with_secrets(fixture, 2).await;
        for keys in [&[2, 1][..], &[3, 2], &[1, 3], &[2, 1]] {
            fixture.keys.replace(keys);
            assert_eq!(reseal(fixture).await, 2);
            assert_eq!(stored_key_ids(fixture).await, [key_id(keys[0])]);
            assert_all_open(&fixture.storage, &ids).await;
        }
    }

    async fn secrets_written_during_a_rotation_all_open_afterwards(fixture) {
        let (server, ids) = create_tools_with_secrets(fixture, 30).await;
        fixture.keys.replace(&[2, 1]);
        let rotating = async { reseal(fixture).await };
        let writing = async {
            for (number, id) in ids.iter().take(20).enumerate() {
                fixture.tool_with(server, &format!("w{number}"), bearer(&format!("written-{number}"))).await;
                let patch = bearer(&format!("token-{number}"));
                fixture.storage.update_tool(&fixture.next_actor(), fixture.as_alice(), *id, patch).await.unwrap();
            }
        };
        tokio::join!(rotating, writing);
        reseal(fixture).await;
        assert_eq!(count_sealed_with(fixture, 2).await, 50);
        assert_all_open(&fixture.storage, &ids).await;
    }
}
