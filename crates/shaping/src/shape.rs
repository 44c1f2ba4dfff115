//! Shapes a response: recognises its format, and fits the requested part into the budget.

mod document;
mod plain;

use toolgate_domain::shaping::Shaping;
use toolgate_domain::tokens;

use crate::cost::{Cost, TOKEN, text_cost, tokens as whole_tokens};
use crate::format::ResponseFormat;
use crate::gap::{Continuation, Gap, GapKind};
use crate::response::{Part, ShapedText, ShapingFailure, ShapingInput};

use document::JsonDocument;
use plain::PlainText;

/// The share of a budget that is used, in percent. The rest covers errors of the estimate.
const BUDGET_USED_PERCENT: u64 = 90;

/// Shapes the requested part of a response. `max_tokens` replaces the budget of the rules.
pub fn shape(
    input: &ShapingInput<'_>,
    shaping: &Shaping,
    part: Part<'_>,
    max_tokens: Option<usize>,
) -> Result<ShapedText, ShapingFailure> {
    let budget = max_tokens.or(shaping.max_tokens).map(TokenBudget::new);
    let continued = match part {
        Part::Rest(continuation) => Some([continuation.format]),
        Part::Start | Part::At { .. } => None,
    };
    let formats = continued
        .as_ref()
        .map_or_else(|| ResponseFormat::candidates(input.body, input.media_type, shaping), |format| &format[..]);
    let mut failure = ShapingFailure::Unreadable;
    for &format in formats {
        let shaped = match format {
            ResponseFormat::Json | ResponseFormat::JsonLines => {
                JsonDocument { input, shaping, budget, format }.shape(part)
            }
            _ => PlainText::new(input.body, format, shaping, budget).shape(part).map(Some),
        };
        match shaped {
            Ok(Some(mut shaped)) => {
                shaped.tokens_before = whole_tokens(text_cost(input.body));
                shaped.tokens_after = whole_tokens(text_cost(&shaped.text));
                return Ok(shaped);
            }
            Ok(None) => {}
            Err(other) => {
                failure = other;
                break;
            }
        }
    }
    Err(failure)
}

/// A budget in tokens.
#[derive(Clone, Copy)]
struct TokenBudget {
    max_tokens: usize,
}

impl TokenBudget {
    fn new(max_tokens: usize) -> Self {
        Self { max_tokens }
    }

    /// The budget that has the target `target`.
    fn for_target(target: Cost) -> Self {
        Self::new(whole_tokens(target / BUDGET_USED_PERCENT * 100))
    }

    /// The cost that a part should have at most.
    fn target(self) -> Cost {
        (self.max_tokens as Cost).saturating_mul(TOKEN) / 100 * BUDGET_USED_PERCENT
    }

    /// Whether a text is within the budget.
    fn admits(self, text: &str) -> bool {
        tokens::estimate(text) <= self.max_tokens
    }
}

/// The shaped text of a part, with the continuation for its gaps.
fn shaped_part(
    format: ResponseFormat,
    text: String,
    gaps: Vec<Gap>,
    shown_before: usize,
    total_tokens: usize,
) -> ShapedText {
    let shown_tokens = shown_before + whole_tokens(text_cost(&text));
    let next = (!gaps.is_empty()).then_some(Continuation { format, gaps, shown_tokens, total_tokens });
    let left_out = next.as_ref().map(Continuation::left_out);
    ShapedText { text, left_out, next, ..ShapedText::default() }
}

/// Sorts gaps in reading order: first lists, outer ones before inner ones, then subtrees, then long texts.
fn in_reading_order(mut gaps: Vec<Gap>) -> Vec<Gap> {
    gaps.sort_by_key(|gap| match gap.kind {
        GapKind::Elements { .. } | GapKind::Members { .. } | GapKind::TextLines { .. } => (0, gap.path.0.len()),
        GapKind::Subtree => (1, 0),
        GapKind::LongText => (2, 0),
    });
    gaps
}
