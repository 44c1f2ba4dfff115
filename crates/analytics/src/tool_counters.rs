//! Calls per tool since the start of the process, for metrics that name the busiest tools. Only a limited number of
//! tools is named, because an installation may have any number of them.
//!
//! Reported numbers never decrease. When they are read, the calls of a tool since the last reading are added to that
//! tool if it is among the busiest, else to the sum of the other tools; they are never moved later.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::sync::lock;

/// The name under which the calls of all other tools are reported.
pub const OTHER_TOOLS: &str = "other";

/// The calls of one tool. All snapshots of its server share it.
#[derive(Debug, Default)]
pub struct ToolCalls {
    successes: AtomicU64,
    failures: AtomicU64,
    duration_us: AtomicU64,
}

impl ToolCalls {
    /// Counts a call that has ended.
    pub fn count(&self, record: &CallRecord) {
        let outcome = if record.failure.is_none() { &self.successes } else { &self.failures };
        outcome.fetch_add(1, Ordering::Relaxed);
        self.duration_us.fetch_add(record.duration_us, Ordering::Relaxed);
    }

    fn counts(&self) -> ToolCallCounts {
        let [successes, failures, duration_us] =
            [&self.successes, &self.failures, &self.duration_us].map(|counter| counter.load(Ordering::Relaxed));
        ToolCallCounts { successes, failures, duration_us }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ToolCallCounts {
    successes: u64,
    failures: u64,
    duration_us: u64,
}

impl ToolCallCounts {
    fn calls(self) -> u64 {
        self.successes + self.failures
    }

    /// Adds the difference between two readings.
    fn add_difference(&mut self, earlier: Self, later: Self) {
        self.successes += later.successes.saturating_sub(earlier.successes);
        self.failures += later.failures.saturating_sub(earlier.failures);
        self.duration_us += later.duration_us.saturating_sub(earlier.duration_us);
    }
}

/// The reported calls of one tool, or of all other tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallTotals {
    /// The server of the tool; `None` for the other tools.
    pub server: Option<ServerId>,
    /// The name of the tool, or [`OTHER_TOOLS`].
    pub name: String,
    /// Calls that succeeded.
    pub successes: u64,
    /// Calls that failed.
    pub failures: u64,
    /// The sum of their durations, in microseconds.
    pub duration_us: u64,
}

impl ToolCallTotals {
    fn new(server: Option<ServerId>, name: &str, counts: ToolCallCounts) -> Self {
        let ToolCallCounts { successes, failures, duration_us } = counts;
        Self { server, name: name.to_owned(), successes, failures, duration_us }
    }
}

/// The counters of the tools of compiled servers. The table is locked when a server is compiled and when the numbers
/// are read, never by a call.
#[derive(Debug)]
pub struct ToolCounters {
    /// Maximum number of tools that are reported by name.
    named_max: usize,
    table: Mutex<ToolTable>,
}

#[derive(Debug, Default)]
struct ToolTable {
    tools: HashMap<ToolId, CountedTool>,
    other: ToolCallCounts,
}

#[derive(Debug)]
struct CountedTool {
    server: ServerId,
    name: String,
    calls: Arc<ToolCalls>,
    /// The counts at the last reading.
    last_read: ToolCallCounts,
    /// The counts that are reported under its name.
    reported: ToolCallCounts,
}

impl ToolCounters {
    /// Empty counters; the `named_max` tools with most calls will be reported by name.
    pub fn new(named_max: usize) -> Self {
        Self { named_max, table: Mutex::default() }
    }

    /// The counter of a tool.
    pub fn tool(&self, server: ServerId, id: ToolId, name: &str) -> Arc<ToolCalls> {
        let mut table = lock(&self.table);
        let tool = table.tools.entry(id).or_insert_with(|| CountedTool {
            server,
            name: String::new(),
            calls: Arc::default(),
            last_read: ToolCallCounts::default(),
            reported: ToolCallCounts::default(),
        });
        name.clone_into(&mut tool.name);
        Arc::clone(&tool.calls)
    }

    /// The calls of the busiest tools, and the sum of all others as the last entry.
    pub fn totals(&self) -> Vec<ToolCallTotals> {
        lock(&self.table).read(self.named_max)
    }

    /// Frees the memory of tools that no snapshot uses. Call it periodically: [`Self::totals`] may never be called.
    pub fn remove_unused(&self) {
        let mut table = lock(&self.table);
        let busiest = table.busiest(self.named_max);
        table.remove_unused(&busiest);
    }

    #[cfg(test)]
    pub(crate) fn tool_count(&self) -> usize {
        lock(&self.table).tools.len()
    }
}

impl ToolTable {
    fn read(&mut self, named_max: usize) -> Vec<ToolCallTotals> {
        let busiest = self.busiest(named_max);
        self.remove_unused(&busiest);
        for (id, tool) in &mut self.tools {
            let counts = tool.calls.counts();
            let target = if busiest.contains(id) { &mut tool.reported } else { &mut self.other };
            target.add_difference(tool.last_read, counts);
            tool.last_read = counts;
        }
        // A tool that was deleted and one that was created with the same name are reported as one.
        let mut by_name = BTreeMap::<(i64, &str), ToolCallCounts>::new();
        for tool in self.tools.iter().filter_map(|(id, tool)| busiest.contains(id).then_some(tool)) {
            let counts = by_name.entry((tool.server.0, &tool.name)).or_default();
            counts.add_difference(ToolCallCounts::default(), tool.reported);
        }
        let named = by_name.into_iter();
        let named = named.map(|((server, name), counts)| ToolCallTotals::new(Some(ServerId(server)), name, counts));
        named.chain([ToolCallTotals::new(None, OTHER_TOOLS, self.other)]).collect()
    }

