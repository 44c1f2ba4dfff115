//! Registered encryption keys. A key is registered with a check value before it seals anything, so that a wrong keyring
//! is detected at startup, and a rotation can delete keys that are no longer used.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use sqlx::AssertSqlSafe;
use toolgate_domain::time::Timestamp;

use super::SqlStorage;
use super::row::{SqlRow, params};
use super::secrets::{SecretOpener, row_name};
use super::tx::Tx;
use crate::error::{Result, StorageOpenError};
use crate::sealing::Keyring;

/// The plaintext of check values. Only the key that sealed a check value can open it.
const CHECK_PLAINTEXT: &[u8] = b"toolgate";
const SELECT_REGISTERED: &str = "SELECT key_id, check_value FROM encryption_keys";
/// Maximum number of secrets that one query for resealing returns.
const RESEAL_BATCH_MAX: i64 = 100;

impl SqlStorage {
    /// Fails if the keyring lacks a registered key, or has another key with the same id.
    pub(super) async fn check_keys(&self) -> std::result::Result<(), StorageOpenError> {
        check_registered(&self.keyring(), &self.db.fetch_all(SELECT_REGISTERED, vec![]).await?)
    }

    /// Checks the keyring and registers its first key, which seals new secrets. Of several nodes that open a new
    /// database with different keys, one registers its key and the others fail.
    pub(super) async fn register_first_key(&self, now: Timestamp) -> std::result::Result<(), StorageOpenError> {
        let keyring = self.keyring();
        let mut tx = self.db.begin().await?;
        if tx.is_postgres() {
            // Between the check and the insertion no other node may insert a key. SQLite has one writer.
            tx.execute("LOCK TABLE encryption_keys IN SHARE ROW EXCLUSIVE MODE", vec![]).await?;
        }
        check_registered(&keyring, &tx.fetch_all(SELECT_REGISTERED, vec![]).await?)?;
        register_key(&mut tx, &keyring, now).await?;
        Ok(tx.commit().await?)
    }

    /// The keyring to seal with: its first key is registered. Reloads it if a rotation has deleted its first key since
    /// it was loaded.
    pub(super) async fn sealing_keyring(&self, tx: &mut Tx) -> Result<Arc<Keyring>> {
        let keyring = self.keyring();
        // The lock prevents a rotation from deleting the key before this transaction commits.
        let lock = tx.row_lock_with(" FOR KEY SHARE");
        let sql = format!("SELECT key_id FROM encryption_keys WHERE key_id = $1{lock}");
        if tx.fetch_optional(AssertSqlSafe(sql), params![keyring.first_id()]).await?.is_some() {
            return Ok(keyring);
        }
        let keyring = self.reload_keyring();
        // The next rotation may have added its key to the source and not registered it yet: an older key seals then.
        // In the order of `delete_unused_keys`.
        let sql = format!("SELECT key_id FROM encryption_keys ORDER BY key_id{lock}");
        let mut registered = Vec::new();
        for row in tx.fetch_all(AssertSqlSafe(sql), vec![]).await? {
            registered.push(row.text("key_id")?);
        }
        Ok(keyring.sealing_with_one_of(&registered).map_or(keyring, Arc::new))
    }

    /// Loads the keyring from its source and makes it the current one.
    pub(super) fn reload_keyring(&self) -> Arc<Keyring> {
        let keyring = self.read_keyring();
        self.use_keyring(&keyring);
        keyring
    }

    /// Loads the keyring from its source; falls back to the current one if that fails.
    fn read_keyring(&self) -> Arc<Keyring> {
        self.keys.load().map_or_else(
            |error| {
                tracing::warn!(%error, "could not reload the keyring; using the previous one");
                self.keyring()
            },
            Arc::new,
        )
    }

    fn use_keyring(&self, keyring: &Arc<Keyring>) {
        *self.keyring.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(keyring);
        // Incremented after the keyring is replaced, so that code that sees the new version also sees the new keys.
        self.keyring_version.fetch_add(1, Ordering::Release);
    }

