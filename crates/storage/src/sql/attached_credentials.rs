//! The credentials of a server as its tools use them.

use toolgate_domain::change::Change;
use toolgate_domain::fault::Fault;
use toolgate_domain::ids::{ServerCredentialId, ServerId, ToolId};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::server_credential::ServerCredential;
use toolgate_domain::tool::{AttachedCredential, ToolPatch};

use super::SqlStorage;
use super::row::params;
use super::server_credentials::secret_owner;
use super::tx::Tx;
use crate::error::{Result, StorageError};

impl SqlStorage {
    /// The credential of its server that a tool uses after a patch; `stored` is the one that it uses before.
    pub(super) async fn attached_credential(
        &self,
        tx: &mut Tx,
        server_id: ServerId,
        stored: Option<ServerCredentialId>,
        patch: &ToolPatch,
    ) -> Result<Option<AttachedCredential>> {
        let credential: ServerCredential = match (&patch.credential, stored) {
            (Change::Set(name), _) => tx.find_credential(server_id, name).await?,
            (Change::Keep, Some(id)) => tx.find_in_server(server_id, id.0).await?,
            (Change::Clear, _) | (Change::Keep, None) => return Ok(None),
        };
        let ServerCredential { id, spec, .. } = credential;
        let is_needed = patch.credential.is_sent() || patch.depends_on_credentials();
        let credentials = if is_needed {
            match self.load_secrets(tx, secret_owner(id)).await {
                // Calls fail without readable credentials, so the tool need not fit them.
                Err(StorageError::Sealing(_)) => None,
                loaded => loaded?.credentials,
            }
        } else {
            None
        };
        Ok(Some(AttachedCredential { id, name: spec.name, auth_type: spec.auth_type, credentials }))
    }

    /// Replaces the credentials of a tool by those of the credential that it uses, if it uses one.
    pub(super) async fn with_attached_credentials(&self, id: ToolId, mut secrets: Secrets) -> Result<Secrets> {
        let row = self.db.fetch_optional("SELECT credential_id FROM tools WHERE id = $1", params![id.0]).await?;
        if let Some(credential) = row.map(|row| row.opt_int("credential_id")).transpose()?.flatten() {
            secrets.credentials = self.read_secrets(secret_owner(ServerCredentialId(credential))).await?.credentials;
        }
        Ok(secrets)
    }
}

impl Tx {
    async fn find_credential(&mut self, server_id: ServerId, name: &str) -> Result<ServerCredential> {
        let missing = || {
            let message = "credential must be the name of a credential of the server; create it first with POST \
                           /servers/{server_id}/credentials.";
            Fault::invalid_value("credential", message)
        };
        Ok(self.find_credential_by_name(server_id, name).await?.ok_or_else(missing)?)
    }
}
