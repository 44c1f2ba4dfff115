//! Sealed secrets: one row per object that has any, opened and sealed here and nowhere else.

use std::sync::Arc;

use toolgate_domain::secrets::Secrets;
use zeroize::Zeroizing;

use super::SqlStorage;
use super::row::{SqlRow, params};
use super::tx::Tx;
use crate::Result;
use crate::sealing::{Keyring, SealError};

/// Whose secrets a row holds.
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
    /// The secrets of an object, outside a transaction.
    pub(super) async fn read_secrets(&self, of: SecretOwner) -> Result<Secrets> {
        let (kind, id) = of.kind_and_id();
        let row = self.db.fetch_optional(SELECT, params![kind, id]).await?;
        row.map_or_else(|| Ok(Secrets::default()), |row| self.open_row(&row))
    }

    /// The secrets of an object that is about to change.
    pub(super) async fn load_secrets(&self, tx: &mut Tx, of: SecretOwner) -> Result<Secrets> {
        let (kind, id) = of.kind_and_id();
        let row = tx.fetch_optional(SELECT, params![kind, id]).await?;
        row.map_or_else(|| Ok(Secrets::default()), |row| self.open_row(&row))
    }

    /// Seals the secrets of an object, or removes the row when there are none.
    pub(super) async fn store_secrets(
        &self,
        tx: &mut Tx,
        of: SecretOwner,
        server_id: i64,
        secrets: &Secrets,
    ) -> Result<()> {
        let (kind, id) = of.kind_and_id();
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

    /// Opens a blob; a key that is not known yet may have been added since the keyring was read.
    pub(super) fn open_sealed(&self, name: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        match self.keyring().open(name, sealed) {
            Err(SealError::UnknownKey(_)) => Ok(self.reload_keyring().open(name, sealed)?),
            other => Ok(other?),
        }
    }
}

/// Opens one blob after another. However many were sealed with a key that is not known, the keyring is read again once.
pub(super) struct SecretOpener<'a> {
    storage: &'a SqlStorage,
    keyring: Arc<Keyring>,
    is_reloaded: bool,
}

impl<'a> SecretOpener<'a> {
    pub(super) fn new(storage: &'a SqlStorage) -> Self {
        Self { storage, keyring: storage.keyring(), is_reloaded: false }
    }

    pub(super) fn open(&mut self, of: SecretOwner, sealed: &[u8]) -> std::result::Result<Secrets, SealError> {
        let (kind, id) = of.kind_and_id();
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

/// The secrets in a blob that was opened.
fn parse_secrets(plain: &[u8]) -> std::result::Result<Secrets, SealError> {
    let text = std::str::from_utf8(plain).map_err(|_| SealError::Damaged)?;
    Secrets::from_exposed(text).ok_or(SealError::Damaged)
}

/// What a blob is bound to.
pub(super) fn row_name(kind: &str, id: i64) -> String {
    format!("secrets:{kind}:{id}")
}
