//! The store of credentials of servers in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::{ServerCredentialId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::server_credential::{
    SERVER_CREDENTIALS_MAX, ServerCredential, ServerCredentialPatch, ServerCredentialSpec,
};
use toolgate_domain::tool::Tool;
use toolgate_domain::upstream_auth::Credentials;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::Columns as _;
use super::locks::check_capacity;
use super::row::params;
use super::secrets::SecretOwner;
use super::tx::Tx;
use crate::error::{Result, StorageError};
use crate::server_credentials::ServerCredentialStore;
use crate::tool_imports::ImportedCredential;

const COUNT: &str = "SELECT COUNT(*) AS total FROM server_credentials WHERE server_id = $1";

#[async_trait]
impl ServerCredentialStore for SqlStorage {
    async fn list_server_credentials(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<ServerCredential>> {
        self.db.server_counts(visibility, server_id).await?; // fails if the server is not visible
        let total = self.db.fetch_one(COUNT, params![server_id.0]).await?.int("total")?;
        Ok(Listing { items: self.db.list_in_server(server_id, page).await?, total })
    }

    async fn server_credential(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        id: ServerCredentialId,
    ) -> Result<ServerCredential> {
        self.db.server_counts(visibility, server_id).await?;
        self.db.find_in_server(server_id, id.0).await
    }

    async fn create_server_credential(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        spec: ServerCredentialSpec,
        patch: ServerCredentialPatch,
    ) -> Result<ServerCredential> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let credential = self.insert_server_credential(&mut tx, actor, server_id, spec, patch).await?;
        tx.commit().await?;
        Ok(credential)
    }

    async fn update_server_credential(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ServerCredentialId,
        patch: ServerCredentialPatch,
    ) -> Result<ServerCredential> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let credential = self.change_server_credential(&mut tx, actor, server_id, id, patch).await?;
        tx.commit().await?;
        Ok(credential)
    }

    async fn delete_server_credential(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ServerCredentialId,
        force: bool,
    ) -> Result<ServerCredential> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let credential: ServerCredential = tx.find_in_server(server_id, id.0).await?;
        if credential.tools_count > 0 && !force {
            return Err(StorageError::CredentialInUse { tools_count: credential.tools_count });
        }
        // The tools keep their auth_type, so that no call is sent without authentication.
        let sql = "UPDATE tools SET credential_id = NULL, revision = revision + 1, updated_at = $2 \
                   WHERE credential_id = $1";
        tx.execute(sql, params![id.0, actor.at]).await?;
        tx.delete_in_server::<ServerCredential>(actor, server_id, id.0).await?;
        self.store_secrets(&mut tx, secret_owner(id), server_id.0, &Secrets::default()).await?;
        tx.commit().await?;
        Ok(credential)
    }
}

/// The owner of the secrets of a credential.
pub(super) fn secret_owner(id: ServerCredentialId) -> SecretOwner {
    SecretOwner(ObjectKind::ServerCredential, id.0)
}

impl SqlStorage {
    /// Creates or changes a credential that the tools of an import use, in a locked server.
    pub(super) async fn write_imported_credential(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        server_id: ServerId,
        credential: ImportedCredential,
    ) -> Result<()> {
        let ImportedCredential { name, auth_type, auth_credentials, replaces_stored } = credential;
        let field = format!("credentials[{name}]");
        let has_values = auth_credentials.is_some();
        let patch =
            ServerCredentialPatch { auth_type: Some(auth_type), auth_credentials, ..ServerCredentialPatch::default() };
        let written = match tx.find_credential_by_name(server_id, &name).await? {
            None => {
                let spec = ServerCredentialSpec::new(name, auth_type);
                self.insert_server_credential(tx, actor, server_id, spec, patch).await
            }
            Some(stored) if has_values && (replaces_stored || !stored.has_credentials) => {
                self.change_server_credential(tx, actor, server_id, stored.id, patch).await
            }
            Some(stored) => Ok(stored),
        };
        written.map(drop).map_err(|error| match error {
            StorageError::Rejected(faults) => StorageError::Rejected(faults.inside(&field)),
            other => other,
        })
    }

