//! Shapes the parts of a JSON document.

use std::collections::VecDeque;

use toolgate_domain::shaping::Shaping;
use toolgate_domain::tokens;

use crate::cost::{Cost, TOKEN, text_cost, tokens as whole_tokens};
use crate::format::{ResponseFormat, first_value_at};
use crate::gap::{Gap, GapKind, ValuePath, ValueStep};
use crate::locate::{is_json, locate};
use crate::long_text::rest_of_text;
use crate::paging::NextPage;
use crate::parser::{Form, ParseRules, parse};
use crate::projection::{Projection, ProjectionState};
use crate::response::{Part, ShapedText, ShapingFailure, ShapingInput};
use crate::tree::{TextLimit, Tree};
use crate::writer::{RootPosition, WriteRules, Written, write};

use super::{TokenBudget, in_reading_order, shaped_part};

/// Minimum remaining budget for adding a further piece to a part.
const PIECE_MIN: Cost = 100 * TOKEN;
/// Factor by which the rows of a table may cost less than its objects. With tables, the parser stores more accordingly.
const TABLE_SAVING: Cost = 3;

/// A JSON document, or values in lines.
pub(super) struct JsonDocument<'d> {
    pub(super) input: &'d ShapingInput<'d>,
    pub(super) shaping: &'d Shaping,
    pub(super) budget: Option<TokenBudget>,
    /// JSON or lines of JSON.
    pub(super) format: ResponseFormat,
}

