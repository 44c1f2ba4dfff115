//! Shapes the parts of HTML, CSV and other texts.

use std::borrow::Cow;

use toolgate_domain::shaping::{HtmlShaping, Shaping};

use crate::cost::{Cost, text_cost, tokens};
use crate::csv::select_columns;
use crate::format::ResponseFormat;
use crate::gap::{Gap, GapKind};
use crate::html::{PageStyle, page_text};
use crate::lines::LineText;
use crate::response::{Part, ShapedText, ShapingFailure};

use super::{TokenBudget, shaped_part};

/// A text other than JSON, after conversion of HTML and selection of columns.
pub(super) struct PlainText<'t> {
    text: Cow<'t, str>,
    format: ResponseFormat,
    budget: Option<TokenBudget>,
}

impl<'t> PlainText<'t> {
    pub(super) fn new(body: &'t str, format: ResponseFormat, shaping: &Shaping, budget: Option<TokenBudget>) -> Self {
        let text = match (format, shaping.html) {
            (ResponseFormat::Html, HtmlShaping::Markdown) => Cow::Owned(page_text(body, PageStyle::Markdown)),
            (ResponseFormat::Html, HtmlShaping::Text) => Cow::Owned(page_text(body, PageStyle::Plain)),
            (ResponseFormat::Csv, _) => select_columns(body, shaping),
            _ => Cow::Borrowed(body),
        };
        Self { text, format, budget }
    }

    pub(super) fn shape(&self, part: Part<'_>) -> Result<ShapedText, ShapingFailure> {
        let lines = LineText::new(&self.text, self.format == ResponseFormat::Csv);
        let total_tokens = tokens(text_cost(&self.text));
        match part {
            Part::Start if self.budget.is_none_or(|budget| self.fits(budget)) => {
                Ok(shaped_part(self.format, self.text.clone().into_owned(), Vec::new(), 0, total_tokens))
            }
            Part::Start => self.part(&lines, &lines.start(), 0, total_tokens),
            Part::At { path: "", from } => {
                let gap = lines.gap_at_line(from).ok_or(ShapingFailure::NotFound)?;
                self.part(&lines, &gap, 0, total_tokens)
            }
            Part::At { .. } => Err(ShapingFailure::NotFound),
            Part::Rest(continuation) => match continuation.gaps.as_slice() {
                [gap] => self.part(&lines, gap, continuation.shown_tokens, continuation.total_tokens),
                _ => Err(ShapingFailure::Unreadable),
            },
        }
    }

    fn fits(&self, budget: TokenBudget) -> bool {
        self.text.len() as Cost / 64 <= budget.target() && text_cost(&self.text) <= budget.target()
    }

    fn part(&self, lines: &LineText<'_>, gap: &Gap, shown: usize, total: usize) -> Result<ShapedText, ShapingFailure> {
        let GapKind::TextLines { from, total: total_lines } = gap.kind else { return Err(ShapingFailure::Unreadable) };
        if !self.text.is_char_boundary(gap.at) {
            return Err(ShapingFailure::Unreadable);
        }
        let target = self.budget.map_or(Cost::MAX, TokenBudget::target);
        let part = lines.part(gap.at, from, total_lines, target);
        Ok(shaped_part(self.format, part.text, part.gap.into_iter().collect(), shown, total))
    }
}
