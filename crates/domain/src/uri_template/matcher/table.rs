//! The match table says for each step and each position of the URI whether the remaining steps can match there. It is
//! filled from the last step to the first. A forward pass then takes, for each variable, the longest value after which
//! the rest still matches. The result is that of a greedy backtracking search, in time steps × length.
//!
//! The URI is normalised and therefore ASCII, so that byte offsets are character offsets.

use super::super::encode::normalize;
use super::{Captures, MatchStep};

/// Maximum number of cells: 500 steps against a URI of 8,000 characters.
const CELLS_MAX: usize = 4_000_000;

/// For each step and position: whether this step and all later ones can match the rest of the URI.
pub(super) struct MatchTable {
    fits: Vec<Vec<bool>>,
}

impl MatchTable {
    /// Fills the table; `None` if it would exceed [`CELLS_MAX`].
    pub(super) fn fill(steps: &[MatchStep], uri: &str) -> Option<Self> {
        let width = uri.len() + 1;
        if width.saturating_mul(steps.len() + 1) > CELLS_MAX {
            return None;
        }
        let mut end = vec![false; width];
        *end.last_mut()? = true;
        // Rows are pushed from the last step to the first; `fits` is reversed at the end.
        let mut fits = vec![end];
        for (index, step) in steps.iter().enumerate().rev() {
            let row_of = |step_index: usize| fits.get(steps.len() - step_index).map(Vec::as_slice);
            let mut row = fill_row(step, uri, row_of(index + 1)?, row_of)?;
            forbid_split_triplets(&mut row, uri);
            fits.push(row);
        }
        fits.reverse();
        Some(Self { fits })
    }

    /// Traces the match from the first step; `None` if there is no match.
    pub(super) fn trace(&self, steps: &[MatchStep], uri: &str) -> Option<Captures> {
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
                MatchStep::Literal(text) => text.len(),
                MatchStep::Capture { name, excluded, may_be_empty } => {
                    let longest = rest.find(|found| excluded.contains(found)).unwrap_or(rest.len());
                    let shortest = usize::from(!may_be_empty);
                    let len = (shortest..=longest).rev().find(|len| is_set(next, at + len))?;
                    captures.push((name.clone(), rest.get(..len)?.to_owned()));
                    len
                }
                MatchStep::Delimiter { delimiter, .. } if rest.starts_with(*delimiter) && is_set(next, at + 1) => 1,
                MatchStep::Delimiter { next_if_absent, .. } => {
                    index = *next_if_absent;
                    0
                }
                MatchStep::Parameters { .. } => {
                    let (len, pairs) = parse_parameters(step, rest);
                    captures.extend(pairs);
                    len
                }
            };
        }
        Some(captures)
    }
}

/// The row of one step, given the rows of the later steps.
fn fill_row<'a>(
    step: &MatchStep,
    uri: &str,
    next: &[bool],
    row_of: impl Fn(usize) -> Option<&'a [bool]>,
) -> Option<Vec<bool>> {
    let row_where = |fits: &dyn Fn(&str, usize) -> bool| {
        (0..=uri.len()).map(|at| uri.get(at..).is_some_and(|rest| fits(rest, at))).collect()
    };
    Some(match step {
        MatchStep::Literal(text) => {
            row_where(&|rest, at| rest.starts_with(text.as_str()) && is_set(next, at + text.len()))
        }
        MatchStep::Capture { excluded, may_be_empty, .. } => capture_row(uri, next, excluded, *may_be_empty),
        MatchStep::Delimiter { delimiter, next_if_absent } => {
            let row_if_absent = row_of(*next_if_absent)?;
            row_where(&|rest, at| (rest.starts_with(*delimiter) && is_set(next, at + 1)) || is_set(row_if_absent, at))
        }
        MatchStep::Parameters { .. } => row_where(&|rest, at| is_set(next, at + parse_parameters(step, rest).0)),
    })
}

/// The row of a capture: a value may end where the next step matches, or continue with a character that is not
/// excluded.
fn capture_row(uri: &str, next: &[bool], excluded: &str, may_be_empty: bool) -> Vec<bool> {
    let mut row = vec![false; next.len()];
    let mut fits_later = false;
    let characters = uri.chars().rev().map(Some);
    let cells = row.iter_mut().zip(next).rev();
    for ((cell, ends_here), character) in cells.zip([None].into_iter().chain(characters)) {
        let continues = fits_later && character.is_some_and(|found| !excluded.contains(found));
        *cell = continues || (may_be_empty && *ends_here);
        fits_later = continues || *ends_here;
    }
    row
}

/// No step may start inside a triplet: otherwise `{a}F` would match `%2F` with the value `%2`.
fn forbid_split_triplets(row: &mut [bool], uri: &str) {
    for (at, _) in uri.match_indices('%') {
        for cell in row.iter_mut().skip(at + 1).take(2) {
            *cell = false;
        }
    }
}

/// Parses named parameters at the start of `text`. Returns the length of their text, and their names and values.
///
/// Parsing stops before the first name that is unknown or repeated. All parameters are optional, so that a text without
/// parameters matches too.
fn parse_parameters(step: &MatchStep, text: &str) -> (usize, Captures) {
    let (mut len, mut pairs) = (0, Captures::new());
    let MatchStep::Parameters { first, separator, names, excluded } = step else { return (len, pairs) };
    let mut delimiter = *first;
    while let Some(rest) = text.get(len..).and_then(|rest| rest.strip_prefix(delimiter)) {
        let pair = rest.split(|found| excluded.contains(found)).next().unwrap_or_default();
        let (encoded_name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(name) = names.iter().find(|name| normalize(name) == encoded_name) else { break };
        if pairs.iter().any(|(earlier, _)| earlier == name) {
            break;
        }
        pairs.push((name.clone(), value.to_owned()));
        len += delimiter.len_utf8() + pair.len();
        delimiter = *separator;
    }
    (len, pairs)
}

fn is_set(row: &[bool], at: usize) -> bool {
    row.get(at).copied().unwrap_or(false)
}
