//! The contents of documents, compressed and then sealed, because a document may contain credentials. Only the newest
//! versions are stored.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use sqlx::AssertSqlSafe;
use toolgate_domain::api_document::{DOCUMENT_BYTES_MAX, DOCUMENT_VERSIONS_MAX};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::DocumentId;
use zeroize::Zeroizing;

use super::SqlStorage;
use super::row::{SqlRow, params};
use super::secrets::SecretOpener;
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::sealing::Keyring;

/// Maximum number of versions that one query for resealing returns.
const RESEAL_BATCH_MAX: i64 = 100;

/// A document to store.
pub(super) struct CompressedContent {
    sha256: String,
    bytes: i64,
    compressed: Vec<u8>,
}

impl CompressedContent {
    /// Compresses a document on another thread, because a large one takes a tenth of a second.
    pub(super) async fn new(sha256: String, content: Vec<u8>) -> Result<Self> {
        let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
        let compressed = tokio::task::spawn_blocking(move || compress(&content)).await;
        let compressed = compressed.map_err(|_| StorageError::Unavailable(sqlx::Error::WorkerCrashed))?;
        Ok(Self { sha256, bytes, compressed: compressed.map_err(sqlx::Error::from)? })
    }
}

impl SqlStorage {
    /// Stores a version of a document of a locked server and removes the oldest ones.
    pub(super) async fn store_document_version(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        id: DocumentId,
        revision: i64,
        content: CompressedContent,
    ) -> Result<()> {
        let sql = "INSERT INTO document_versions (document_id, revision, sha256, bytes, content, created_at, key_id) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let CompressedContent { sha256, bytes, compressed } = content;
        let keyring = self.sealing_keyring(tx).await?;
        let sealed = keyring.seal(&row_name(id, revision), &compressed)?;
        tx.execute(sql, params![id.0, revision, sha256, bytes, sealed, actor.at, keyring.first_id()]).await?;
        let sql = "DELETE FROM document_versions WHERE document_id = $1 AND revision <= $2";
        tx.execute(sql, params![id.0, revision - DOCUMENT_VERSIONS_MAX]).await
    }

    /// Reads the content of a version from its columns `content` and `key_id`.
    pub(super) async fn read_document_version(&self, id: DocumentId, revision: i64, row: &SqlRow) -> Result<Vec<u8>> {
        let compressed = self.open_document_version(id, revision, row)?;
        let content = tokio::task::spawn_blocking(move || decompress(&compressed)).await;
        content.map_err(|_| StorageError::Unavailable(sqlx::Error::WorkerCrashed))?
    }

    /// Copies the versions of a document. Each is sealed again, because a sealed content is bound to its document.
    pub(super) async fn copy_document_versions(&self, tx: &mut Tx, from: DocumentId, to: DocumentId) -> Result<()> {
        let sql = "SELECT revision FROM document_versions WHERE document_id = $1 ORDER BY revision";
        for row in tx.fetch_all(sql, params![from.0]).await? {
            let revision = row.int("revision")?;
            let sql = "SELECT content, key_id FROM document_versions WHERE document_id = $1 AND revision = $2";
            let row = tx.fetch_one(sql, params![from.0, revision]).await?;
            let compressed = self.open_document_version(from, revision, &row)?;
            let keyring = self.sealing_keyring(tx).await?;
            let sealed = keyring.seal(&row_name(to, revision), &compressed)?;
            let sql = "INSERT INTO document_versions (document_id, revision, sha256, bytes, content, created_at, key_id) \
                       SELECT $3, revision, sha256, bytes, $4, created_at, $5 FROM document_versions \
                       WHERE document_id = $1 AND revision = $2";
            tx.execute(sql, params![from.0, revision, to.0, sealed, keyring.first_id()]).await?;
        }
        Ok(())
    }

    /// Reseals the versions that are not sealed with the first key of the keyring, and returns their number.
    pub(super) async fn reseal_document_versions(&self, keyring: &Keyring) -> Result<u64> {
        let sql = "SELECT document_id, revision FROM document_versions WHERE key_id IS NULL OR key_id <> $1 \
                   ORDER BY document_id, revision LIMIT $2";
        let mut count = 0;
        loop {
            let rows = self.db.fetch_all(sql, params![keyring.first_id(), RESEAL_BATCH_MAX]).await?;
            for row in &rows {
                let (id, revision) = (DocumentId(row.int("document_id")?), row.int("revision")?);
                count += self.reseal_document_version(keyring, id, revision).await?;
            }
            if rows.is_empty() {
                return Ok(count);
            }
        }
    }

    /// Returns 0 if the version was deleted concurrently, else 1.
    async fn reseal_document_version(&self, keyring: &Keyring, id: DocumentId, revision: i64) -> Result<u64> {
        let mut tx = self.db.begin().await?;
        let lock = tx.row_lock();
        let sql =
            format!("SELECT content, key_id FROM document_versions WHERE document_id = $1 AND revision = $2{lock}");
        let Some(row) = tx.fetch_optional(AssertSqlSafe(sql), params![id.0, revision]).await? else { return Ok(0) };
        let compressed = self.open_document_version(id, revision, &row)?;
        let sealed = keyring.seal(&row_name(id, revision), &compressed)?;
        let sql = "UPDATE document_versions SET content = $3, key_id = $4 WHERE document_id = $1 AND revision = $2";
        tx.execute(sql, params![id.0, revision, sealed, keyring.first_id()]).await?;
        tx.commit().await?;
        Ok(1)
    }

    /// The compressed content of a version.
    fn open_document_version(&self, id: DocumentId, revision: i64, row: &SqlRow) -> Result<Zeroizing<Vec<u8>>> {
        let content = row.bytes("content")?;
        if row.opt_text("key_id")?.is_none() {
            return Ok(Zeroizing::new(content));
        }
        Ok(SecretOpener::new(self).open_plain(&row_name(id, revision), &content)?)
    }
}

/// The name that a sealed content is bound to, so that it cannot be moved to another version.
fn row_name(id: DocumentId, revision: i64) -> String {
    format!("document_versions:{id}:{revision}")
}

fn compress(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content)?;
    encoder.finish()
}

/// Decompresses a stored document.
pub(super) fn decompress(compressed: &[u8]) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    // No stored document is larger; a damaged one must not use more memory.
    let limit = u64::try_from(DOCUMENT_BYTES_MAX).unwrap_or(u64::MAX);
    ZlibDecoder::new(compressed).take(limit).read_to_end(&mut content).map_err(sqlx::Error::from)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_document_is_read_back_and_a_damaged_one_is_an_error() {
        let content = b"openapi: 3.1.0\n".repeat(1000);
        let compressed = compress(&content).unwrap();
        assert!(compressed.len() < content.len() / 10);
        assert_eq!(decompress(&compressed).unwrap(), content);
        assert!(decompress(&compressed[..20]).is_err());
    }
}
