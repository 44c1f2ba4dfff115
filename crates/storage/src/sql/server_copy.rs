//! Copies a server with its objects. Rows are copied inside the database; secrets are decrypted and encrypted again,
//! because a sealed secret is bound to the object it was sealed for.

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{PublicId, ServerId};
use toolgate_domain::prompt::PromptSpec;
use toolgate_domain::resource::ResourceSpec;
use toolgate_domain::server::{Server, ServerStatus};
use toolgate_domain::slug::Slug;
use toolgate_domain::text::NAME_MAX;
use toolgate_domain::tool::{COPY_SUFFIX, ToolSpec};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::copy_to_server;
use super::row::params;
use super::secrets::SecretOwner;
use super::tx::Tx;
use crate::error::Result;

/// Old and new ids of the tools that have secrets. A copy is found by its name, which is unique within a server.
const TOOLS_WITH_SECRETS: &str = "SELECT old.id AS old_id, new.id AS new_id FROM secrets s \
     JOIN tools old ON old.id = s.object_id JOIN tools new ON new.server_id = $2 AND new.name = old.name \
     WHERE s.server_id = $1 AND s.kind = 'tool'";
/// Like [`TOOLS_WITH_SECRETS`], for resources, whose URI is unique within a server.
const RESOURCES_WITH_SECRETS: &str = "SELECT old.id AS old_id, new.id AS new_id FROM secrets s \
     JOIN resources old ON old.id = s.object_id JOIN resources new ON new.server_id = $2 AND new.uri = old.uri \
     WHERE s.server_id = $1 AND s.kind = 'resource'";

impl SqlStorage {
    pub(super) async fn copy_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        public_id: &PublicId,
    ) -> Result<Server> {
        let mut tx = self.db.begin().await?;
        let original = tx.lock_and_read_server(visibility, id).await?;
        let mut spec = original.spec.clone();
        spec.status = ServerStatus::Draft;
        spec.name = spec.name.chars().take(NAME_MAX - COPY_SUFFIX.len()).chain(COPY_SUFFIX.chars()).collect();
        tx.lock_owner(original.user_id).await?;
        let slug = tx.free_slug(original.user_id, &Slug::from_name(&spec.name)).await?;
        let mut copy = tx.insert_server(actor, original.user_id, &slug, public_id, &spec).await?;
        for statement in [
            copy_to_server::<ToolSpec>("tools", &[("sort_order", "sort_order"), ("revision", "1")]),
            copy_to_server::<PromptSpec>("prompts", &[]),
            copy_to_server::<ResourceSpec>("resources", &[]),
        ] {
            tx.execute(AssertSqlSafe(statement), params![id.0, copy.id.0, actor.at]).await?;
        }
        self.copy_secrets(&mut tx, id.0, copy.id.0).await?;
        tx.audit(actor, Action::Duplicate, ObjectKind::Server, copy.id.0).await?;
        tx.commit().await?;
        copy.tool_count = original.tool_count;
        Ok(copy)
    }

    async fn copy_secrets(&self, tx: &mut Tx, from: i64, to: i64) -> Result<()> {
        let mut pairs = vec![(SecretOwner::Server(from), SecretOwner::Server(to))];
        for row in tx.fetch_all(TOOLS_WITH_SECRETS, params![from, to]).await? {
            pairs.push((SecretOwner::Tool(row.int("old_id")?), SecretOwner::Tool(row.int("new_id")?)));
        }
        for row in tx.fetch_all(RESOURCES_WITH_SECRETS, params![from, to]).await? {
            pairs.push((SecretOwner::Resource(row.int("old_id")?), SecretOwner::Resource(row.int("new_id")?)));
        }
        for (old, new) in pairs {
            let secrets = self.load_secrets(tx, old).await?;
            self.store_secrets(tx, new, to, &secrets).await?;
        }
        Ok(())
    }
}
