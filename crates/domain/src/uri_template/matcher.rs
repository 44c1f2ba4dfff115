//! Matching: finds the variables with which a template expands to a URI. A template is compiled into steps, which
//! `table` matches against a URI without backtracking.

mod table;

use percent_encoding::percent_decode_str;

use super::encode::normalize;
use super::parse::{Expression, Operator, TemplatePart};
use table::MatchTable;

/// Maximum length of a URI that can match, in bytes; web servers commonly have the same limit.
const URI_MAX: usize = 8 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matcher {
    steps: Vec<MatchStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum MatchStep {
    Literal(String),
    /// The value of a variable: a text without the characters of `excluded`.
    Capture {
        name: String,
        excluded: &'static str,
        may_be_empty: bool,
    },
    /// Precedes an optional value: without `delimiter`, matching continues at step `next_if_absent`.
    Delimiter {
        delimiter: char,
        next_if_absent: usize,
    },
    /// `first name=value (separator name=value)*` with these names, each at most once; all are optional.
    Parameters {
        first: char,
        separator: char,
        names: Vec<String>,
        excluded: &'static str,
    },
}

impl MatchStep {
    fn parameters(first: char, separator: char, names: Vec<String>, excluded: &'static str) -> Self {
        Self::Parameters { first, separator, names, excluded }
    }
}

/// Captured texts by variable name.
type Captures = Vec<(String, String)>;

impl Matcher {
    /// Compiles a template; `None` if a modifier makes matching ambiguous.
    pub(super) fn compile(parts: &[TemplatePart]) -> Option<Self> {
        let mut steps = Vec::new();
        for part in parts {
            match part {
                TemplatePart::Literal(text) => steps.push(MatchStep::Literal(normalize(text))),
                TemplatePart::Expression(expression) => push_steps(&mut steps, expression)?,
            }
        }
        Some(Self { steps })
    }

    /// The decoded variables, without duplicates, if the whole URI matches.
    pub(super) fn captures(&self, uri: &str) -> Option<Captures> {
        if uri.len() > URI_MAX {
            return None;
        }
        let uri = normalize(uri);
        let table = MatchTable::fill(&self.steps, &uri)?;
        decode(table.trace(&self.steps, &uri)?)
    }
}

fn push_steps(steps: &mut Vec<MatchStep>, expression: &Expression) -> Option<()> {
    if expression.variables.iter().any(|spec| spec.modifier.is_some()) {
        return None;
    }
    let names: Vec<String> = expression.variables.iter().map(|spec| spec.name.clone()).collect();
    let is_single = names.len() == 1;
    match expression.operator {
        Operator::Matrix => steps.push(MatchStep::parameters(';', ';', names, "/?#;")),
        Operator::Query => steps.push(MatchStep::parameters('?', '&', names, "#&")),
        Operator::QueryContinuation => steps.push(MatchStep::parameters('&', '&', names, "#&")),
        Operator::Simple => push_values(steps, names, None, ',', if is_single { "/?#" } else { "/?#," }),
        Operator::Reserved => push_values(steps, names, None, ',', if is_single { "" } else { "," }),
        Operator::Fragment => push_values(steps, names, Some('#'), ',', if is_single { "" } else { "," }),
        Operator::Label => push_values(steps, names, Some('.'), '.', if is_single { "/?#" } else { "/?#." }),
        Operator::Path => push_values(steps, names, Some('/'), '/', "/?#"),
    }
    Some(())
}

/// Adds steps for a sequence of values. A value after a delimiter may be absent, together with all values after it.
fn push_values(
    steps: &mut Vec<MatchStep>,
    names: Vec<String>,
    first: Option<char>,
    separator: char,
    excluded: &'static str,
) {
    // Each name adds a delimiter and a capture; the first one has no delimiter if `first` is `None`.
    let next_if_absent = steps.len() + 2 * names.len() - usize::from(first.is_none());
    for (index, name) in names.into_iter().enumerate() {
        let delimiter = if index == 0 { first } else { Some(separator) };
        if let Some(delimiter) = delimiter {
            steps.push(MatchStep::Delimiter { delimiter, next_if_absent });
        }
        steps.push(MatchStep::Capture { name, excluded, may_be_empty: delimiter.is_some() });
    }
}

/// Percent-decodes the captures and removes duplicates; `None` if a variable has two different values.
fn decode(raw: Captures) -> Option<Captures> {
    let mut variables = Captures::new();
    for (name, text) in raw {
        let value = percent_decode_str(&text).decode_utf8().ok()?.into_owned();
        match variables.iter().find(|(earlier_name, _)| *earlier_name == name) {
            Some((_, earlier_value)) if *earlier_value != value => return None,
            Some(_) => {}
            None => variables.push((name, value)),
        }
    }
    Some(variables)
}
