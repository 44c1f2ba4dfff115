//! Shapes a response: recognises its format, and makes the part of it that is asked for fit into the budget.

mod document;
mod plain;

use toolgate_domain::shaping::{HtmlShaping, Shaping};
use toolgate_domain::tokens;

use crate::answer::{Answer, Part, ShapedText, ShapingFailure};
use crate::cost::{Cost, TOKEN, text_cost, tokens as whole_tokens};
use crate::gap::{Continuation, Gap, GapKind};
use crate::lexer::JsonLexer;

use document::JsonDocument;
use plain::PlainText;

/// The share of a budget that is used, in percent: estimates have errors.
const BUDGET_USED: u64 = 90;

/// Shapes the part of a response that is asked for. `max_tokens` replaces the budget of the rules.
pub fn shape(
    answer: &Answer<'_>,
    shaping: &Shaping,
    part: Part<'_>,
    max_tokens: Option<usize>,
) -> Result<ShapedText, ShapingFailure> {
    let budget = max_tokens.or(shaping.max_tokens).map(TokenBudget::new);
    let format = BodyFormat::recognise(answer, shaping);
    let mut shaped = match format {
        BodyFormat::Json { at, has_lines } => {
            let document = JsonDocument { answer, shaping, budget, at, has_lines };
            document.shape(part)
        }
        BodyFormat::Csv | BodyFormat::Html | BodyFormat::Text => {
            PlainText::new(answer.body, format, shaping, budget).shape(part)
        }
    }?;
    shaped.tokens_before = whole_tokens(text_cost(answer.body));
    shaped.tokens_after = tokens::estimate(&shaped.text);
    Ok(shaped)
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

    /// The budget whose target is `target`.
    fn for_target(target: Cost) -> Self {
        Self::new(whole_tokens(target / BUDGET_USED * 100))
    }

    /// What parts are written for.
    fn target(self) -> Cost {
        (self.max_tokens as Cost).saturating_mul(TOKEN) / 100 * BUDGET_USED
    }

    /// Whether a text is within the budget.
    fn admits(self, text: &str) -> bool {
        // a text cannot have more tokens than bytes
        text.len() <= self.max_tokens || tokens::estimate(text) <= self.max_tokens
    }
}

/// How a body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyFormat {
    /// JSON from a byte on, or JSON values in lines.
    Json {
        at: usize,
        has_lines: bool,
    },
    Csv,
    Html,
    Text,
}

impl BodyFormat {
    fn recognise(answer: &Answer<'_>, shaping: &Shaping) -> Self {
        let Answer { body, media_type, .. } = *answer;
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let at = if body.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let start = body.get(at..).unwrap_or_default().trim_start();
        let names_json = essence.ends_with("json") || essence.contains("ndjson") || essence.contains("jsonl");
        if names_json || start.starts_with(['{', '[']) {
            if let Some(has_lines) = json_form(body, at) {
                return Self::Json { at, has_lines };
            }
        }
        let is_html = matches!(essence.as_str(), "text/html" | "application/xhtml+xml");
        match essence.as_str() {
            "text/csv" | "application/csv" => Self::Csv,
            _ if is_html && shaping.html != HtmlShaping::Keep => Self::Html,
            _ => Self::Text,
        }
    }
}

/// Whether a text is a JSON value (false) or several in lines of their own (true); `None` if it is neither.
fn json_form(body: &str, at: usize) -> Option<bool> {
    let mut lexer = JsonLexer::new(body, at);
    let mut count = 0;
    loop {
        lexer.skip_space();
        if lexer.peek().is_none() {
            return (count > 0).then_some(count > 1);
        }
        if count > 0 && !has_line_end_before(body, lexer.at) {
            return None;
        }
        lexer.skip_value()?;
        count += 1;
    }
}

fn has_line_end_before(body: &str, at: usize) -> bool {
    let before = body.as_bytes().get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).any(|byte| *byte == b'\n')
}

/// The shaped text of a part, with what follows it.
fn part_of(text: String, gaps: Vec<Gap>, shown_before: usize, total_tokens: usize) -> ShapedText {
    let shown_tokens = shown_before + tokens::estimate(&text);
    let next = (!gaps.is_empty()).then_some(Continuation { gaps, shown_tokens, total_tokens });
    let left_out = next.as_ref().map(Continuation::left_out);
    ShapedText { text, left_out, next, ..ShapedText::default() }
}

/// Orders gaps as they are read on: lists first, outer ones before inner ones, then subtrees, then long texts.
fn in_reading_order(mut gaps: Vec<Gap>) -> Vec<Gap> {
    gaps.sort_by_key(|gap| match gap.kind {
        GapKind::Elements { .. } | GapKind::Members { .. } | GapKind::TextLines { .. } => (0, gap.path.0.len()),
        GapKind::Subtree => (1, 0),
        GapKind::LongText => (2, 0),
    });
    gaps
}
