//! From the last step to the first, a table notes at which positions of the URI the remaining steps can
//! succeed; then one walk from the front takes, at each variable, the longest stretch after which the rest
//! still fits. That is the answer a greedy backtracking search would find, in time steps × length.
//!
//! The URI is normalised, hence ASCII: positions are bytes and characters alike.

use super::super::encode::normalized;
use super::{Captures, Step};

/// Cells we are willing to fill: 500 steps against a URI of 8,000 characters.
const MAX_CELLS: usize = 4_000_000;

/// For each step and each position: can this step and all that follow consume the rest of the URI?
pub(super) struct Table {
    fits: Vec<Vec<bool>>,
}

impl Table {
    /// `None` if template and URI are out of all proportion.
    pub(super) fn fill(steps: &[Step], uri: &str) -> Option<Self> {
        let width = uri.len() + 1;
        if width.saturating_mul(steps.len() + 1) > MAX_CELLS {
            return None;
        }
        let mut end = vec![false; width];
        *end.last_mut()? = true;
        // Filled backwards; `fits` is turned around at the end.
        let mut fits = vec![end];
        for (index, step) in steps.iter().enumerate().rev() {
            let row_of = |step_index: usize| fits.get(steps.len() - step_index).map(Vec::as_slice);
            let mut row = fitting(step, uri, row_of(index + 1)?, row_of)?;
            forbid_split_triplets(&mut row, uri);
            fits.push(row);
        }
        fits.reverse();
        Some(Self { fits })
    }

    /// Follows the table from the front; `None` if it says that nothing fits.
    pub(super) fn walk(&self, steps: &[Step], uri: &str) -> Option<Captures> {
        let mut captures = Captures::new();
        let (mut index, mut at) = (0, 0);
        if !is_set(self.fits.first()?, 0) {
            return None;
        }
        while let Some(step) = steps.get(index) {
            let rest = uri.get(at..)?;
            let next = self.fits.get(index + 1)?;
            index += 1;
            at += match step {
                Step::Literal(text) => text.len(),
                Step::Capture { name, excluded, may_be_empty } => {
                    let longest = rest.find(|found| excluded.contains(found)).unwrap_or(rest.len());
                    let shortest = usize::from(!may_be_empty);
                    let len = (shortest..=longest).rev().find(|len| is_set(next, at + len))?;
                    captures.push((name.clone(), rest.get(..len)?.to_owned()));
                    len
                }
                Step::Mark { mark, .. } if rest.starts_with(*mark) && is_set(next, at + 1) => 1,
                Step::Mark { otherwise, .. } => {
                    index = *otherwise;
                    0
                }
                Step::Parameters { .. } => {
                    let (len, pairs) = parameters(step, rest);
                    captures.extend(pairs);
                    len
                }
            };
        }
        Some(captures)
    }
}

/// The row of one step, given the rows of the steps behind it.
fn fitting<'a>(
    step: &Step,
    uri: &str,
    next: &[bool],
    row_of: impl Fn(usize) -> Option<&'a [bool]>,
) -> Option<Vec<bool>> {
    let row_where = |fits: &dyn Fn(&str, usize) -> bool| {
        (0..=uri.len()).map(|at| uri.get(at..).is_some_and(|rest| fits(rest, at))).collect()
    };
    Some(match step {
        Step::Literal(text) => row_where(&|rest, at| rest.starts_with(text.as_str()) && is_set(next, at + text.len())),
        Step::Capture { excluded, may_be_empty, .. } => capture_row(uri, next, excluded, *may_be_empty),
        Step::Mark { mark, otherwise } => {
            let absent = row_of(*otherwise)?;
            row_where(&|rest, at| (rest.starts_with(*mark) && is_set(next, at + 1)) || is_set(absent, at))
        }
        Step::Parameters { .. } => row_where(&|rest, at| is_set(next, at + parameters(step, rest).0)),
    })
}

/// A value may end wherever the next step fits, or go on by one character that is not excluded.
fn capture_row(uri: &str, next: &[bool], excluded: &str, may_be_empty: bool) -> Vec<bool> {
    let mut row = vec![false; next.len()];
    let mut fits_further_on = false;
    let characters = uri.chars().rev().map(Some);
    let cells = row.iter_mut().zip(next).rev();
    for ((cell, ends_here), character) in cells.zip([None].into_iter().chain(characters)) {
        let goes_on = fits_further_on && character.is_some_and(|found| !excluded.contains(found));
        *cell = goes_on || (may_be_empty && *ends_here);
        fits_further_on = goes_on || *ends_here;
    }
    row
}

/// No step may begin inside `%2F`, or `{a}F` would find a value `%2` in it.
fn forbid_split_triplets(row: &mut [bool], uri: &str) {
    for (at, _) in uri.match_indices('%') {
        for cell in row.iter_mut().skip(at + 1).take(2) {
            *cell = false;
        }
    }
}

/// Reads named parameters: how much of the text they take, and their values.
///
/// Reading excluded before the first name that is unknown or was there already. A text that does not begin
/// with parameters has none, which is fine: all of them are optional.
fn parameters(step: &Step, text: &str) -> (usize, Captures) {
    let (mut len, mut pairs) = (0, Captures::new());
    let Step::Parameters { first, separator, names, excluded } = step else { return (len, pairs) };
    let mut lead = *first;
    while let Some(rest) = text.get(len..).and_then(|rest| rest.strip_prefix(lead)) {
        let pair = rest.split(|found| excluded.contains(found)).next().unwrap_or_default();
        let (found, value) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(name) = names.iter().find(|name| normalized(name) == found) else { break };
        if pairs.iter().any(|(known, _)| known == name) {
            break;
        }
        pairs.push((name.clone(), value.to_owned()));
        len += lead.len_utf8() + pair.len();
        lead = *separator;
    }
    (len, pairs)
}

fn is_set(row: &[bool], at: usize) -> bool {
    row.get(at).copied().unwrap_or(false)
}
