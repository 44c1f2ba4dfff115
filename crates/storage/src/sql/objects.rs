//! The statements that are the same for every kind of object. An object is a row of one table.

use sqlx::AssertSqlSafe;
use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::api_key::{ApiKey, EndpointKey};
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::ServerId;
use toolgate_domain::oauth::client::OAuthClient;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::prompt::Prompt;
use toolgate_domain::resource::Resource;
use toolgate_domain::server::Server;
use toolgate_domain::server_credential::ServerCredential;
use toolgate_domain::tool::Tool;
use toolgate_domain::user::User;

use super::audit::AuditedObject;
use super::columns::{Columns, Values};
use super::database::SqlDatabase;
use super::locks::limit_and_offset;
use super::row::{Param, SqlRow, params};
use super::tx::Tx;
use crate::error::{Result, StorageError};

/// A kind of object.
pub(super) trait StoredObject: Columns {
    const KIND: ObjectKind;
    const TABLE: &'static str;
    /// The field that must be unique.
    const UNIQUE_FIELD: &'static str;

    /// Reads the object from its row, if there is one.
    fn from_found(row: Option<SqlRow>) -> Result<Self> {
        Self::from_row(&row.ok_or(StorageError::NotFound(Self::KIND))?)
    }
}

macro_rules! stored_objects {
    ($($type:ident: $table:literal, $unique_field:literal;)+) => {$(
        impl StoredObject for $type {
            const KIND: ObjectKind = ObjectKind::$type;
            const TABLE: &'static str = $table;
            const UNIQUE_FIELD: &'static str = $unique_field;
        }
    )+};
}

stored_objects! {
    Server: "servers", "slug";
    Tool: "tools", "name";
    Prompt: "prompts", "name";
    Resource: "resources", "uri";
    ServerCredential: "server_credentials", "name";
    ApiDocument: "documents", "name";
    User: "users", "name";
    ApiKey: "api_keys", "secret";
    EndpointKey: "endpoint_keys", "secret";
    OAuthClient: "oauth_clients", "client_id";
}

impl AuditedObject {
    /// The object in a row of its table.
    fn from_row<T: StoredObject>(row: &SqlRow) -> Result<Self> {
        let id = row.int("id")?;
        let server_id = match T::KIND {
            ObjectKind::Server => Some(id),
            _ if T::names().contains(&"server_id") => Some(row.int("server_id")?),
            _ => None,
        };
        Ok(Self { kind: T::KIND, id, name: row.text("name")?, server_id, owner_id: None })
    }
}

/// Selects one object of a server.
fn select_in_server<T: StoredObject>() -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("SELECT {} FROM {} WHERE server_id = $1 AND id = $2", T::list(), T::TABLE))
}

impl SqlDatabase {
    /// All objects of a kind ordered by id, or one page of them.
    pub(super) async fn list<T: StoredObject>(&self, page: Option<Page>) -> Result<Listing<T>> {
        let count_sql = format!("SELECT COUNT(*) AS total FROM {}", T::TABLE);
        let total = self.fetch_one(AssertSqlSafe(count_sql), vec![]).await?.int("total")?;
        let sql = format!("SELECT {} FROM {} ORDER BY id LIMIT $1 OFFSET $2", T::list(), T::TABLE);
        let rows = self.fetch_all(AssertSqlSafe(sql), limit_and_offset(page).into()).await?;
        Ok(Listing { items: T::from_rows(&rows)?, total })
    }

    pub(super) async fn find<T: StoredObject>(&self, id: i64) -> Result<T> {
        let sql = format!("SELECT {} FROM {} WHERE id = $1", T::list(), T::TABLE);
        T::from_found(self.fetch_optional(AssertSqlSafe(sql), params![id]).await?)
    }

    /// All objects of a server ordered by id, or one page of them.
    pub(super) async fn list_in_server<T: StoredObject>(&self, id: ServerId, page: Option<Page>) -> Result<Vec<T>> {
        let sql = format!("SELECT {} FROM {} WHERE server_id = $1 ORDER BY id LIMIT $2 OFFSET $3", T::list(), T::TABLE);
        let mut params = params![id.0];
        params.extend(limit_and_offset(page));
        T::from_rows(&self.fetch_all(AssertSqlSafe(sql), params).await?)
    }

    pub(super) async fn find_in_server<T: StoredObject>(&self, server_id: ServerId, id: i64) -> Result<T> {
        T::from_found(self.fetch_optional(select_in_server::<T>(), params![server_id.0, id]).await?)
    }
}

/// Each change of an object also writes its audit row.
impl Tx {
    pub(super) async fn find_in_server<T: StoredObject>(&mut self, server_id: ServerId, id: i64) -> Result<T> {
        T::from_found(self.fetch_optional(select_in_server::<T>(), params![server_id.0, id]).await?)
    }

    /// Inserts an object with these values and the time of the change.
    pub(super) async fn insert<T: StoredObject>(
        &mut self,
        actor: &Actor,
        action: Action,
        mut values: Values,
    ) -> Result<T> {
        let times = ["created_at", "updated_at"].into_iter().filter(|column| T::names().contains(column));
        values.extend(times.map(|column| (column, actor.at.into())));
        let (columns, params): (Vec<_>, Vec<_>) = values.into_iter().unzip();
        let placeholders: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
        let (columns, placeholders) = (columns.join(", "), placeholders.join(", "));
        let sql = format!("INSERT INTO {} ({columns}) VALUES ({placeholders}) RETURNING {}", T::TABLE, T::list());
        self.change(actor, action, sql, params).await
    }

    /// Updates an object with these values and the time of the change.
    pub(super) async fn update<T: StoredObject>(&mut self, actor: &Actor, id: i64, mut values: Values) -> Result<T> {
        values.push(("updated_at", actor.at.into()));
        let (columns, mut params): (Vec<_>, Vec<_>) = values.into_iter().unzip();
        let assignments: Vec<String> = (1..).zip(columns).map(|(number, name)| format!("{name} = ${number}")).collect();
        params.push(id.into());
        let (assignments, id_number) = (assignments.join(", "), params.len());
        let sql = format!("UPDATE {} SET {assignments} WHERE id = ${id_number} RETURNING {}", T::TABLE, T::list());
        self.change(actor, Action::Update, sql, params).await
    }

    /// Deletes an object of a locked server and returns it.
    pub(super) async fn delete_in_server<T: StoredObject>(
        &mut self,
        actor: &Actor,
        server_id: ServerId,
        id: i64,
    ) -> Result<T> {
        let sql = format!("DELETE FROM {} WHERE server_id = $1 AND id = $2 RETURNING {}", T::TABLE, T::list());
        self.change(actor, Action::Delete, sql, params![server_id.0, id]).await
    }

    /// Runs a statement that changes one object and returns its columns.
    pub(super) async fn change<T: StoredObject>(
        &mut self,
        actor: &Actor,
        action: Action,
        sql: String,
        params: Vec<Param>,
    ) -> Result<T> {
        let row = self.fetch_optional(AssertSqlSafe(sql), params).await;
        let row = row.map_err(|error| error.or_exists(T::KIND, T::UNIQUE_FIELD))?;
        let row = row.ok_or(StorageError::NotFound(T::KIND))?;
        self.audit(actor, action, &AuditedObject::from_row::<T>(&row)?).await?;
        T::from_row(&row)
    }
}
