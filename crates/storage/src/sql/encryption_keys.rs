//! The keys that have sealed something. Each is registered before it seals, with a check value; so a
//! wrong keyring is noticed at the start, and rotation knows when an old key is needed no longer.

use std::sync::{Arc, PoisonError};

use sqlx::AssertSqlSafe;
use toolgate_domain::time::Timestamp;

use super::SqlStorage;
use super::row::params;
use super::secrets::row_name;
use super::tx::Tx;
use crate::sealing::Keyring;
use crate::{Result, StorageOpenError};

const CHECK_PLAINTEXT: &[u8] = b"toolgate";
const RESEAL_BATCH_MAX: i64 = 100;

impl SqlStorage {
    /// Refuses a keyring that lacks a registered key.
    pub(super) async fn check_keys(&self) -> std::result::Result<(), StorageOpenError> {
        let keyring = self.keyring();
        let rows = self.db.fetch_all("SELECT key_id, check_value FROM encryption_keys", vec![]).await?;
        for row in &rows {
            let key_id = row.text("key_id")?;
            let opens = keyring.open(&check_name(&key_id), &row.bytes("check_value")?).is_ok();
            if !keyring.contains(&key_id) || !opens {
                return Err(StorageOpenError::WrongKey { key_id });
            }
        }
        Ok(())
    }

    /// Registers the key that seals from now on.
    pub(super) async fn register_first_key(&self, now: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        register(&mut tx, &self.keyring(), now).await?;
        tx.commit().await
    }

    /// The keyring, provided its first key may seal; a key retired meanwhile by a rotation may not.
    pub(super) async fn sealing_keyring(&self, tx: &mut Tx) -> Result<Arc<Keyring>> {
        let keyring = self.keyring();
        // Locked, so that it is not forgotten between here and the commit.
        let lock = tx.row_lock_with(" FOR KEY SHARE");
        let sql = format!("SELECT key_id FROM encryption_keys WHERE key_id = $1{lock}");
        if tx.fetch_optional(AssertSqlSafe(sql), params![keyring.first_id()]).await?.is_some() {
            return Ok(keyring);
        }
        Ok(self.reload_keyring())
    }

    /// Reads the keyring again and uses it from now on.
    pub(super) fn reload_keyring(&self) -> Arc<Keyring> {
        let keyring = self.read_keyring();
        self.use_keyring(&keyring);
        keyring
    }

    /// The keyring as it is now at its source; where that fails, the one at hand.
    fn read_keyring(&self) -> Arc<Keyring> {
        self.keys.load().map_or_else(
            |error| {
                tracing::warn!(%error, "the keyring could not be read again");
                self.keyring()
            },
            Arc::new,
        )
    }

    fn use_keyring(&self, keyring: &Arc<Keyring>) {
        *self.keyring.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(keyring);
    }

    /// See [`Storage::reseal`](crate::Storage::reseal).
    pub(super) async fn reseal_all(&self, now: Timestamp) -> Result<u64> {
        let keyring = self.read_keyring();
        let mut tx = self.db.begin().await?;
        register(&mut tx, &keyring, now).await?;
        tx.commit().await?;
        // Not before it is registered: others seal with it at once.
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
        self.delete_unused_keys(keyring.first_id()).await?;
        Ok(count)
    }

    async fn reseal_one(&self, keyring: &Keyring, kind: &str, id: i64) -> Result<u64> {
        let mut tx = self.db.begin().await?;
        let sql = format!("SELECT sealed FROM secrets WHERE kind = $1 AND object_id = $2{}", tx.row_lock());
        let Some(row) = tx.fetch_optional(AssertSqlSafe(sql), params![kind, id]).await? else { return Ok(0) };
        let name = row_name(kind, id);
        let plain = self.open_sealed(&name, &row.bytes("sealed")?)?;
        let sealed = keyring.seal(&name, &plain)?;
        let sql = "UPDATE secrets SET key_id = $3, sealed = $4 WHERE kind = $1 AND object_id = $2";
        let changed = tx.execute(sql, params![kind, id, keyring.first_id(), sealed]).await?;
        tx.commit().await?;
        Ok(changed)
    }

    async fn delete_unused_keys(&self, current: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        // Whoever is sealing with one of them holds it: only after that is it certain whether it is used.
        let lock = tx.row_lock_with(" FOR UPDATE");
        let sql = format!("SELECT key_id FROM encryption_keys WHERE key_id <> $1 ORDER BY key_id{lock}");
        tx.fetch_all(AssertSqlSafe(sql), params![current]).await?;
        let sql = "DELETE FROM encryption_keys WHERE key_id <> $1 \
                   AND NOT EXISTS (SELECT 1 FROM secrets WHERE secrets.key_id = encryption_keys.key_id)";
        tx.execute(sql, params![current]).await?;
        tx.commit().await
    }
}

async fn register(tx: &mut Tx, keyring: &Keyring, now: Timestamp) -> Result<()> {
    let check_value = keyring.seal(&check_name(keyring.first_id()), CHECK_PLAINTEXT)?;
    let sql = "INSERT INTO encryption_keys (key_id, check_value, created_at) VALUES ($1, $2, $3) \
               ON CONFLICT (key_id) DO NOTHING";
    tx.execute(sql, params![keyring.first_id(), check_value, now]).await.map(drop)
}

fn check_name(key_id: &str) -> String {
    format!("encryption_keys:{key_id}")
}
