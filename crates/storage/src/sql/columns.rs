//! The columns of each kind of object. A struct is mapped to its columns once, by [`columns!`]; lists of columns,
//! placeholders and the conversion of rows are derived from that declaration.

use std::borrow::Cow;
use std::time::Duration;

use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::api_key::{ApiKey, EndpointKey, KeyHash, Scopes};
use toolgate_domain::audit::{Action, AuditEntry, ObjectKind};
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::headers::PlainHeaders;
use toolgate_domain::ids::{
    ApiKeyId, DocumentId, EndpointKeyId, GrantId, OAuthClientId, PromptId, PublicId, ResourceId, ServerCredentialId,
    ServerId, ToolId, UserId,
};
use toolgate_domain::json::JsonObject;
use toolgate_domain::oauth::client::{ClientAuthMethod, ClientKind, ClientStatus, OAuthClient};
use toolgate_domain::oauth::grant::Grant;
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::prompt::{Messages, Prompt, PromptArgument, PromptSpec};
use toolgate_domain::resource::{Resource, ResourceSpec};
use toolgate_domain::server::{EndpointAuth, Server, ServerSpec, ServerStatus};
use toolgate_domain::server_credential::{ServerCredential, ServerCredentialSpec};
use toolgate_domain::slug::Slug;
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::{BodyType, HttpMethod, ResponseType, Tags, Tool, ToolOrigin, ToolSpec, ToolStatus};
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::user::{Role, User};

use super::row::{Param, SqlRow};
use crate::error::Result;
use crate::owner_counts::OwnerCounts;

/// A struct whose fields are columns of the same names.
pub(super) trait Columns: Sized {
    /// The names of the columns.
    fn names() -> Vec<&'static str>;

    /// Fields that are computed when a row is read: their names and expressions.
    fn computed() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Reads the fields from columns whose names begin with `prefix`.
    fn from_columns(row: &SqlRow, prefix: &str) -> Result<Self>;

    /// The columns with their values.
    fn values(&self) -> Values;

    fn from_row(row: &SqlRow) -> Result<Self> {
        Self::from_columns(row, "")
    }

    fn from_rows(rows: &[SqlRow]) -> Result<Vec<Self>> {
        rows.iter().map(Self::from_row).collect()
    }

    /// The names and the computed fields, separated by commas.
    fn list() -> String {
        let computed = Self::computed().into_iter().map(|(name, expression)| format!("{expression} AS {name}"));
        Self::names().into_iter().map(str::to_owned).chain(computed).collect::<Vec<_>>().join(", ")
    }

    /// The columns of `table` for a join, each with `prefix` before its name in the result; only for structs without
    /// computed fields.
    fn list_as(table: &str, prefix: &str) -> String {
        let columns = Self::names().into_iter().map(|name| format!("{table}.{name} AS {prefix}{name}"));
        columns.collect::<Vec<_>>().join(", ")
    }
}

