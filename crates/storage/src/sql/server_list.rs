//! Lists of servers: a short walk along an index that has the wanted order, and a total that is never counted.

use sqlx::AssertSqlSafe;
use toolgate_domain::page::{Direction, Listing, Page};
use toolgate_domain::server::{Server, ServerSort, ServerStatus};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::conditions::Conditions;
use super::locks::owner_filter;
use super::row::{Param, SqlRow};
use super::servers::{COLUMNS, from_row};
use crate::{OwnerCounts, OwnerCountsReader as _, Result, ServerQuery};

/// A page behind so many rows is far.
const NEAR_OFFSET_MAX: i64 = 200;
/// Up to so many matches a search sorts what it found; beyond, it walks the order and tests each row.
const SORTED_MATCHES_MAX: usize = 1000;

impl Conditions {
    /// Owner and status, which every way of listing filters by.
    fn for_servers(visibility: Visibility, status: Option<ServerStatus>) -> Self {
        let mut conditions = Self::default();
        if let Some(user_id) = owner_filter(visibility) {
            conditions.add("user_id = $", user_id);
        }
        if let Some(status) = status {
            conditions.add("status = $", status.as_str());
        }
        conditions
    }

    /// A search of so many matches that each row is tested on the way. A scalar subquery, not a join: it
    /// keeps the planner walking in the order of the list.
    fn for_search_scan(visibility: Visibility, status: Option<ServerStatus>, text: &str) -> Self {
        let mut conditions = Self::for_servers(visibility, status);
        conditions.add("(SELECT instr(q.text, $) FROM server_search q WHERE q.server_id = servers.id) > 0", text);
        conditions
    }
}

impl SqlStorage {
    pub(super) async fn list_servers_by(&self, visibility: Visibility, query: ServerQuery) -> Result<Listing<Server>> {
        if let Some(search) = &query.search {
            return self.search_servers(visibility, &query, &search_form(search)).await;
        }
        let total = count_with_status(self.owner_counts(visibility).await?, query.status);
        let items = self.page_of_servers(Conditions::for_servers(visibility, query.status), &query, total).await?;
        Ok(Listing { items, total })
    }

    async fn search_servers(&self, visibility: Visibility, query: &ServerQuery, text: &str) -> Result<Listing<Server>> {
        // No stored text holds it, and PostgreSQL takes no text that does.
        if text.contains('\0') {
            return Ok(Listing { items: Vec::new(), total: 0 });
        }
        let mut matches = Conditions::for_servers(visibility, query.status);
        matches.add("instr(text, $) > 0", text);
        let sql =
            format!("SELECT server_id FROM server_search {} LIMIT {}", matches.to_where(), SORTED_MATCHES_MAX + 1);
        let found = self.db.fetch_all(AssertSqlSafe(sql), matches.params.clone()).await?;
        if found.len() <= SORTED_MATCHES_MAX {
            let ids: Vec<String> =
                found.iter().map(|row| Ok(row.int("server_id")?.to_string())).collect::<Result<_>>()?;
            if ids.is_empty() {
                return Ok(Listing { items: Vec::new(), total: 0 });
            }
            let mut those = Conditions::default();
            those.sql.push(format!("id IN ({})", ids.join(", ")));
            let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
            return Ok(Listing { items: self.page_of_servers(those, query, total).await?, total });
        }
        let sql = format!("SELECT COUNT(*) AS total FROM server_search {}", matches.to_where());
        let total = self.db.fetch_one(AssertSqlSafe(sql), matches.params).await?.int("total")?;
        let scan = Conditions::for_search_scan(visibility, query.status, text);
        Ok(Listing { items: self.page_of_servers(scan, query, total).await?, total })
    }

    async fn page_of_servers(&self, conditions: Conditions, query: &ServerQuery, total: i64) -> Result<Vec<Server>> {
        let Some(scan) = PageScan::new(query.page, total) else { return Ok(Vec::new()) };
        let direction = if scan.is_backwards { opposite(query.direction) } else { query.direction };
        let sql = match scan.offset {
            ..=NEAR_OFFSET_MAX => page_sql(&conditions, query.sort, direction),
            _ => far_page_sql(&conditions, query.sort, direction),
        };
        let mut params = conditions.params;
        params.extend([Param::from(scan.limit), Param::from(scan.offset)]);
        let mut rows: Vec<SqlRow> = self.db.fetch_all(AssertSqlSafe(sql), params).await?;
        if scan.is_backwards {
            rows.reverse();
        }
        rows.iter().map(from_row).collect()
    }
}

/// The way to a page from the nearer end of the list: the last page is as near as the first.
#[derive(Debug, PartialEq, Eq)]
struct PageScan {
    is_backwards: bool,
    limit: i64,
    offset: i64,
}

impl PageScan {
    /// `None` when the list ends before the page.
    fn new(page: Page, total: i64) -> Option<Self> {
        let (size, offset) = (i64::from(page.size), page.offset());
        let remaining = total - offset;
        if remaining <= 0 {
            return None;
        }
        if offset <= total / 2 {
            return Some(Self { is_backwards: false, limit: size, offset });
        }
        let limit = size.min(remaining);
        Some(Self { is_backwards: true, limit, offset: remaining - limit })
    }
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Asc => Direction::Desc,
        Direction::Desc => Direction::Asc,
    }
}

fn page_sql(conditions: &Conditions, sort: ServerSort, direction: Direction) -> String {
    let placeholders = conditions.params.len();
    format!(
        "SELECT {COLUMNS} FROM servers {} ORDER BY {} LIMIT ${} OFFSET ${}",
        conditions.to_where(),
        order(sort, direction),
        placeholders + 1,
        placeholders + 2,
    )
}

/// A page far from both ends: what lies before it is passed over in the index alone, and only its own rows are fetched.
fn far_page_sql(conditions: &Conditions, sort: ServerSort, direction: Direction) -> String {
    let ids = page_sql(conditions, sort, direction).replacen(COLUMNS, "id", 1);
    format!("SELECT {COLUMNS} FROM servers WHERE id IN ({ids}) ORDER BY {}", order(sort, direction))
}

/// Text without its case. Sigma has two lower-case forms, chosen by what follows it, which a part of a word cannot know.
pub(super) fn search_form(text: &str) -> String {
    text.to_lowercase().replace('ς', "σ")
}

fn count_with_status(counts: OwnerCounts, status: Option<ServerStatus>) -> i64 {
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

#[cfg(test)]
mod tests;
