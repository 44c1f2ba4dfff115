//! Reads the audit log. Every change writes its row itself, in its own transaction.

use async_trait::async_trait;
use toolgate_domain::audit::{Action, AuditEntry, ObjectKind};
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Selects audit rows; `None` means no filter.
#[derive(Clone, Copy, Debug)]
pub struct AuditQuery {
    /// Visibility of the caller. A user sees the changes of their own servers, also of deleted ones, of servers shared
    /// with them, and of the objects of these servers. The new owner of a server also sees its earlier changes.
    pub visibility: Visibility,
    /// Changes by this user.
    pub user: Option<UserId>,
    /// Changes of this server and of its objects.
    pub server: Option<ServerId>,
    /// Changes of objects of this kind.
    pub object_kind: Option<ObjectKind>,
    /// Changes of objects with this id.
    pub object_id: Option<i64>,
    /// Changes of this type.
    pub action: Option<Action>,
    /// Earliest time, inclusive.
    pub from: Option<Timestamp>,
    /// Latest time, exclusive.
    pub until: Option<Timestamp>,
    /// The page.
    pub page: Page,
}

/// Reads the audit log.
#[async_trait]
pub trait AuditReader {
    /// One page of the matching changes, newest first.
    async fn audit_entries(&self, query: &AuditQuery) -> Result<Listing<AuditEntry>>;
}