    /// See [`Storage::reseal`](crate::Storage::reseal).
    pub(super) async fn reseal_all(&self, now: Timestamp) -> Result<u64> {
        let keyring = self.read_keyring();
        let mut tx = self.db.begin().await?;
        register_key(&mut tx, &keyring, now).await?;
        tx.commit().await?;
        // The keyring becomes current only after its first key is registered, because concurrent requests seal with the
        // current keyring immediately.
        self.use_keyring(&keyring);
        let mut count = 0;
        loop {
            let sql = "SELECT kind, object_id FROM secrets WHERE key_id <> $1 ORDER BY kind, object_id LIMIT $2";
            let rows = self.db.fetch_all(sql, params![keyring.first_id(), RESEAL_BATCH_MAX]).await?;
            for row in &rows {
                count += self.reseal_one(&keyring, &row.text("kind")?, row.int("object_id")?).await?;
            }
            if rows.is_empty() {
                break;
            }
        }
        count += self.reseal_document_versions(&keyring).await?;
        self.delete_unused_keys(keyring.first_id()).await?;
        Ok(count)
    }

    /// Reseals the secrets of one object. Returns 0 if they were deleted concurrently, else 1.
    async fn reseal_one(&self, keyring: &Keyring, kind: &str, id: i64) -> Result<u64> {
        let mut tx = self.db.begin().await?;
        let sql = format!("SELECT sealed FROM secrets WHERE kind = $1 AND object_id = $2{}", tx.row_lock());
        let Some(row) = tx.fetch_optional(AssertSqlSafe(sql), params![kind, id]).await? else { return Ok(0) };
        let name = row_name(kind, id);
        let plain = SecretOpener::new(self).open_plain(&name, &row.bytes("sealed")?)?;
        let sealed = keyring.seal(&name, &plain)?;
        let sql = "UPDATE secrets SET key_id = $3, sealed = $4 WHERE kind = $1 AND object_id = $2";
        tx.execute(sql, params![kind, id, keyring.first_id(), sealed]).await?;
        tx.commit().await?;
        Ok(1)
    }

    async fn delete_unused_keys(&self, current_key_id: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        // Waits for transactions that seal with one of these keys: they hold it `FOR KEY SHARE` until they commit.
        let lock = tx.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT key_id FROM encryption_keys WHERE key_id <> $1 ORDER BY key_id{lock}");
        tx.fetch_all(AssertSqlSafe(sql), params![current_key_id]).await?;
        let sql = "DELETE FROM encryption_keys WHERE key_id <> $1 \
                   AND NOT EXISTS (SELECT 1 FROM secrets s WHERE s.key_id = encryption_keys.key_id) \
                   AND NOT EXISTS (SELECT 1 FROM document_versions v WHERE v.key_id = encryption_keys.key_id)";
        tx.execute(sql, params![current_key_id]).await?;
        tx.commit().await
    }
}

/// Fails if the keyring cannot open the check value of each registered key.
fn check_registered(keyring: &Keyring, rows: &[SqlRow]) -> std::result::Result<(), StorageOpenError> {
    for row in rows {
        let key_id = row.text("key_id")?;
        let is_valid = keyring.open(&check_row_name(&key_id), &row.bytes("check_value")?).is_ok();
        if !keyring.contains(&key_id) || !is_valid {
            return Err(StorageOpenError::WrongKey { key_id });
        }
    }
    Ok(())
}

/// Registers the first key of a keyring, unless it is registered already.
async fn register_key(tx: &mut Tx, keyring: &Keyring, now: Timestamp) -> Result<()> {
    let check_value = keyring.seal(&check_row_name(keyring.first_id()), CHECK_PLAINTEXT)?;
    let sql = "INSERT INTO encryption_keys (key_id, check_value, created_at) VALUES ($1, $2, $3) \
               ON CONFLICT (key_id) DO NOTHING";
    tx.execute(sql, params![keyring.first_id(), check_value, now]).await
}

/// The name that a check value is bound to.
fn check_row_name(key_id: &str) -> String {
    format!("encryption_keys:{key_id}")
}
