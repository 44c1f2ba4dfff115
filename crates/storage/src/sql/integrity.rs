//! Integrity checks of the whole database, for operators (after a machine crash or a restore) and for tests that kill
//! the process. The service itself does not run them.

use super::SqlStorage;
use crate::error::Result;

/// Checks of redundant data: an object in the singular, its problem, and a query for the number of such objects.
const CONSISTENCY_CHECKS: [(&str, &str, &str); 5] = [
    (
        "server",
        "whose tool_count is wrong",
        "SELECT COUNT(*) AS wrong FROM servers s WHERE s.tool_count <> (SELECT COUNT(*) FROM tools t WHERE t.server_id = s.id) \
         OR s.active_tool_count <> (SELECT COUNT(*) FROM tools t WHERE t.server_id = s.id AND t.status = 'active')",
    ),
    (
        "server",
        "whose prompt_count is wrong",
        "SELECT COUNT(*) AS wrong FROM servers s \
         WHERE s.prompt_count <> (SELECT COUNT(*) FROM prompts p WHERE p.server_id = s.id)",
    ),
    (
        "server",
        "whose resource_count is wrong",
        "SELECT COUNT(*) AS wrong FROM servers s \
         WHERE s.resource_count <> (SELECT COUNT(*) FROM resources r WHERE r.server_id = s.id)",
    ),
    (
        "user",
        "whose counters are wrong",
        "SELECT COUNT(*) AS wrong FROM owner_counts c \
         WHERE c.active_servers <> (SELECT COUNT(*) FROM servers s WHERE s.user_id = c.user_id AND s.status = 'active') \
         OR c.paused_servers <> (SELECT COUNT(*) FROM servers s WHERE s.user_id = c.user_id AND s.status = 'paused') \
         OR c.draft_servers <> (SELECT COUNT(*) FROM servers s WHERE s.user_id = c.user_id AND s.status = 'draft') \
         OR c.tools <> (SELECT COALESCE(SUM(s.tool_count), 0) FROM servers s WHERE s.user_id = c.user_id) \
         OR c.active_tools <> (SELECT COALESCE(SUM(s.active_tool_count), 0) FROM servers s WHERE s.user_id = c.user_id)",
    ),
    (
        "server",
        "that a search would miss",
        "SELECT COUNT(*) AS wrong FROM servers s WHERE NOT EXISTS \
         (SELECT 1 FROM server_search q WHERE q.server_id = s.id AND q.status = s.status AND q.user_id = s.user_id)",
    ),
];

impl SqlStorage {
    /// See [`Storage::check`](crate::Storage::check).
    pub(super) async fn find_problems(&self) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        if self.db.is_sqlite() {
            for row in self.db.fetch_all("PRAGMA integrity_check", vec![]).await? {
                problems.push(row.text("integrity_check")?);
            }
            problems.retain(|line| line != "ok");
            for row in self.db.fetch_all("PRAGMA foreign_key_check", vec![]).await? {
                problems.push(format!("a row of {} refers to a row that does not exist", row.text("table")?));
            }
        }
        for (object, problem, sql) in CONSISTENCY_CHECKS {
            let wrong = self.db.fetch_one(sql, vec![]).await?.int("wrong")?;
            if wrong > 0 {
                let plural = if wrong == 1 { "" } else { "s" };
                problems.push(format!("{wrong} {object}{plural} {problem}"));
            }
        }
        Ok(problems)
    }
}