impl JsonDocument<'_> {
    /// The requested part; `None` if the body does not have this format.
    pub(super) fn shape(&self, part: Part<'_>) -> Result<Option<ShapedText>, ShapingFailure> {
        match part {
            Part::Start => self.start(),
            Part::Rest(continuation) => {
                let gaps = continuation.gaps.iter().cloned().collect();
                self.rest(gaps, continuation.shown_tokens, continuation.total_tokens, false).map(Some)
            }
            Part::At { path, from } => {
                let body = self.input.body;
                if !is_json(body, first_value_at(body), self.has_lines()) {
                    return Ok(None);
                }
                let path = ValuePath::parse(path).ok_or(ShapingFailure::NotFound)?;
                let gap = locate(body, first_value_at(body), self.has_lines(), path, from);
                let gap = gap.ok_or(ShapingFailure::NotFound)?;
                self.rest([gap].into(), 0, whole_tokens(text_cost(body)), true).map(Some)
            }
        }
    }

    fn has_lines(&self) -> bool {
        self.format == ResponseFormat::JsonLines
    }

    fn start(&self) -> Result<Option<ShapedText>, ShapingFailure> {
        let mut projection = Projection::new(self.shaping);
        let state = projection.root();
        let form = if self.has_lines() { Form::Lines } else { Form::Value };
        let at = first_value_at(self.input.body);
        let Ok(mut tree) = self.parse(at, form, &mut projection, state, false) else { return Ok(None) };
        let total_tokens = whole_tokens(tree.measure(TextLimit::NONE));
        let written = self.fit(&mut tree, || RootPosition::whole(self.has_lines()), self.target());
        if self.budget.is_none() && !written.gaps.is_empty() {
            // Without a budget nothing may be left out, but the body is nested too deeply to be written completely.
            return Err(ShapingFailure::Unreadable);
        }
        let mut shaped = shaped_part(self.format, written.text, in_reading_order(written.gaps), 0, total_tokens);
        shaped.blobs = written.blobs;
        shaped.next_page =
            if self.has_lines() { None } else { NextPage::from_body(self.input.body.get(at..).unwrap_or_default()) };
        Ok(Some(shaped))
    }

    /// Writes the content of `gaps` as far as it fits. A piece of the root is written as it is; other pieces become
    /// members of an object, with their paths as names.
    fn rest(
        &self,
        gaps: VecDeque<Gap>,
        shown: usize,
        total: usize,
        is_bare: bool,
    ) -> Result<ShapedText, ShapingFailure> {
        let mut queue = gaps;
        let mut left = self.target();
        let (mut pieces, mut inner, mut blobs) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_root = false;
        while let Some(gap) = queue.pop_front() {
            let is_root = is_bare || (gap.path.0.is_empty() && gap.kind != GapKind::LongText);
            if is_root && !pieces.is_empty() {
                queue.push_front(gap);
                break;
            }
            let label = gap.label();
            left = left.saturating_sub(text_cost(&label) + 2 * TOKEN);
            let written = self.piece(&gap, left)?;
            let (same, others): (Vec<Gap>, Vec<Gap>) =
                written.gaps.into_iter().partition(|next| next.path == gap.path && next.kind != GapKind::Subtree);
            let is_done = same.is_empty();
            same.into_iter().rev().for_each(|next| queue.push_front(next));
            inner.extend(others);
            blobs.extend(written.blobs);
            left = left.saturating_sub(text_cost(&written.text));
            pieces.push((label, written.text));
            has_root = is_root;
            if is_root || !is_done || left < PIECE_MIN.max(self.target() / 10) {
                break;
            }
        }
        queue.extend(in_reading_order(inner));
        let text = if has_root { pieces.into_iter().map(|(_, text)| text).collect() } else { named_pieces(&pieces) };
        let mut shaped = shaped_part(self.format, text, queue.into(), shown, total);
        shaped.blobs = blobs;
        Ok(shaped)
    }

    /// Writes the content of one gap.
    fn piece(&self, gap: &Gap, target: Cost) -> Result<Written, ShapingFailure> {
        if gap.kind == GapKind::LongText {
            return self.long_text(gap, target).ok_or(ShapingFailure::Unreadable);
        }
        let mut projection = Projection::new(self.shaping);
        let state = state_at(&mut projection, &gap.path).ok_or(ShapingFailure::NotFound)?;
        let is_root_lines = self.has_lines() && gap.path.0.is_empty();
        let form = match gap.kind {
            GapKind::Elements { .. } if is_root_lines => Form::Lines,
            GapKind::Elements { .. } => Form::Elements,
            GapKind::Members { .. } => Form::Members,
            _ => Form::Value,
        };
        let mut tree = self.parse(gap.at, form, &mut projection, state, true)?;
        tree.measure(TextLimit::NONE);
        Ok(self.fit(&mut tree, || root_position(gap, is_root_lines), target))
    }

    fn long_text(&self, gap: &Gap, target: Cost) -> Option<Written> {
        let (part, end, is_last) = rest_of_text(self.input.body, gap.at, target)?;
        let gaps = if is_last { Vec::new() } else { vec![Gap { at: end, ..gap.clone() }] };
        Some(Written { text: format!("\"{part}\""), gaps, blobs: Vec::new() })
    }

    fn target(&self) -> Cost {
        self.budget.map_or(Cost::MAX, TokenBudget::target)
    }

    fn parse<'b>(
        &'b self,
        at: usize,
        form: Form,
        projection: &mut Projection<'_>,
        state: ProjectionState,
        stops_early: bool,
    ) -> Result<Tree<'b>, ShapingFailure> {
        let saving = if self.shaping.tables { TABLE_SAVING } else { 1 };
        let rules = ParseRules {
            projection,
            state,
            drop_empty: self.shaping.drop_empty,
            blobs: self.shaping.blobs,
            budget: self.budget.map(|budget| budget.target() * saving),
            measures: self.budget.is_some(),
            stops_early,
        };
        parse(self.input.body, at, form, rules).ok_or(ShapingFailure::Unreadable)
    }

    /// Writes a tree completely if it fits, otherwise with the first text limit with which the result fits.
    fn fit(&self, tree: &mut Tree<'_>, root: impl Fn() -> RootPosition, target: Cost) -> Written {
        let rules = |text_limit| WriteRules {
            wrap: self.shaping.wrap,
            blobs: self.shaping.blobs,
            reference: self.input.reference,
            text_limit,
            arrays_only: false,
            tables: self.shaping.tables,
        };
        if self.budget.is_none() {
            return write(tree, root(), rules(TextLimit::NONE), Cost::MAX);
        }
        let budget = TokenBudget::for_target(target);
        let root_cost = tree.nodes.first().map_or(0, |root| Cost::from(root.cost));
        if root_cost <= target {
            let written = write(tree, root(), rules(TextLimit::NONE), target);
            if budget.admits(&written.text) {
                return written;
            }
        }
        let mut smallest: Option<Written> = None;
        for limit in TextLimit::STEPS {
            tree.measure(limit);
            let mut limited_target = target;
            for _ in 0..2 {
                let written = write(tree, root(), rules(limit), limited_target);
                if budget.admits(&written.text) {
                    return written;
                }
                // The costs of nodes are estimates, so the second attempt reduces the target by the excess.
                let tokens = tokens::estimate(&written.text) as Cost;
                limited_target = limited_target * budget.max_tokens as Cost / tokens.max(1) / 10 * 9;
                if smallest.as_ref().is_none_or(|smallest| written.text.len() < smallest.text.len()) {
                    smallest = Some(written);
                }
            }
        }
        smallest.unwrap_or_default()
    }
}

/// The position of the content of a gap.
fn root_position(gap: &Gap, has_lines: bool) -> RootPosition {
    let (first_element, total, containers_only) = match gap.kind {
        GapKind::Elements { from, total } => (from, Some(total), false),
        GapKind::Members { total, containers_only, .. } => (0, Some(total), containers_only),
        _ => (0, None, false),
    };
    RootPosition { path: gap.path.clone(), first_element, total, has_lines, containers_only }
}

/// The state of `fields` and `omit` at a path; `None` if they drop its value.
fn state_at(projection: &mut Projection<'_>, path: &ValuePath) -> Option<ProjectionState> {
    let root = projection.root();
    path.0.iter().try_fold(root, |state, step| match step {
        ValueStep::Member(name) => projection.named_member(state, name),
        ValueStep::Element(_) => Some(state),
    })
}

/// The pieces as members of a JSON object.
fn named_pieces(pieces: &[(String, String)]) -> String {
    let members: Vec<String> =
        pieces.iter().map(|(label, text)| format!("{}:{text}", serde_json::Value::from(label.as_str()))).collect();
    format!("{{{}}}", members.join(","))
}
