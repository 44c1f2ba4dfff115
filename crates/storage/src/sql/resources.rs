//! The store of resources in SQL.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::ids::{ResourceId, ServerId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::resource::{RESOURCES_MAX, Resource, ResourcePatch, ResourceSpec};
use toolgate_domain::secrets::Secrets;
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::locks::{check_capacity, limit_and_offset};
use super::row::{Param, SqlRow, params};
use super::secrets::SecretOwner;
use crate::{ResourceStore, Result, StorageError};

pub(super) const COLUMNS: &str = "id, server_id, uri, name, description, mime_type, data_source_type, data_source_config, \
     template_uri, created_at, updated_at";
const SELECT_ONE: &str = "SELECT id, server_id, uri, name, description, mime_type, data_source_type, \
     data_source_config, template_uri, created_at, updated_at FROM resources WHERE server_id = $1 AND id = $2";

const NOT_FOUND: StorageError = StorageError::NotFound(ObjectKind::Resource);

pub(super) fn from_row(row: &SqlRow) -> Result<Resource> {
    Ok(Resource {
        id: ResourceId(row.int("id")?),
        server_id: ServerId(row.int("server_id")?),
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        spec: ResourceSpec {
            uri: row.text("uri")?,
            name: row.text("name")?,
            description: row.text("description")?,
            mime_type: row.text("mime_type")?,
            data_source_type: row.parsed("data_source_type", DataSourceType::parse)?,
            data_source_config: JsonObject::from_stored(row.text("data_source_config")?),
            template_uri: row.opt_text("template_uri")?,
        },
    })
}

/// The parameters of the insert and update statements: `first_id` is `$1`, the fields follow.
fn spec_params(first_id: i64, spec: &ResourceSpec, actor: &Actor) -> Vec<Param> {
    params![
        first_id,
        spec.uri.as_str(),
        spec.name.as_str(),
        spec.description.as_str(),
        spec.mime_type.as_str(),
        spec.data_source_type.as_str(),
        spec.data_source_config.as_str(),
        spec.template_uri.as_deref(),
        actor.at,
    ]
}

#[async_trait]
impl ResourceStore for SqlStorage {
    async fn list_resources(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<Resource>> {
        let total = self.db.server_counts(visibility, server_id).await?.resources;
        let sql = format!("SELECT {COLUMNS} FROM resources WHERE server_id = $1 ORDER BY id LIMIT $2 OFFSET $3");
        let mut params = params![server_id.0];
        params.extend(limit_and_offset(page));
        let rows = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        Ok(Listing { items: rows.iter().map(from_row).collect::<Result<_>>()?, total })
    }

    async fn resource(&self, visibility: Visibility, server_id: ServerId, id: ResourceId) -> Result<Resource> {
        self.db.server_counts(visibility, server_id).await?; // fails if the server is not visible
        let row = self.db.fetch_optional(SELECT_ONE, params![server_id.0, id.0]).await?;
        from_row(&row.ok_or(NOT_FOUND)?)
    }

    async fn resource_secrets(&self, id: ResourceId) -> Result<Secrets> {
        self.read_secrets(SecretOwner::Resource(id.0)).await
    }

    async fn create_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        mut spec: ResourceSpec,
        patch: ResourcePatch,
    ) -> Result<Resource> {
        let mut tx = self.db.begin().await?;
        let counts = tx.lock_server(visibility, server_id).await?;
        check_capacity(counts.resources, RESOURCES_MAX, "resources")?;
        let mut secrets = Secrets::default();
        spec.apply(patch, &mut secrets)?;
        let sql = format!(
            "INSERT INTO resources (server_id, uri, name, description, mime_type, data_source_type, data_source_config, \
             template_uri, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING {COLUMNS}"
        );
        let row = tx.fetch_one(AssertSqlSafe(sql), spec_params(server_id.0, &spec, actor)).await;
        let resource = from_row(&row.map_err(|error| error.or_exists(ObjectKind::Resource, "uri"))?)?;
        self.store_secrets(&mut tx, SecretOwner::Resource(resource.id.0), server_id.0, &secrets).await?;
        tx.audit(actor, Action::Create, ObjectKind::Resource, resource.id.0).await?;
        tx.commit().await?;
        Ok(resource)
    }

    async fn update_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
        patch: ResourcePatch,
    ) -> Result<Resource> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let row = tx.fetch_optional(SELECT_ONE, params![server_id.0, id.0]).await?;
        let mut resource = from_row(&row.ok_or(NOT_FOUND)?)?;
        let touches_secrets = patch.data_source_type.is_some() || patch.data_source_config.is_some();
        let owner = SecretOwner::Resource(id.0);
        let mut secrets = if touches_secrets { self.load_secrets(&mut tx, owner).await? } else { Secrets::default() };
        resource.spec.apply(patch, &mut secrets)?;
        let sql = format!(
            "UPDATE resources SET uri = $2, name = $3, description = $4, mime_type = $5, data_source_type = $6, \
             data_source_config = $7, template_uri = $8, updated_at = $9 WHERE id = $1 RETURNING {COLUMNS}"
        );
        let row = tx.fetch_one(AssertSqlSafe(sql), spec_params(id.0, &resource.spec, actor)).await;
        let resource = from_row(&row.map_err(|error| error.or_exists(ObjectKind::Resource, "uri"))?)?;
        if touches_secrets {
            self.store_secrets(&mut tx, owner, server_id.0, &secrets).await?;
        }
        tx.audit(actor, Action::Update, ObjectKind::Resource, id.0).await?;
        tx.commit().await?;
        Ok(resource)
    }

    async fn delete_resource(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ResourceId,
    ) -> Result<Resource> {
        let mut tx = self.db.begin().await?;
        tx.lock_server(visibility, server_id).await?;
        let sql = format!("DELETE FROM resources WHERE server_id = $1 AND id = $2 RETURNING {COLUMNS}");
        let row = tx.fetch_optional(AssertSqlSafe(sql), params![server_id.0, id.0]).await?;
        let resource = from_row(&row.ok_or(NOT_FOUND)?)?;
        self.store_secrets(&mut tx, SecretOwner::Resource(id.0), server_id.0, &Secrets::default()).await?;
        tx.audit(actor, Action::Delete, ObjectKind::Resource, id.0).await?;
        tx.commit().await?;
        Ok(resource)
    }
}
