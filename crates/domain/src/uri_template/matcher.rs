//! The way back: which variables lead to this URI. A template is compiled into steps, which `table` then
//! follows through a URI. No regular expressions are needed, and nothing here backtracks.

mod table;

use percent_encoding::percent_decode_str;

use super::encode::normalized;
use super::parse::{Expression, Operator, Piece};
use table::Table;

/// Longer URIs match nothing; it is the length that web servers commonly accept, too.
const MAX_URI_LEN: usize = 8 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matcher {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Literal(String),
    /// The value of a variable: any text without the characters of `excluded`.
    Capture {
        name: String,
        excluded: &'static str,
        may_be_empty: bool,
    },
    /// Stands before a value that may be absent: without `mark` the walk goes on at step `otherwise`.
    Mark {
        mark: char,
        otherwise: usize,
    },
    /// `first name=value (separator name=value)*` with these names, each at most once.
    Parameters {
        first: char,
        separator: char,
        names: Vec<String>,
        excluded: &'static str,
    },
}

impl Step {
    fn parameters(first: char, separator: char, names: Vec<String>, excluded: &'static str) -> Self {
        Self::Parameters { first, separator, names, excluded }
    }
}

/// Captured text by variable name, still encoded.
type Captures = Vec<(String, String)>;

impl Matcher {
    /// `None` where a modifier makes the way back ambiguous.
    pub(super) fn compile(pieces: &[Piece]) -> Option<Self> {
        let mut steps = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Literal(text) => steps.push(Step::Literal(normalized(text))),
                Piece::Expression(expression) => push_steps(&mut steps, expression)?,
            }
        }
        Some(Self { steps })
    }

    /// The decoded variables, each once, if the whole URI fits.
    pub(super) fn captures(&self, uri: &str) -> Option<Captures> {
        if uri.len() > MAX_URI_LEN {
            return None;
        }
        let uri = normalized(uri);
        let table = Table::fill(&self.steps, &uri)?;
        decoded(table.walk(&self.steps, &uri)?)
    }
}

fn push_steps(steps: &mut Vec<Step>, expression: &Expression) -> Option<()> {
    if expression.variables.iter().any(|spec| spec.modifier.is_some()) {
        return None;
    }
    let names: Vec<String> = expression.variables.iter().map(|spec| spec.name.clone()).collect();
    let is_single = names.len() == 1;
    match expression.operator {
        Operator::Matrix => steps.push(Step::parameters(';', ';', names, "/?#;")),
        Operator::Query => steps.push(Step::parameters('?', '&', names, "#&")),
        Operator::QueryContinuation => steps.push(Step::parameters('&', '&', names, "#&")),
        Operator::Simple => push_values(steps, names, None, ',', if is_single { "/?#" } else { "/?#," }),
        Operator::Reserved => push_values(steps, names, None, ',', if is_single { "" } else { "," }),
        Operator::Fragment => push_values(steps, names, Some('#'), ',', if is_single { "" } else { "," }),
        Operator::Label => push_values(steps, names, Some('.'), '.', if is_single { "/?#" } else { "/?#." }),
        Operator::Path => push_values(steps, names, Some('/'), '/', "/?#"),
    }
    Some(())
}

/// Values one after the other; those after a mark may be absent, together with all that follow.
fn push_values(
    steps: &mut Vec<Step>,
    names: Vec<String>,
    first: Option<char>,
    separator: char,
    excluded: &'static str,
) {
    let otherwise = steps.len() + 2 * names.len() - usize::from(first.is_none());
    for (index, name) in names.into_iter().enumerate() {
        let mark = if index == 0 { first } else { Some(separator) };
        if let Some(mark) = mark {
            steps.push(Step::Mark { mark, otherwise });
        }
        steps.push(Step::Capture { name, excluded, may_be_empty: mark.is_some() });
    }
}

/// Percent-decodes, and drops repetitions of a variable that agree with its first value.
fn decoded(raw: Captures) -> Option<Captures> {
    let mut variables = Captures::new();
    for (name, text) in raw {
        let value = percent_decode_str(&text).decode_utf8().ok()?.into_owned();
        match variables.iter().find(|(known, _)| *known == name) {
            Some((_, earlier)) if *earlier != value => return None,
            Some(_) => {}
            None => variables.push((name, value)),
        }
    }
    Some(variables)
}