/// Columns with their values.
pub(super) type Values = Vec<(&'static str, Param)>;

/// A value of one column.
trait ColumnValue: Sized {
    fn decode(row: &SqlRow, column: &str) -> Result<Self>;
    fn encode(&self) -> Param;
}

/// Copies the columns of `T` of all rows of server `$1` to server `$2`, at the time `$3`. `others` are further columns
/// with their values.
pub(super) fn copy_to_server<T: Columns>(table: &str, others: &[(&'static str, &'static str)]) -> String {
    let (names, values): (Vec<_>, Vec<_>) = others.iter().copied().unzip();
    let columns = [T::names(), names].concat().join(", ");
    let values = [T::names(), values].concat().join(", ");
    format!(
        "INSERT INTO {table} ({columns}, server_id, created_at, updated_at) SELECT {values}, $2, $3, $3 \
         FROM {table} WHERE server_id = $1 ORDER BY {table}.id"
    )
}

fn column_name(prefix: &str, name: &'static str) -> Cow<'static, str> {
    if prefix.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{prefix}{name}")) }
}

/// Maps a struct to its columns: each field is a column of the same name. The fields of the parts after the semicolon
/// are columns of the same table. The field after `=>` is read from an expression and never written. A field that is
/// missing here does not compile.
macro_rules! columns {
    (
        $type:ty {
            $($field:ident),+ $(=> $computed:ident: $expression:literal)? $(; $($part:ident: $part_type:ty),+)?
        }
    ) => {
        impl Columns for $type {
            fn names() -> Vec<&'static str> {
                [vec![$(stringify!($field)),+] $($(, <$part_type>::names())+)?].concat()
            }

            $(fn computed() -> Vec<(&'static str, &'static str)> {
                vec![(stringify!($computed), $expression)]
            })?

            fn from_columns(row: &SqlRow, prefix: &str) -> Result<Self> {
                Ok(Self {
                    $($field: ColumnValue::decode(row, &column_name(prefix, stringify!($field)))?,)+
                    $($computed: ColumnValue::decode(row, &column_name(prefix, stringify!($computed)))?,)?
                    $($($part: <$part_type>::from_columns(row, prefix)?,)+)?
                })
            }

            fn values(&self) -> Values {
                let values = [$((stringify!($field), ColumnValue::encode(&self.$field))),+].into_iter();
                $($(let values = values.chain(<$part_type>::values(&self.$part));)+)?
                values.collect()
            }
        }
    };
}

columns!(Server { id, user_id, slug, public_id, tool_count, created_at, updated_at; spec: ServerSpec });
columns!(ServerSpec { name, status, auth_type, rate_limit_per_min, settings });

columns!(Tool {
    id,
    server_id,
    sort_order,
    credential_id,
    revision,
    created_at,
    updated_at
    => credential: "(SELECT c.name FROM server_credentials c WHERE c.id = tools.credential_id)";
    origin: Option<ToolOrigin>,
    spec: ToolSpec
});
columns!(ToolSpec {
    name,
    endpoint_url,
    description,
    http_method,
    input_schema,
    parameter_mapping,
    body_type,
    body_required,
    cache_ttl,
    timeout,
    retry_count,
    status,
    tags,
    response_type,
    output_schema,
    required_client_capabilities,
    annotations,
    shaping,
    pinned,
    auth_type,
    headers
});

columns!(Prompt { id, server_id, created_at, updated_at; spec: PromptSpec });
columns!(PromptSpec { name, description, arguments, template_content, messages });

columns!(Resource { id, server_id, created_at, updated_at; spec: ResourceSpec });
columns!(ResourceSpec { uri, name, description, mime_type, data_source_type, template_uri, data_source_config });

columns!(ServerCredential {
    id,
    server_id,
    has_credentials,
    created_at,
    updated_at
    => tools_count: "(SELECT COUNT(*) FROM tools t WHERE t.credential_id = server_credentials.id)";
    spec: ServerCredentialSpec
});
columns!(ServerCredentialSpec { name, auth_type });

columns!(ApiDocument {
    id,
    server_id,
    name,
    url,
    url_headers,
    format,
    version,
    title,
    sha256,
    revision,
    overlay,
    options,
    names,
    created_at,
    updated_at
    => tools_count: "(SELECT COUNT(*) FROM tools t WHERE t.origin_document_id = documents.id)"
});

columns!(User { id, name, role, is_disabled, created_at, updated_at });
columns!(ApiKey { id, user_id, name, hint, scopes, created_at, expires_at });
columns!(EndpointKey { id, server_id, name, hint, created_at, expires_at, last_used_at, rate_limit_per_min });

columns!(OAuthClient {
    id,
    client_id,
    kind,
    status,
    name,
    redirect_uris,
    auth_method,
    secret_hash,
    created_at,
    updated_at,
    last_consent_at
});
columns!(Grant {
    id,
    server_id,
    server_public_id,
    server_name,
    user_id,
    user_name,
    client_id,
    client_identifier,
    client_name,
    client_kind,
    redirect_host,
    scopes,
    created_at,
    last_used_at,
    expires_at,
    ends_at
});

columns!(AuditEntry {
    id,
    at,
    user_id,
    user_name,
    key_id,
    key_name,
    action,
    object_kind,
    object_id,
    object_name,
    server_id,
    fields
});

columns!(OwnerCounts { active_servers, paused_servers, draft_servers, tools, active_tools });

/// Implements [`ColumnValue`] with a method of [`SqlRow`], a conversion of its result, and a conversion to a parameter.
macro_rules! column_values {
    ($($type:ty: $read:ident, $from:expr, $to:expr;)+) => {$(
        impl ColumnValue for $type {
            fn decode(row: &SqlRow, column: &str) -> Result<Self> {
                row.$read(column).map($from)
            }

            fn encode(&self) -> Param {
                Param::from($to(self))
            }
        }
    )+};
}

column_values! {
    i64: int, |integer| integer, |integer: &Self| *integer;
    bool: int, |flag| flag != 0, |flag: &Self| i64::from(*flag);
    Option<i64>: opt_int, |integer| integer, |integer: &Self| *integer;
    Timestamp: time, |time| time, |time: &Self| time.as_millis();
    Option<Timestamp>: opt_int, |time| time.map(Timestamp::from_millis), |time: &Self| time.map(Timestamp::as_millis);
    // Whole seconds.
    Duration: count, Self::from_secs, |time: &Self| time.as_secs().cast_signed();
    UserId: int, Self, |id: &Self| id.0;
    ServerId: int, Self, |id: &Self| id.0;
    ToolId: int, Self, |id: &Self| id.0;
    DocumentId: int, Self, |id: &Self| id.0;
    PromptId: int, Self, |id: &Self| id.0;
    ResourceId: int, Self, |id: &Self| id.0;
    ServerCredentialId: int, Self, |id: &Self| id.0;
    ApiKeyId: int, Self, |id: &Self| id.0;
    EndpointKeyId: int, Self, |id: &Self| id.0;
    OAuthClientId: int, Self, |id: &Self| id.0;
    GrantId: int, Self, |id: &Self| id.0;
    Option<UserId>: opt_int, |id| id.map(UserId), |id: &Self| id.map(|id| id.0);
    Option<ServerId>: opt_int, |id| id.map(ServerId), |id: &Self| id.map(|id| id.0);
    Option<ServerCredentialId>: opt_int, |id| id.map(ServerCredentialId), |id: &Self| id.map(|id| id.0);
    Option<ApiKeyId>: opt_int, |id| id.map(ApiKeyId), |id: &Self| id.map(|id| id.0);
    String: text, |text| text, Self::as_str;
    Option<String>: opt_text, |text| text, Self::as_deref;
    Slug: text, Self::from_stored, Self::as_str;
    PublicId: text, Self::from_stored, Self::as_str;
    EndpointUrl: text, Self::from_stored, Self::as_str;
    JsonObject: text, Self::from_stored, Self::as_str;
    Option<JsonObject>:
        opt_text, |text| text.map(JsonObject::from_stored), |json: &Self| json.as_ref().map(|json| json.as_str().to_owned());
    Option<Messages>:
        opt_text, |text| text.map(Messages::from_stored), |list: &Self| list.as_ref().map(|list| list.as_str().to_owned());
    ParameterMapping: text, Self::from_stored, |mapping: &Self| mapping.as_json().as_str().to_owned();
    Tags: text, |text| Self::from_stored(&text), Self::to_stored;
    Scopes: text, |text| Self::from_stored(&text), |scopes: &Self| scopes.names().join(" ");
    PlainHeaders: json, |headers| headers, |headers| serde_json::to_string(headers).unwrap_or_default();
    Option<KeyHash>: opt_key_hash, |hash| hash, Self::as_ref;
    Vec<String>: json, |list| list, |list| serde_json::to_string(list).unwrap_or_default();
    Vec<PromptArgument>: json, |list| list, |list| serde_json::to_string(list).unwrap_or_default();
}

impl ColumnValue for McpScopes {
    fn decode(row: &SqlRow, column: &str) -> Result<Self> {
        row.parsed(column, Self::parse)
    }

    fn encode(&self) -> Param {
        Param::from(self.to_text())
    }
}

/// Implements [`ColumnValue`] for closed sets, whose stored names may be unknown to this version.
macro_rules! closed_sets {
    ($($type:ty),+) => {$(
        impl ColumnValue for $type {
            fn decode(row: &SqlRow, column: &str) -> Result<Self> {
                row.parsed(column, Self::parse)
            }

            fn encode(&self) -> Param {
                Param::from(self.as_str())
            }
        }
    )+};
}

closed_sets!(
    ServerStatus,
    EndpointAuth,
    ToolStatus,
    HttpMethod,
    BodyType,
    ResponseType,
    AuthType,
    DataSourceType,
    Role,
    Action,
    ObjectKind,
    ClientKind,
    ClientStatus,
    ClientAuthMethod
);
