//! Parses a template into literals and expressions. Errors contain the position of the offending character, counted
//! from 1, for the author of the template.

use super::encode::split_triplet;

/// Why a text is not a URI template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UriTemplateError {
    /// A `{` without its `}`.
    #[error("the expression opened by `{{` at character {at} is never closed")]
    Unclosed {
        /// Position of the character, counted from 1.
        at: usize,
    },
    /// A `}` without its `{`.
    #[error("`}}` at character {at} closes nothing")]
    Unopened {
        /// Position of the character, counted from 1.
        at: usize,
    },
    /// A variable name is missing, as in `{}`, `{?}` or `{a,}`.
    #[error("a variable name is missing at character {at}")]
    MissingName {
        /// Position of the character, counted from 1.
        at: usize,
    },
    /// An operator that RFC 6570 reserves for extensions.
    #[error("the operator `{operator}` at character {at} is reserved and has no meaning yet")]
    ReservedOperator {
        /// Position of the character, counted from 1.
        at: usize,
        /// One of `= , ! @ |`.
        operator: char,
    },
    /// A character that a variable name may not contain.
    #[error("`{found}` at character {at} cannot be part of a variable name (letters, digits, `_`, `.` can)")]
    BadName {
        /// Position of the character, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A prefix modifier that is not a number from 1 to 9999.
    #[error("the prefix length at character {at} must be a number from 1 to 9999")]
    BadPrefix {
        /// Position of the character, counted from 1.
        at: usize,
    },
    /// A character that is not allowed outside expressions.
    #[error("{found:?} at character {at} must be percent-encoded")]
    ForbiddenCharacter {
        /// Position of the character, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A `%` that is not followed by two hexadecimal digits.
    #[error("`%` at character {at} must be followed by two hexadecimal digits")]
    BrokenTriplet {
        /// Position of the character, counted from 1.
        at: usize,
    },
}

/// A literal or an expression of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TemplatePart {
    Literal(String),
    Expression(Expression),
}

/// The content of `{...}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) operator: Operator,
    pub(super) variables: Vec<VariableSpec>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Simple,
    Reserved,
    Fragment,
    Label,
    Path,
    Matrix,
    Query,
    QueryContinuation,
}

/// A variable in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VariableSpec {
    pub(super) name: String,
    pub(super) modifier: Option<Modifier>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modifier {
    /// `*`
    Explode,
    /// `:n`
    Prefix(usize),
}

/// Splits a template into literals and expressions.
pub(super) fn parse_parts(source: &str) -> Result<Vec<TemplatePart>, UriTemplateError> {
    let mut parts = Vec::new();
    let mut rest = source;
    let mut at = 1;
    while !rest.is_empty() {
        let (literal, tail) = rest.split_once('{').map_or((rest, None), |(head, tail)| (head, Some(tail)));
        check_literal(literal, at)?;
        if !literal.is_empty() {
            parts.push(TemplatePart::Literal(literal.to_owned()));
        }
        at += literal.chars().count();
        let Some(tail) = tail else { break };
        let (inside, after) = tail.split_once('}').ok_or(UriTemplateError::Unclosed { at })?;
        parts.push(TemplatePart::Expression(parse_expression(inside, at + 1)?));
        at += inside.chars().count() + 2;
        rest = after;
    }
    Ok(parts)
}

fn check_literal(literal: &str, start: usize) -> Result<(), UriTemplateError> {
    for ((offset, found), at) in literal.char_indices().zip(start..) {
        match found {
            '}' => return Err(UriTemplateError::Unopened { at }),
            '%' if literal.get(offset..).and_then(split_triplet).is_none() => {
                return Err(UriTemplateError::BrokenTriplet { at });
            }
            ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '|' => {
                return Err(UriTemplateError::ForbiddenCharacter { at, found });
            }
            _ if found.is_control() => return Err(UriTemplateError::ForbiddenCharacter { at, found }),
            _ => {}
        }
    }
    Ok(())
}

fn parse_expression(inside: &str, at: usize) -> Result<Expression, UriTemplateError> {
    let (operator, list) = parse_operator(inside, at)?;
    let mut at = at + inside.chars().count() - list.chars().count();
    let mut variables = Vec::new();
    for text in list.split(',') {
        variables.push(parse_variable(text, at)?);
        at += text.chars().count() + 1;
    }
    Ok(Expression { operator, variables })
}

fn parse_operator(inside: &str, at: usize) -> Result<(Operator, &str), UriTemplateError> {
    let mut characters = inside.chars();
    let operator = match characters.next() {
        Some('+') => Operator::Reserved,
        Some('#') => Operator::Fragment,
        Some('.') => Operator::Label,
        Some('/') => Operator::Path,
        Some(';') => Operator::Matrix,
        Some('?') => Operator::Query,
        Some('&') => Operator::QueryContinuation,
        Some(operator @ ('=' | ',' | '!' | '@' | '|')) => {
            return Err(UriTemplateError::ReservedOperator { at, operator });
        }
        _ => return Ok((Operator::Simple, inside)),
    };
    Ok((operator, characters.as_str()))
}

fn parse_variable(text: &str, at: usize) -> Result<VariableSpec, UriTemplateError> {
    let (name, modifier) = if let Some(name) = text.strip_suffix('*') {
        (name, Some(Modifier::Explode))
    } else if let Some((name, length)) = text.split_once(':') {
        (name, Some(Modifier::Prefix(parse_prefix(length, at + name.chars().count() + 1)?)))
    } else {
        (text, None)
    };
    check_name(name, at)?;
    Ok(VariableSpec { name: name.to_owned(), modifier })
}

fn parse_prefix(length: &str, at: usize) -> Result<usize, UriTemplateError> {
    let is_canonical =
        length.len() <= 4 && !length.starts_with('0') && length.bytes().all(|byte| byte.is_ascii_digit());
    length.parse().ok().filter(|_| is_canonical).ok_or(UriTemplateError::BadPrefix { at })
}

/// Checks `varname = varchar *( ["."] varchar )`: dots are separators, and a percent-encoded triplet counts as one
/// character.
fn check_name(name: &str, start: usize) -> Result<(), UriTemplateError> {
    let mut is_complete = false;
    let mut rest = name;
    let mut at = start;
    while let Some(found) = rest.chars().next() {
        let (read, tail) = match found {
            '%' => split_triplet(rest).ok_or(UriTemplateError::BrokenTriplet { at })?,
            '.' if is_complete => (".", rest.strip_prefix('.').unwrap_or_default()),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => rest.split_at_checked(1).unwrap_or((rest, "")),
            '.' => return Err(UriTemplateError::MissingName { at }),
            _ => return Err(UriTemplateError::BadName { at, found }),
        };
        is_complete = found != '.';
        at += read.len();
        rest = tail;
    }
    if is_complete { Ok(()) } else { Err(UriTemplateError::MissingName { at }) }
}
