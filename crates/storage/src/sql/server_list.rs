//! Lists of servers. A page is a short scan of an index in the requested order. Without a search, the total comes from
//! the owner counters, so no rows are counted.

use sqlx::AssertSqlSafe;
use toolgate_domain::ids::UserId;
use toolgate_domain::page::{Direction, Listing, Page};
use toolgate_domain::server::{EndpointAuth, Server, ServerSort, ServerStatus};
use toolgate_domain::user::Visibility;

use super::SqlStorage;
use super::columns::Columns as _;
use super::conditions::Conditions;
use super::row::{Param, SqlRow, params};
use super::server_access::SHARED_SERVERS;
use crate::error::Result;
use crate::owner_counts::{OwnerCounts, OwnerCountsReader as _};
use crate::servers::ServerQuery;

/// The largest offset of a page that is read directly; a page farther away is read by [`far_page_sql`].
const NEAR_OFFSET_MAX: i64 = 200;
/// Up to this many matches, a search sorts the matches; with more, it scans an index in order and tests each row.
const SORTED_MATCHES_MAX: usize = 1000;

/// The servers that a list can contain. A user with whom no server is shared has a separate variant, because its
/// statement scans an index in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListedServers {
    All,
    OwnedBy(UserId),
    OwnedByOrSharedWith(UserId),
}

impl Conditions {
    /// The filters for caller and status, which every list has. `id` is the column with the server's id.
    fn for_servers(servers: ListedServers, id: &str, status: Option<ServerStatus>) -> Self {
        let mut conditions = Self::default();
        match servers {
            ListedServers::All => {}
            ListedServers::OwnedBy(user) => conditions.add("user_id = $", user.0),
            ListedServers::OwnedByOrSharedWith(user) => {
                conditions.add(&format!("(user_id = $ OR {id} IN {SHARED_SERVERS})"), user.0);
            }
        }
        if let Some(status) = status {
            conditions.add("status = $", status.as_str());
        }
        conditions
    }

    /// The filter of a search with many matches, which is tested for each row of the scan. It is a scalar subquery and
    /// not a join, because a join would let the planner leave the order of the index.
    fn for_search_scan(servers: ListedServers, status: Option<ServerStatus>, text: &str) -> Self {
        let mut conditions = Self::for_servers(servers, "id", status);
        conditions.add("(SELECT instr(q.text, $) FROM server_search q WHERE q.server_id = servers.id) > 0", text);
        conditions
    }
}

impl SqlStorage {
    pub(super) async fn list_matching_servers(
        &self,
        visibility: Visibility,
        query: ServerQuery,
    ) -> Result<Listing<Server>> {
        let servers = self.listed_servers(visibility).await?;
        if let Some(search) = &query.search {
            return self.search_servers(servers, &query, &search_form(search)).await;
        }
        let total = count_with_status(self.owner_counts(visibility).await?, query.status);
        let conditions = Conditions::for_servers(servers, "id", query.status);
        let items = self.page_of_servers(conditions, &query, total).await?;
        Ok(Listing { items, total })
    }

    pub(super) async fn find_open_servers(&self, limit: u32) -> Result<Listing<Server>> {
        let mut open = Conditions::for_servers(ListedServers::All, "id", Some(ServerStatus::Active));
        open.add("auth_type = $", EndpointAuth::None.as_str());
        let filter = open.to_where_clause();
        let sql = format!("SELECT COUNT(*) AS total FROM servers {filter}");
        let total = self.db.fetch_one(AssertSqlSafe(sql), open.params.clone()).await?.int("total")?;
        let sql = format!("SELECT {} FROM servers {filter} ORDER BY id LIMIT {limit}", Server::list());
        let rows = self.db.fetch_all(AssertSqlSafe(sql), open.params).await?;
        Ok(Listing { items: Server::from_rows(&rows)?, total })
    }

    async fn listed_servers(&self, visibility: Visibility) -> Result<ListedServers> {
        let Visibility::User(user) = visibility else { return Ok(ListedServers::All) };
        let sql = "SELECT server_id FROM server_members WHERE user_id = $1 LIMIT 1";
        let is_member = self.db.fetch_optional(sql, params![user.0]).await?.is_some();
        Ok(if is_member { ListedServers::OwnedByOrSharedWith(user) } else { ListedServers::OwnedBy(user) })
    }

    async fn search_servers(&self, servers: ListedServers, query: &ServerQuery, text: &str) -> Result<Listing<Server>> {
        // No stored text contains a NUL character, and PostgreSQL rejects it in parameters.
        if text.contains('\0') {
            return Ok(Listing { items: Vec::new(), total: 0 });
        }
        let mut matches = Conditions::for_servers(servers, "server_id", query.status);
        matches.add("instr(text, $) > 0", text);
        let sql = format!(
            "SELECT server_id FROM server_search {} LIMIT {}",
            matches.to_where_clause(),
            SORTED_MATCHES_MAX + 1
        );
        let rows = self.db.fetch_all(AssertSqlSafe(sql), matches.params.clone()).await?;
        if rows.len() <= SORTED_MATCHES_MAX {
            let ids: Vec<String> =
                rows.iter().map(|row| Ok(row.int("server_id")?.to_string())).collect::<Result<_>>()?;
            if ids.is_empty() {
                return Ok(Listing { items: Vec::new(), total: 0 });
            }
            let mut by_ids = Conditions::default();
            by_ids.sql.push(format!("id IN ({})", ids.join(", ")));
            let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
            return Ok(Listing { items: self.page_of_servers(by_ids, query, total).await?, total });
        }
        let sql = format!("SELECT COUNT(*) AS total FROM server_search {}", matches.to_where_clause());
        let total = self.db.fetch_one(AssertSqlSafe(sql), matches.params).await?.int("total")?;
        let scan = Conditions::for_search_scan(servers, query.status, text);
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
        Server::from_rows(&rows)
    }
}

/// The scan that reads a page from the nearer end of the list, so that the last page is as fast as the first.
#[derive(Debug, PartialEq, Eq)]
struct PageScan {
    is_backwards: bool,
    limit: i64,
    offset: i64,
}

impl PageScan {
    /// `None` if the list ends before the page.
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
    select_page(&Server::list(), conditions, sort, direction)
}

fn select_page(columns: &str, conditions: &Conditions, sort: ServerSort, direction: Direction) -> String {
    let placeholders = conditions.params.len();
    format!(
        "SELECT {columns} FROM servers {} ORDER BY {} LIMIT ${} OFFSET ${}",
        conditions.to_where_clause(),
        order_by(sort, direction),
        placeholders + 1,
        placeholders + 2,
    )
}

/// The statement for a page with a large offset: skips entries in the index only, and reads only the page's rows.
fn far_page_sql(conditions: &Conditions, sort: ServerSort, direction: Direction) -> String {
    let ids = select_page("id", conditions, sort, direction);
    format!("SELECT {} FROM servers WHERE id IN ({ids}) ORDER BY {}", Server::list(), order_by(sort, direction))
}

/// Lower-case text for comparison. The two lower-case forms of sigma become one: the final form depends on the end of
/// the word, which a search for a part of a word does not contain.
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

fn order_by(sort: ServerSort, direction: Direction) -> String {
    let direction = direction.as_str();
    let column = match sort {
        ServerSort::Id => return format!("id {direction}"),
        ServerSort::Name => "name_key",
        other => other.as_str(),
    };
    format!("{column} {direction}, id {direction}")
}

#[cfg(test)]
mod tests;
