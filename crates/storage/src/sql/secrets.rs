//! Sealed (encrypted) secrets, one row per object that has any. Only this module and key rotation open or seal them.

use std::sync::Arc;

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::secrets::Secrets;
use zeroize::Zeroizing;

use super::SqlStorage;
use super::row::{Param, SqlRow, params};
use super::tx::Tx;
use crate::error::Result;
use crate::sealing::{Keyring, SealError};

/// The object that a row's secrets belong to: a server, a tool, a resource, a credential of a server or a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct SecretOwner(pub(super) ObjectKind, pub(super) i64);

impl SecretOwner {
    /// The columns `kind` and `object_id`.
    fn params(self) -> Vec<Param> {
        params![self.0.as_str(), self.1]
    }

    fn row_name(self) -> String {
        row_name(self.0.as_str(), self.1)
    }
}

const SELECT: &str = "SELECT sealed FROM secrets WHERE kind = $1 AND object_id = $2";
const UPSERT: &str = "INSERT INTO secrets (kind, object_id, server_id, key_id, sealed) VALUES ($1, $2, $3, $4, $5) \
     ON CONFLICT (kind, object_id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed";
const DELETE: &str = "DELETE FROM secrets WHERE kind = $1 AND object_id = $2";

impl SqlStorage {
    /// Reads the secrets of an object outside a transaction.
    pub(super) async fn read_secrets(&self, owner: SecretOwner) -> Result<Secrets> {
        self.open_row(owner, self.db.fetch_optional(SELECT, owner.params()).await?)
    }

    /// Reads the secrets of an object inside a transaction that changes it.
    pub(super) async fn load_secrets(&self, tx: &mut Tx, owner: SecretOwner) -> Result<Secrets> {
        self.open_row(owner, tx.fetch_optional(SELECT, owner.params()).await?)
    }

    /// Seals and stores the secrets of an object, or deletes its row if there are none.
    pub(super) async fn store_secrets(
        &self,
        tx: &mut Tx,
        owner: SecretOwner,
        server_id: i64,
        secrets: &Secrets,
    ) -> Result<()> {
        let mut params = owner.params();
        if secrets.is_empty() {
            return tx.execute(DELETE, params).await;
        }
        let keyring = self.sealing_keyring(tx).await?;
        let sealed = keyring.seal(&owner.row_name(), secrets.expose().as_bytes())?;
        params.extend(params![server_id, keyring.first_id(), sealed]);
        tx.execute(UPSERT, params).await
    }

    fn open_row(&self, owner: SecretOwner, row: Option<SqlRow>) -> Result<Secrets> {
        let Some(row) = row else { return Ok(Secrets::default()) };
        Ok(SecretOpener::new(self).open(owner, &row.bytes("sealed")?)?)
    }
}

/// Opens sealed secrets. Reloads the keyring if a key is unknown, because a rotation may have added it, but at most
/// once, however many of the secrets have an unknown key.
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
        let plain = self.open_plain(&owner.row_name(), sealed)?;
        let text = std::str::from_utf8(&plain).map_err(|_| SealError::Damaged)?;
        Secrets::from_exposed(text).ok_or(SealError::Damaged)
    }

    /// Opens the sealed secret of the row with this name, without parsing it.
    pub(super) fn open_plain(
        &mut self,
        name: &str,
        sealed: &[u8],
    ) -> std::result::Result<Zeroizing<Vec<u8>>, SealError> {
        match self.keyring.open(name, sealed) {
            Err(SealError::UnknownKey(_)) if !self.is_reloaded => {
                self.keyring = self.storage.reload_keyring();
                self.is_reloaded = true;
                self.keyring.open(name, sealed)
            }
            other => other,
        }
    }
}

/// The name that a sealed secret is bound to, so that it cannot be moved to another object.
pub(super) fn row_name(kind: &str, id: i64) -> String {
    format!("secrets:{kind}:{id}")
}
