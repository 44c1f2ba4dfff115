//! The contents of documents, compressed. Only the newest versions are stored.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use toolgate_domain::api_document::{DOCUMENT_BYTES_MAX, DOCUMENT_VERSIONS_MAX};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::DocumentId;

use super::row::params;
use super::tx::Tx;
use crate::error::{Result, StorageError};

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

impl Tx {
    /// Stores a version of a document of a locked server and removes the oldest ones.
    pub(super) async fn store_document_version(
        &mut self,
        actor: &Actor,
        id: DocumentId,
        revision: i64,
        content: CompressedContent,
    ) -> Result<()> {
        let sql = "INSERT INTO document_versions (document_id, revision, sha256, bytes, content, created_at) \
                   VALUES ($1, $2, $3, $4, $5, $6)";
        let CompressedContent { sha256, bytes, compressed } = content;
        self.execute(sql, params![id.0, revision, sha256, bytes, compressed, actor.at]).await?;
        let sql = "DELETE FROM document_versions WHERE document_id = $1 AND revision <= $2";
        self.execute(sql, params![id.0, revision - DOCUMENT_VERSIONS_MAX]).await
    }
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
