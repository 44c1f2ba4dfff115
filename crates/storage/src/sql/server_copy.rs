//! Copies a server with its objects. Rows are copied inside the database; secrets are decrypted and encrypted again,
//! because a sealed secret is bound to the object it was sealed for.

use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{PublicId, ServerId};
use toolgate_domain::server::{Server, ServerStatus};
use toolgate_domain::slug::Slug;
use toolgate_domain::text::NAME_MAX;
use toolgate_domain::tool::COPY_SUFFIX;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::row::params;
use super::secrets::SecretOwner;
use super::tx::Tx;
use crate::Result;

const COPY_TOOLS: &str = "INSERT INTO tools (server_id, name, description, endpoint_url, http_method, input_schema, \
     auth_type, parameter_mapping, headers, body_type, cache_ttl, timeout, retry_count, sort_order, status, \
     response_type, output_schema, required_client_capabilities, annotations, revision, created_at, updated_at) \
     SELECT $2, name, description, endpoint_url, http_method, input_schema, auth_type, parameter_mapping, headers, \
     body_type, cache_ttl, timeout, retry_count, sort_order, status, response_type, output_schema, \
     required_client_capabilities, annotations, 1, $3, $3 FROM tools WHERE server_id = $1 ORDER BY id";
const COPY_PROMPTS: &str = "INSERT INTO prompts (server_id, name, description, arguments, template_content, messages, \
     created_at, updated_at) SELECT $2, name, description, arguments, template_content, messages, $3, $3 \
     FROM prompts WHERE server_id = $1 ORDER BY id";
const COPY_RESOURCES: &str = "INSERT INTO resources (server_id, uri, name, description, mime_type, data_source_type, \
     data_source_config, template_uri, created_at, updated_at) SELECT $2, uri, name, description, mime_type, \
     data_source_type, data_source_config, template_uri, $3, $3 FROM resources WHERE server_id = $1 ORDER BY id";
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
        for statement in [COPY_TOOLS, COPY_PROMPTS, COPY_RESOURCES] {
            tx.execute(statement, params![id.0, copy.id.0, actor.at]).await?;
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
