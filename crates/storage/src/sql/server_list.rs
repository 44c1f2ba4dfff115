//! Lists of servers: a short walk along an index that has the wanted order, and a total that is never counted.

use domain::page::{Direction, Listing};
use domain::server::{Server, ServerSort, ServerStatus};
use domain::user::Visibility;
use sqlx::AssertSqlSafe;

use super::SqlStorage;
use super::row::{Param, Row};
use super::server_lock::{limits, owner};
use super::servers::{COLUMNS, from_row};
use crate::{OwnerCounts, OwnerCountsReader as _, Result, ServerQuery};

/// Up to so many matches a search sorts what it found; beyond, it walks the order and tests each row.
const FEW: usize = 1000;

/// Conditions and their values, numbered as they are added.
#[derive(Default)]
struct Conditions {
    sql: Vec<String>,
    params: Vec<Param>,
}

impl Conditions {
    /// Owner and status, which every way of listing filters by.
    fn of(visibility: Visibility, status: Option<ServerStatus>) -> Self {
        let mut conditions = Self::default();
        if let Some(user_id) = owner(visibility) {
            conditions.add("user_id = $", user_id);
        }
        if let Some(status) = status {
            conditions.add("status = $", status.as_str());
        }
        conditions
    }

    /// Adds a condition whose `$` becomes the next placeholder.
    fn add(&mut self, sql: &str, param: impl Into<Param>) {
        self.params.push(param.into());
        self.sql.push(sql.replace('$', &format!("${}", self.params.len())));
    }

    fn to_where(&self) -> String {
        if self.sql.is_empty() { String::new() } else { format!("WHERE {}", self.sql.join(" AND ")) }
    }
}

impl SqlStorage {
    pub(super) async fn list_servers_by(&self, visibility: Visibility, query: ServerQuery) -> Result<Listing<Server>> {
        match &query.search {
            Some(search) => self.search_servers(visibility, &query, &search.to_lowercase()).await,
            None => {
                let total = of_status(self.owner_counts(visibility).await?, query.status);
                let items = self.page_of_servers(Conditions::of(visibility, query.status), &query).await?;
                Ok(Listing { items, total })
            }
        }
    }

    async fn search_servers(&self, visibility: Visibility, query: &ServerQuery, text: &str) -> Result<Listing<Server>> {
        let mut matches = Conditions::of(visibility, query.status);
        matches.add("instr(text, $) > 0", text);
        let sql = format!("SELECT server_id FROM server_search {} LIMIT {}", matches.to_where(), FEW + 1);
        let found = self.db.fetch_all(AssertSqlSafe(sql), matches.params.clone()).await?;
        if found.len() <= FEW {
            let ids: Vec<String> =
                found.iter().map(|row| Ok(row.int("server_id")?.to_string())).collect::<Result<_>>()?;
            if ids.is_empty() {
                return Ok(Listing { items: Vec::new(), total: 0 });
            }
            let mut those = Conditions::default();
            those.sql.push(format!("id IN ({})", ids.join(", ")));
            let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
            return Ok(Listing { items: self.page_of_servers(those, query).await?, total });
        }
        let sql = format!("SELECT COUNT(*) AS total FROM server_search {}", matches.to_where());
        let total = self.db.fetch_one(AssertSqlSafe(sql), matches.params).await?.int("total")?;
        let mut walk = Conditions::of(visibility, query.status);
        // A scalar subquery, not a join: it keeps the planner walking in the order of the list.
        walk.add("(SELECT instr(q.text, $) FROM server_search q WHERE q.server_id = servers.id) > 0", text);
        Ok(Listing { items: self.page_of_servers(walk, query).await?, total })
    }

    async fn page_of_servers(&self, conditions: Conditions, query: &ServerQuery) -> Result<Vec<Server>> {
        let placeholders = conditions.params.len();
        let sql = format!(
            "SELECT {COLUMNS} FROM servers {} ORDER BY {} LIMIT ${} OFFSET ${}",
            conditions.to_where(),
            order(query.sort, query.direction),
            placeholders + 1,
            placeholders + 2,
        );
        let mut params = conditions.params;
        params.extend(limits(Some(query.page)));
        let rows: Vec<Row> = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        rows.iter().map(from_row).collect()
    }
}

fn of_status(counts: OwnerCounts, status: Option<ServerStatus>) -> i64 {
    match status {
        None => counts.servers(),
        Some(ServerStatus::Active) => counts.active_servers,
        Some(ServerStatus::Paused) => counts.paused_servers,
        Some(ServerStatus::Draft) => counts.draft_servers,
    }
}

fn order(sort: ServerSort, direction: Direction) -> String {
    let direction = match direction {
        Direction::Asc => "ASC",
        Direction::Desc => "DESC",
    };
    let column = match sort {
        ServerSort::Id => return format!("id {direction}"),
        ServerSort::Name => "name_key",
        ServerSort::Slug => "slug",
        ServerSort::Status => "status",
        ServerSort::CreatedAt => "created_at",
        ServerSort::UpdatedAt => "updated_at",
    };
    format!("{column} {direction}, id {direction}")
}
