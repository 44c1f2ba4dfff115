//! Cuts texts other than JSON at line ends, and CSV at the ends of records. Every part of a CSV starts with its header.

use crate::cost::{Cost, prefix_bytes, text_cost};
use crate::csv::record_end;
use crate::gap::{Gap, GapKind, ValuePath};

/// A text that is cut into lines or records.
pub(crate) struct LineText<'t> {
    text: &'t str,
    is_csv: bool,
    /// The offset of the first line after the header.
    body_at: usize,
}

/// A part of a text.
pub(crate) struct LinePart {
    pub(crate) text: String,
    pub(crate) gap: Option<Gap>,
}

impl<'t> LineText<'t> {
    pub(crate) fn new(text: &'t str, is_csv: bool) -> Self {
        let body_at = if is_csv { record_end(text, 0) } else { 0 };
        Self { text, is_csv, body_at }
    }

    /// The gap that covers everything.
    pub(crate) fn start(&self) -> Gap {
        lines_from(self.body_at, 0, self.count())
    }

    /// The gap from a line on; `None` if there is no such line.
    pub(crate) fn gap_at_line(&self, line: usize) -> Option<Gap> {
        let mut at = self.body_at;
        for _ in 0..line {
            at = self.line_end(at);
        }
        (at < self.text.len()).then(|| lines_from(at, line, self.count()))
    }

    /// The text from `at` on, at a cost of about `budget`: whole lines, or a part of a line if not even one fits.
    pub(crate) fn part(&self, at: usize, from: usize, total: usize, budget: Cost) -> LinePart {
        let header = self.text.get(..self.body_at).unwrap_or_default();
        let rest = self.text.get(at..).unwrap_or_default();
        let available = budget.saturating_sub(text_cost(header));
        let limit = at + prefix_bytes(rest, available);
        let (mut end, mut lines) = (at, 0);
        while end < limit {
            let line_end = self.line_end(end);
            if line_end > limit {
                break;
            }
            end = line_end;
            lines += 1;
        }
        if end == at {
            // Not even one line fits.
            end = limit;
        }
        let gap = (end < self.text.len()).then(|| lines_from(end, from + lines, total));
        LinePart { text: format!("{header}{}", self.text.get(at..end).unwrap_or_default()), gap }
    }

    fn count(&self) -> usize {
        let mut at = self.body_at;
        let mut count = 0;
        while at < self.text.len() {
            at = self.line_end(at);
            count += 1;
        }
        count
    }

    fn line_end(&self, at: usize) -> usize {
        if self.is_csv {
            return record_end(self.text, at);
        }
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        rest.iter().position(|byte| *byte == b'\n').map_or(self.text.len(), |end| at + end + 1)
    }
}

/// The lines from `from` on.
fn lines_from(at: usize, from: usize, total: usize) -> Gap {
    Gap { path: ValuePath::default(), at, kind: GapKind::TextLines { from, total } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::TOKEN;

    fn parts(text: &str, is_csv: bool, budget: Cost) -> Vec<String> {
        let lines = LineText::new(text, is_csv);
        let mut gap = Some(lines.start());
        let mut parts = Vec::new();
        while let Some(next) = gap {
            let GapKind::TextLines { from, total } = next.kind else { panic!("{next:?}") };
            let part = lines.part(next.at, from, total, budget);
            parts.push(part.text);
            gap = part.gap;
        }
        parts
    }

    #[test]
    fn the_parts_of_a_text_joined_are_the_text() {
        let line = "2026-11-17 INFO request served in 12 ms\r\n";
        for text in [line.repeat(200), "no line end ".repeat(500), format!("{}\n\n\nü", line.repeat(3)), String::new()]
        {
            for budget in [1, 20 * TOKEN, 500 * TOKEN, 100_000 * TOKEN] {
                let parts = parts(&text, false, budget);
                assert_eq!(parts.concat(), text);
                assert!(parts.iter().all(|part| text_cost(part) <= budget + TOKEN || part.chars().count() == 1));
            }
        }
        let lines = parts(&line.repeat(200), false, 100 * TOKEN);
        assert!(lines.iter().all(|part| part.ends_with("\r\n")));
    }

    #[test]
    fn every_part_of_a_table_has_its_header() {
        let rows: Vec<String> = (0..100).map(|row| format!("{row},\"Kim\nLee\",done\n")).collect();
        let text = format!("id,name,state\n{}", rows.concat());
        let parts = parts(&text, true, 100 * TOKEN);
        assert!(parts.len() > 3);
        let bodies: Vec<&str> = parts.iter().map(|part| part.strip_prefix("id,name,state\n").unwrap()).collect();
        assert_eq!(bodies.concat(), rows.concat());
        assert!(bodies.iter().all(|body| body.ends_with("done\n")));
        let lines = LineText::new(&text, true);
        assert_eq!(lines.start().kind, GapKind::TextLines { from: 0, total: 100 });
        assert_eq!(lines.gap_at_line(99).unwrap().kind, GapKind::TextLines { from: 99, total: 100 });
        assert_eq!(lines.gap_at_line(100), None);
    }
}
