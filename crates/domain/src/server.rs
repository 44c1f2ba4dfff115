//! Servers: the MCP endpoints that AI clients connect to.

use crate::change::Change;
use crate::closed_set::closed_set;
use crate::fault::Faults;
use crate::ids::{PublicId, ServerId, UserId};
use crate::json::JsonObject;
use crate::owner_fields::owner_fields;
use crate::secrets::Secrets;
use crate::settings::SentSettings;
use crate::slug::Slug;
use crate::time::Timestamp;

/// The transport of every server.
pub const TRANSPORT_TYPE: &str = "streamable-http";
/// Allowed rate limits, in requests per minute; 0 means unlimited. Calls and other requests are counted separately.
pub const RATE_LIMIT_PER_MIN: std::ops::RangeInclusive<i64> = 0..=10_000_000;

closed_set! {
    /// Whether clients may use a server.
    pub enum ServerStatus {
        /// Serves requests.
        Active = "active",
        /// Refuses requests.
        Paused = "paused",
        /// Not published yet.
        Draft = "draft",
    }
}

closed_set! {
    /// What a client must present at the endpoint.
    pub enum EndpointAuth {
        /// No key: the URL contains a secret 128-bit id.
        None = "none",
        /// A key of the server, or an API key of its owner.
        ApiKey = "api-key" | "api_key",
        /// A token of the issuer in `settings.oauth`; keys as well, unless its `keys` is false.
        OAuth = "oauth",
    }
}

owner_fields! {
    /// The fields of a server that its owner sets.
    pub struct ServerSpec;
    /// Fields of a create or update request.
    pub struct ServerPatch;
    required {
        /// Display name.
        name: String,
    }
    optional {
        /// Whether clients may use it.
        status: ServerStatus = ServerStatus::Active,
        /// What clients must present.
        auth_type: EndpointAuth = EndpointAuth::None,
        /// Rate limit in requests per minute; 0 means unlimited. Calls and other requests are counted separately.
        rate_limit_per_min: i64 = 60,
    }
    nullable {}
    resolved {
        /// Settings, without secrets.
        settings: Option<JsonObject> = None, from Change<SentSettings>;
    }
    patch_only {
        /// URL-safe name in the endpoint path.
        slug: Option<Slug>,
        /// The new owner, if the server is handed over.
        user_id: Option<UserId>,
    }
}

/// A stored server.
#[derive(Clone, Debug)]
pub struct Server {
    /// Id used in REST paths.
    pub id: ServerId,
    /// Owner.
    pub user_id: UserId,
    /// URL-safe name in the endpoint path.
    pub slug: Slug,
    /// Opaque id in the endpoint path.
    pub public_id: PublicId,
    /// Number of its tools, of any status.
    pub tool_count: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The fields set by its owner.
    pub spec: ServerSpec,
}

impl Server {
    /// Path of its MCP endpoint.
    pub fn endpoint_path(&self) -> String {
        format!("/mcp/{}/{}", self.slug.as_str(), self.public_id.as_str())
    }
}

impl ServerSpec {
    /// Applies a patch, except the slug: only storage can check that it is unique.
    pub fn apply(&mut self, mut patch: ServerPatch, secrets: &mut Secrets) -> Result<(), Faults> {
        match std::mem::take(&mut patch.settings) {
            Change::Keep => {}
            Change::Clear => {
                self.settings = None;
                *secrets = Secrets::default();
            }
            Change::Set(sent) => self.settings = Some(sent.merge(self.settings.as_ref(), secrets)?),
        }
        self.apply_fields(patch);
        Ok(())
    }
}

closed_set! {
    /// Fields by which a list of servers can be sorted.
    pub enum ServerSort {
        /// By id.
        Id = "id",
        /// By name, ignoring case.
        Name = "name",
        /// By slug.
        Slug = "slug",
        /// By status, alphabetically.
        Status = "status",
        /// By creation time.
        CreatedAt = "created_at",
        /// By time of the last change.
        UpdatedAt = "updated_at",
    }
}
