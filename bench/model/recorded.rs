//! The scores that docs/model.md records: no run may be worse.

/// A score: points of possible points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) points: usize,
    pub(crate) possible: usize,
}

impl Score {
    /// Whether this score is lower than a recorded one.
    pub(crate) fn is_below(self, recorded: Self) -> bool {
        self.points * recorded.possible < recorded.points * self.possible
    }
}

/// The score in the row `| name | points of possible |` of a table; `None` if there is none.
pub(crate) fn recorded_score(document: &str, name: &str) -> Option<Score> {
    let mut rows = document.lines().filter_map(|line| line.strip_prefix("| ")?.strip_prefix(name)?.strip_prefix(" | "));
    let cell = rows.find_map(|row| row.split(" |").next().filter(|cell| cell.contains(" of ")))?;
    let (points, possible) = cell.split_once(" of ")?;
    let number = |text: &str| text.trim().replace(',', "").parse().ok();
    Some(Score { points: number(points)?, possible: number(possible)? })
}
