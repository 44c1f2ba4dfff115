//! Copies a server with its objects. Rows are copied inside the database; secrets are decrypted and encrypted again,
//! because a sealed secret is bound to the object it was sealed for.

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{PublicId, ServerId};
use toolgate_domain::member::ServerRole;
use toolgate_domain::prompt::PromptSpec;
use toolgate_domain::resource::{Resource, ResourceSpec};
use toolgate_domain::server::{Server, ServerStatus};
use toolgate_domain::server_credential::{ServerCredential, ServerCredentialSpec};
use toolgate_domain::slug::Slug;
use toolgate_domain::text::NAME_MAX;
use toolgate_domain::tool::{COPY_SUFFIX, Tool, ToolSpec};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::copy_to_server;
use super::objects::StoredObject;
use super::row::params;
use super::secrets::SecretOwner;
use super::tx::Tx;
use crate::error::Result;

/// Selects the old and new ids of the objects that have secrets. A copy is found by its unique field.
fn select_copies_with_secrets<T: StoredObject>() -> String {
    let (table, unique, kind) = (T::TABLE, T::UNIQUE_FIELD, T::KIND.as_str());
    format!(
        "SELECT old.id AS old_id, new.id AS new_id FROM secrets s JOIN {table} old ON old.id = s.object_id \
         JOIN {table} new ON new.server_id = $2 AND new.{unique} = old.{unique} WHERE s.server_id = $1 AND s.kind = '{kind}'"
    )
}

/// The credential of the copied server with the name of the one that a tool of the original uses.
const COPIED_CREDENTIAL_ID: &str = "(SELECT new.id FROM server_credentials old JOIN server_credentials new \
     ON new.server_id = $2 AND new.name = old.name WHERE old.id = tools.credential_id)";

impl SqlStorage {
    pub(super) async fn copy_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        public_id: &PublicId,
    ) -> Result<Server> {
        let mut tx = self.db.begin().await?;
        let original = tx.lock_and_read_server(visibility, id, ServerRole::Owner).await?;
        let mut spec = original.spec.clone();
        spec.status = ServerStatus::Draft;
        spec.name = spec.name.chars().take(NAME_MAX - COPY_SUFFIX.len()).chain(COPY_SUFFIX.chars()).collect();
        tx.lock_owner(original.user_id).await?;
        let slug = tx.free_slug(original.user_id, &Slug::from_name(&spec.name)).await?;
        let mut copy = tx.insert_server(actor, Action::Duplicate, original.user_id, &slug, public_id, &spec).await?;
        let has_credentials = ("has_credentials", "has_credentials");
        for statement in [
            copy_to_server::<ServerCredentialSpec>("server_credentials", &[has_credentials]),
            copy_to_server::<ToolSpec>(
                "tools",
                &[("sort_order", "sort_order"), ("revision", "1"), ("credential_id", COPIED_CREDENTIAL_ID)],
            ),
            copy_to_server::<PromptSpec>("prompts", &[]),
            copy_to_server::<ResourceSpec>("resources", &[]),
        ] {
            tx.execute(AssertSqlSafe(statement), params![id.0, copy.id.0, actor.at]).await?;
        }
        self.copy_documents(&mut tx, actor, id, copy.id).await?;
        self.copy_secrets(&mut tx, id.0, copy.id.0).await?;
        tx.commit().await?;
        copy.tool_count = original.tool_count;
        Ok(copy)
    }

    async fn copy_secrets(&self, tx: &mut Tx, from: i64, to: i64) -> Result<()> {
        let mut pairs = vec![(SecretOwner(ObjectKind::Server, from), SecretOwner(ObjectKind::Server, to))];
        for (kind, sql) in [
            (ObjectKind::ServerCredential, select_copies_with_secrets::<ServerCredential>()),
            (ObjectKind::Tool, select_copies_with_secrets::<Tool>()),
            (ObjectKind::Resource, select_copies_with_secrets::<Resource>()),
        ] {
            for row in tx.fetch_all(AssertSqlSafe(sql), params![from, to]).await? {
                pairs.push((SecretOwner(kind, row.int("old_id")?), SecretOwner(kind, row.int("new_id")?)));
            }
        }
        for (old, new) in pairs {
            let secrets = self.load_secrets(tx, old).await?;
            self.store_secrets(tx, new, to, &secrets).await?;
        }
        Ok(())
    }
}