    /// Removes the tools that no snapshot uses, except for the busiest. Their calls count for the other tools.
    fn remove_unused(&mut self, busiest: &HashSet<ToolId>) {
        let other = &mut self.other;
        self.tools.retain(|id, tool| {
            // Unlike `strong_count`, `get_mut` synchronizes with the last snapshot, so that all of its calls are read.
            let is_used = busiest.contains(id) || Arc::get_mut(&mut tool.calls).is_none();
            if !is_used {
                other.add_difference(tool.last_read, tool.calls.counts());
            }
            is_used
        });
        if self.tools.capacity() / 4 > self.tools.len() {
            self.tools.shrink_to_fit();
        }
    }

    fn busiest(&self, named_max: usize) -> HashSet<ToolId> {
        let mut tools: Vec<(u64, ToolId)> =
            self.tools.iter().map(|(id, tool)| (tool.calls.counts().calls(), *id)).collect();
        tools.retain(|(calls, _)| *calls > 0);
        // Of tools with the same number of calls, the older one comes first.
        tools.sort_unstable_by_key(|(calls, id)| (std::cmp::Reverse(*calls), id.0));
        tools.truncate(named_max);
        tools.into_iter().map(|(_, id)| id).collect()
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::UserId;

    use super::*;

    const SERVER: ServerId = ServerId(3);

    fn call(tool: &ToolCalls, times: u64) {
        let record = CallRecord {
            failure: None,
            duration_us: 10,
            ..CallRecord::new(UserId(1), SERVER, ToolId(1), String::new())
        };
        (0..times).for_each(|_| tool.count(&record));
    }

    fn successes(counters: &ToolCounters) -> Vec<(String, u64)> {
        let mut totals: Vec<_> = counters.totals().into_iter().map(|tool| (tool.name, tool.successes)).collect();
        totals.sort();
        totals
    }

    fn expected(totals: &[(&str, u64)]) -> Vec<(String, u64)> {
        totals.iter().map(|(name, calls)| ((*name).to_owned(), *calls)).collect()
    }

    #[test]
    fn the_busiest_tools_are_named_and_no_number_shrinks() {
        let counters = ToolCounters::new(2);
        let tools: Vec<_> = (1..=3).map(|id| counters.tool(SERVER, ToolId(id), &format!("t{id}"))).collect();
        assert_eq!(successes(&counters), expected(&[("other", 0)]), "tools without calls are not named");
        call(&tools[0], 5);
        call(&tools[1], 4);
        call(&tools[2], 3);
        assert_eq!(successes(&counters), expected(&[("other", 3), ("t1", 5), ("t2", 4)]));
        call(&tools[2], 7);
        assert_eq!(successes(&counters), expected(&[("other", 3), ("t1", 5), ("t3", 7)]), "its earlier calls stay");
        call(&tools[1], 20);
        assert_eq!(successes(&counters), expected(&[("other", 3), ("t2", 24), ("t3", 7)]));
        let sum = counters.totals().iter().map(|tool| tool.duration_us).sum::<u64>();
        assert_eq!(sum, 10 * (24 + 7 + 3));
    }

    #[test]
    fn a_name_is_reported_once_for_each_server() {
        let counters = ToolCounters::new(10);
        for (server, id) in [(3, 1), (3, 2), (4, 3)] {
            call(&counters.tool(ServerId(server), ToolId(id), "same"), 2);
        }
        assert_eq!(successes(&counters), expected(&[("other", 0), ("same", 2), ("same", 4)]));
    }

    #[test]
    fn unused_tools_are_removed_even_if_the_totals_are_never_read() {
        let counters = ToolCounters::new(2);
        let used = counters.tool(SERVER, ToolId(1), "t1");
        for id in 2..=1_000 {
            call(&counters.tool(SERVER, ToolId(id), &format!("t{id}")), 1);
            counters.remove_unused();
        }
        assert_eq!(counters.tool_count(), 3);
        assert!(lock(&counters.table).tools.capacity() < 30);
        call(&used, 5);
        assert_eq!(successes(&counters), expected(&[("other", 998), ("t1", 5), ("t2", 1)]), "no call is lost");
    }

    #[test]
    fn unused_tools_are_removed_unless_they_are_among_the_busiest() {
        let counters = ToolCounters::new(1);
        for (id, calls) in [(1, 9), (2, 5)] {
            call(&counters.tool(SERVER, ToolId(id), &format!("t{id}")), calls);
        }
        assert_eq!(successes(&counters), expected(&[("other", 5), ("t1", 9)]));
        assert_eq!(counters.tool_count(), 1);
        call(&counters.tool(SERVER, ToolId(1), "renamed"), 1);
        assert_eq!(successes(&counters), expected(&[("other", 5), ("renamed", 10)]));
    }
}