    /// Creates a credential in a locked server.
    async fn insert_server_credential(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        server_id: ServerId,
        mut spec: ServerCredentialSpec,
        patch: ServerCredentialPatch,
    ) -> Result<ServerCredential> {
        let count = tx.fetch_one(COUNT, params![server_id.0]).await?.int("total")?;
        check_capacity(count, SERVER_CREDENTIALS_MAX, "credentials")?;
        let mut secrets = Secrets::default();
        spec.apply(patch, &mut secrets)?;
        let mut values = spec.values();
        let has_credentials = i64::from(secrets.credentials.is_some());
        values.extend([("server_id", server_id.0.into()), ("has_credentials", has_credentials.into())]);
        let credential: ServerCredential = tx.insert(actor, Action::Create, values).await?;
        self.store_secrets(tx, secret_owner(credential.id), server_id.0, &secrets).await?;
        Ok(credential)
    }

    /// Changes a credential of a locked server.
    async fn change_server_credential(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        server_id: ServerId,
        id: ServerCredentialId,
        patch: ServerCredentialPatch,
    ) -> Result<ServerCredential> {
        let ServerCredential { mut spec, mut has_credentials, .. } = tx.find_in_server(server_id, id.0).await?;
        // New credentials and another type both replace the stored secrets, so these need not be opened.
        let replaces_secrets =
            patch.auth_credentials.is_some() || patch.auth_type.is_some_and(|auth_type| auth_type != spec.auth_type);
        let mut secrets = Secrets::default();
        spec.apply(patch, &mut secrets)?;
        if replaces_secrets {
            if let Some(credentials) = &secrets.credentials {
                tx.check_tools_fit(id, credentials).await?;
            }
            has_credentials = secrets.credentials.is_some();
            tx.change_tools_with_credential(actor, id, &spec).await?;
        }
        let mut values = spec.values();
        values.push(("has_credentials", i64::from(has_credentials).into()));
        let credential = tx.update(actor, id.0, values).await?;
        if replaces_secrets {
            self.store_secrets(tx, secret_owner(id), server_id.0, &secrets).await?;
        }
        Ok(credential)
    }
}

impl Tx {
    /// The credential of a server with this name, without regard to case.
    pub(super) async fn find_credential_by_name(
        &mut self,
        server_id: ServerId,
        name: &str,
    ) -> Result<Option<ServerCredential>> {
        let sql = format!(
            "SELECT {} FROM server_credentials WHERE server_id = $1 AND LOWER(name) = LOWER($2)",
            ServerCredential::list()
        );
        let row = self.fetch_optional(AssertSqlSafe(sql), params![server_id.0, name]).await?;
        row.map(|row| ServerCredential::from_row(&row)).transpose()
    }

    /// Refuses API keys in the path that do not fit the URL of a tool that uses the credential.
    async fn check_tools_fit(&mut self, id: ServerCredentialId, credentials: &Credentials) -> Result<()> {
        if credentials.path_key_names().is_empty() {
            return Ok(());
        }
        let sql = format!("SELECT {} FROM tools WHERE credential_id = $1 ORDER BY id", Tool::list());
        for tool in Tool::from_rows(&self.fetch_all(AssertSqlSafe(sql), params![id.0]).await?)? {
            tool.spec.check_fit("auth_credentials", credentials).map_err(|faults| misfit(&tool, &faults))?;
        }
        Ok(())
    }

    /// Gives the tools that use a credential its type and another revision, so that neither compiled tools nor cached
    /// responses of the former credential are used.
    async fn change_tools_with_credential(
        &mut self,
        actor: &Actor,
        id: ServerCredentialId,
        spec: &ServerCredentialSpec,
    ) -> Result<()> {
        let sql = "UPDATE tools SET revision = revision + 1, auth_type = $2, \
                   updated_at = CASE WHEN auth_type = $2 THEN updated_at ELSE $3 END WHERE credential_id = $1";
        self.execute(sql, params![id.0, spec.auth_type.as_str(), actor.at]).await
    }
}

fn misfit(tool: &Tool, faults: &Faults) -> Fault {
    let reason = faults.iter().next().map_or("", |fault| fault.message.as_str());
    let message =
        format!("auth_credentials do not fit the tool '{}', which uses this credential: {reason}", tool.spec.name);
    Fault::invalid_value("auth_credentials", message)
}
