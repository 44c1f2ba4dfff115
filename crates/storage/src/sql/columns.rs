//! The columns of each kind of object. A struct is mapped to its columns once, by [`columns!`]; lists of columns,
//! placeholders and the conversion of rows are derived from that declaration.

use std::borrow::Cow;
use std::time::Duration;

use sqlx::AssertSqlSafe;
use toolgate_domain::api_key::{ApiKey, EndpointKey, Scopes};
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::headers::PlainHeaders;
use toolgate_domain::ids::{ApiKeyId, EndpointKeyId, PromptId, PublicId, ResourceId, ServerId, ToolId, UserId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::prompt::{Messages, Prompt, PromptArgument, PromptSpec};
use toolgate_domain::resource::{Resource, ResourceSpec};
use toolgate_domain::server::{EndpointAuth, Server, ServerSpec, ServerStatus};
use toolgate_domain::slug::Slug;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{BodyType, HttpMethod, ResponseType, Tool, ToolSpec, ToolStatus};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::user::{Role, User};

use super::row::{Param, SqlRow};
use crate::error::Result;

/// A struct whose fields are columns of the same names.
pub(super) trait Columns: Sized {
    /// The names of the columns.
    fn names() -> Vec<&'static str>;

    /// Reads the fields from columns whose names begin with `prefix`.
    fn from_columns(row: &SqlRow, prefix: &str) -> Result<Self>;

    /// The columns with their values.
    fn values(&self) -> Vec<(&'static str, Param)>;

    fn from_row(row: &SqlRow) -> Result<Self> {
        Self::from_columns(row, "")
    }

    fn from_rows(rows: &[SqlRow]) -> Result<Vec<Self>> {
        rows.iter().map(Self::from_row).collect()
    }

    /// The names, separated by commas.
    fn list() -> String {
        Self::names().join(", ")
    }

    /// The columns of `table` for a join, each with `prefix` before its name in the result.
    fn list_as(table: &str, prefix: &str) -> String {
        let columns = Self::names().into_iter().map(|name| format!("{table}.{name} AS {prefix}{name}"));
        columns.collect::<Vec<_>>().join(", ")
    }
}

/// A statement and its parameters.
pub(super) type Statement = (AssertSqlSafe<String>, Vec<Param>);

/// A value of one column.
trait ColumnValue: Sized {
    fn decode(row: &SqlRow, column: &str) -> Result<Self>;
    fn encode(&self) -> Param;
}

/// An `INSERT` of one row that returns the columns of `T`.
pub(super) fn insert<T: Columns>(table: &str, values: Vec<(&'static str, Param)>) -> Statement {
    let (columns, params): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    let placeholders: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
    let sql = format!(
        "INSERT INTO {table} ({}) VALUES ({}) RETURNING {}",
        columns.join(", "),
        placeholders.join(", "),
        T::list()
    );
    (AssertSqlSafe(sql), params)
}

/// An `UPDATE` of the row with this id that returns the columns of `T`.
pub(super) fn update<T: Columns>(table: &str, id: i64, values: Vec<(&'static str, Param)>) -> Statement {
    let (columns, mut params): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    let assignments: Vec<String> = (1..).zip(columns).map(|(number, name)| format!("{name} = ${number}")).collect();
    params.push(id.into());
    let sql =
        format!("UPDATE {table} SET {} WHERE id = ${} RETURNING {}", assignments.join(", "), params.len(), T::list());
    (AssertSqlSafe(sql), params)
}

/// Copies the columns of `T` of all rows of server `$1` to server `$2`, at the time `$3`. `others` are further columns
/// with their values.
pub(super) fn copy_to_server<T: Columns>(table: &str, others: &[(&'static str, &'static str)]) -> String {
    let (names, values): (Vec<_>, Vec<_>) = others.iter().copied().unzip();
    let columns = [T::names(), names].concat().join(", ");
    let values = [T::names(), values].concat().join(", ");
    format!(
        "INSERT INTO {table} ({columns}, server_id, created_at, updated_at) SELECT {values}, $2, $3, $3 \
         FROM {table} WHERE server_id = $1 ORDER BY id"
    )
}

fn column_name(prefix: &str, name: &'static str) -> Cow<'static, str> {
    if prefix.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{prefix}{name}")) }
}

/// Maps a struct to its columns: each field is a column of the same name. The fields of `spec`, if there is one, are
/// columns of the same table. A field that is missing here does not compile.
macro_rules! columns {
    ($type:ty { $($field:ident),+ $(; spec: $spec:ty)? }) => {
        impl Columns for $type {
            fn names() -> Vec<&'static str> {
                [vec![$(stringify!($field)),+] $(, <$spec>::names())?].concat()
            }

            fn from_columns(row: &SqlRow, prefix: &str) -> Result<Self> {
                Ok(Self {
                    $($field: ColumnValue::decode(row, &column_name(prefix, stringify!($field)))?,)+
                    $(spec: <$spec>::from_columns(row, prefix)?,)?
                })
            }

            fn values(&self) -> Vec<(&'static str, Param)> {
                let values = [$((stringify!($field), ColumnValue::encode(&self.$field))),+].into_iter();
                $(let values = values.chain(<$spec>::values(&self.spec));)?
                values.collect()
            }
        }
    };
}

columns!(Server { id, user_id, slug, public_id, tool_count, created_at, updated_at; spec: ServerSpec });
columns!(ServerSpec { name, status, auth_type, rate_limit_per_min, settings });

columns!(Tool { id, server_id, sort_order, revision, created_at, updated_at; spec: ToolSpec });
columns!(ToolSpec {
    name,
    endpoint_url,
    description,
    http_method,
    input_schema,
    parameter_mapping,
    body_type,
    cache_ttl,
    timeout,
    retry_count,
    status,
    response_type,
    output_schema,
    required_client_capabilities,
    annotations,
    auth_type,
    headers
});

columns!(Prompt { id, server_id, created_at, updated_at; spec: PromptSpec });
columns!(PromptSpec { name, description, arguments, template_content, messages });

columns!(Resource { id, server_id, created_at, updated_at; spec: ResourceSpec });
columns!(ResourceSpec { uri, name, description, mime_type, data_source_type, template_uri, data_source_config });

columns!(User { id, name, role, created_at, updated_at });
columns!(ApiKey { id, user_id, name, hint, scopes, created_at, expires_at });
columns!(EndpointKey { id, server_id, name, hint, created_at });

/// Implements [`ColumnValue`] for types that are stored as integers.
macro_rules! integers {
    ($($type:ty: $from:expr, $to:expr;)+) => {$(
        impl ColumnValue for $type {
            fn decode(row: &SqlRow, column: &str) -> Result<Self> {
                row.int(column).map($from)
            }

            fn encode(&self) -> Param {
                Param::from($to(*self))
            }
        }
    )+};
}

integers! {
    i64: |integer| integer, |integer| integer;
    Timestamp: Timestamp::from_millis, Timestamp::as_millis;
    // Whole seconds.
    Duration: |secs| Self::from_secs(secs.try_into().unwrap_or_default()), |time: Self| time.as_secs().cast_signed();
    UserId: Self, |id: Self| id.0;
    ServerId: Self, |id: Self| id.0;
    ToolId: Self, |id: Self| id.0;
    PromptId: Self, |id: Self| id.0;
    ResourceId: Self, |id: Self| id.0;
    ApiKeyId: Self, |id: Self| id.0;
    EndpointKeyId: Self, |id: Self| id.0;
}

/// Implements [`ColumnValue`] for types that are stored as text and were validated before they were stored.
macro_rules! texts {
    ($($type:ty: $from:expr, $to:expr;)+) => {$(
        impl ColumnValue for $type {
            fn decode(row: &SqlRow, column: &str) -> Result<Self> {
                row.text(column).map($from)
            }

            fn encode(&self) -> Param {
                Param::from($to(self))
            }
        }
    )+};
}

texts! {
    String: |text| text, String::as_str;
    Slug: Self::from_stored, Self::as_str;
    PublicId: Self::from_stored, Self::as_str;
    EndpointUrl: Self::from_stored, Self::as_str;
    JsonObject: Self::from_stored, Self::as_str;
    ParameterMapping: Self::from_stored, |mapping: &Self| mapping.as_json().as_str().to_owned();
    Scopes: |text| Self::from_stored(&text), |scopes: &Self| scopes.names().join(" ");
}

/// Implements [`ColumnValue`] for types whose stored text may be unknown to this version.
macro_rules! parsed {
    ($($type:ty: $from:expr, $to:expr;)+) => {$(
        impl ColumnValue for $type {
            fn decode(row: &SqlRow, column: &str) -> Result<Self> {
                row.parsed(column, $from)
            }

            fn encode(&self) -> Param {
                Param::from($to(self))
            }
        }
    )+};
}

parsed! {
    ServerStatus: Self::parse, |name: &Self| name.as_str();
    EndpointAuth: Self::parse, |name: &Self| name.as_str();
    ToolStatus: Self::parse, |name: &Self| name.as_str();
    HttpMethod: Self::parse, |name: &Self| name.as_str();
    BodyType: Self::parse, |name: &Self| name.as_str();
    ResponseType: Self::parse, |name: &Self| name.as_str();
    AuthType: Self::parse, |name: &Self| name.as_str();
    DataSourceType: Self::parse, |name: &Self| name.as_str();
    Role: Self::parse, |name: &Self| name.as_str();
    PlainHeaders: |json| serde_json::from_str(json).ok(), |headers| serde_json::to_string(headers).unwrap_or_default();
    Vec<PromptArgument>: |json| serde_json::from_str(json).ok(), |list| serde_json::to_string(list).unwrap_or_default();
}

/// Implements [`ColumnValue`] for nullable columns.
macro_rules! nullable {
    ($($type:ty: $read:ident, $from:expr, $to:expr;)+) => {$(
        impl ColumnValue for Option<$type> {
            fn decode(row: &SqlRow, column: &str) -> Result<Self> {
                Ok(row.$read(column)?.map($from))
            }

            fn encode(&self) -> Param {
                Param::from(self.as_ref().map($to))
            }
        }
    )+};
}

nullable! {
    Timestamp: opt_int, Timestamp::from_millis, |time| time.as_millis();
    String: opt_text, |text| text, String::as_str;
    JsonObject: opt_text, JsonObject::from_stored, JsonObject::as_str;
    Messages: opt_text, Messages::from_stored, Messages::as_str;
}
