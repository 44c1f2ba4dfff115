//! Sealed (encrypted) secrets, one row per object that has any. Only this module and key rotation open or seal them.

use std::sync::Arc;

use toolgate_domain::secrets::Secrets;
use zeroize::Zeroizing;

use super::SqlStorage;
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::error::Result;
use crate::sealing::{Keyring, SealError};

/// The object that a row's secrets belong to.
#[derive(Clone, Copy, Debug)]
pub(super) enum SecretOwner {
    Server(i64),
    Tool(i64),
    Resource(i64),
}

impl SecretOwner {
    pub(super) fn kind_and_id(self) -> (&'static str, i64) {
        match self {
            Self::Server(id) => ("server", id),
            Self::Tool(id) => ("tool", id),
            Self::Resource(id) => ("resource", id),
        }
    }
}

const SELECT: &str = "SELECT kind, object_id, sealed FROM secrets WHERE kind = $1 AND object_id = $2";
const UPSERT: &str = "INSERT INTO secrets (kind, object_id, server_id, key_id, sealed) VALUES ($1, $2, $3, $4, $5) \
     ON CONFLICT (kind, object_id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed";
const DELETE: &str = "DELETE FROM secrets WHERE kind = $1 AND object_id = $2";

impl SqlStorage {
    /// Reads the secrets of an object outside a transaction.
    pub(super) async fn read_secrets(&self, owner: SecretOwner) -> Result<Secrets> {
        let (kind, id) = owner.kind_and_id();
        let row = self.db.fetch_optional(SELECT, params![kind, id]).await?;
        row.map_or_else(|| Ok(Secrets::default()), |row| self.open_row(&row))
    }

    /// Reads the secrets of an object inside a transaction that changes it.
    pub(super) async fn load_secrets(&self, tx: &mut Tx, owner: SecretOwner) -> Result<Secrets> {
        let (kind, id) = owner.kind_and_id();
        let row = tx.fetch_optional(SELECT, params![kind, id]).await?;
        row.map_or_else(|| Ok(Secrets::default()), |row| self.open_row(&row))
    }

    /// Seals and stores the secrets of an object, or deletes its row if there are none.
    pub(super) async fn store_secrets(
        &self,
        tx: &mut Tx,
        owner: SecretOwner,
        server_id: i64,
        secrets: &Secrets,
    ) -> Result<()> {
        let (kind, id) = owner.kind_and_id();
        if secrets.is_empty() {
            return tx.execute(DELETE, params![kind, id]).await.map(drop);
        }
        let keyring = self.sealing_keyring(tx).await?;
        let sealed = keyring.seal(&row_name(kind, id), secrets.expose().as_bytes())?;
        tx.execute(UPSERT, params![kind, id, server_id, keyring.first_id(), sealed]).await.map(drop)
    }

    fn open_row(&self, row: &SqlRow) -> Result<Secrets> {
        let plain = self.open_sealed(&row_name(&row.text("kind")?, row.int("object_id")?), &row.bytes("sealed")?)?;
        Ok(parse_secrets(&plain)?)
    }

    /// Opens a sealed secret. Reloads the keyring if the key is unknown, because a rotation may have added it.
    pub(super) fn open_sealed(&self, name: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        match self.keyring().open(name, sealed) {
            Err(SealError::UnknownKey(_)) => Ok(self.reload_keyring().open(name, sealed)?),
            other => Ok(other?),
        }
    }
}

/// Opens many sealed secrets. Reloads the keyring at most once, however many of them have an unknown key.
pub(super) struct SecretOpener<'a> {
    storage: &'a SqlStorage,
    keyring: Arc<Keyring>,
    is_reloaded: bool,
}

impl<'a> SecretOpener<'a> {
    pub(super) fn new(storage: &'a SqlStorage) -> Self {
        Self { storage, keyring: storage.keyring(), is_reloaded: false }
    }

    pub(super) fn open(&mut self, owner: SecretOwner, sealed: &[u8]) -> std::result::Result<Secrets, SealError> {
        let (kind, id) = owner.kind_and_id();
        let name = row_name(kind, id);
        let plain = match self.keyring.open(&name, sealed) {
            Err(SealError::UnknownKey(_)) if !self.is_reloaded => {
                self.keyring = self.storage.reload_keyring();
                self.is_reloaded = true;
                self.keyring.open(&name, sealed)?
            }
            other => other?,
        };
        parse_secrets(&plain)
    }
}

/// Parses decrypted secrets.
fn parse_secrets(plain: &[u8]) -> std::result::Result<Secrets, SealError> {
    let text = std::str::from_utf8(plain).map_err(|_| SealError::Damaged)?;
    Secrets::from_exposed(text).ok_or(SealError::Damaged)
}

/// The name that a sealed secret is bound to, so that it cannot be moved to another object.
pub(super) fn row_name(kind: &str, id: i64) -> String {
    format!("secrets:{kind}:{id}")
}
