//! URI templates (RFC 6570): the `template_uri` of a resource and the URL of a `url` resource.
//!
//! One parse serves both directions. Expansion is the RFC, all four levels. Matching is ours, for the RFC
//! defines none: it answers `resources/read`, so it gets strings from strangers and takes time
//! proportional to template × URI at worst. Expansion is not left to a crate because the parsed pieces
//! are needed here anyway, and a second parser could disagree with them.

mod encode;
mod expand;
mod matcher;
mod parse;
#[cfg(test)]
mod tests;
mod variables;

use std::fmt;
use std::str::FromStr;

use indexmap::IndexSet;
use matcher::Matcher;
use parse::Piece;

pub use parse::UriTemplateError;
pub use variables::{Value, Variables};

/// A valid RFC 6570 template.
///
/// ```
/// use toolgate_domain::uri_template::{UriTemplate, Variables};
///
/// let template = UriTemplate::parse("notes://{user}/find{?q}")?;
/// let variables = Variables::new().with("user", "ada").with("q", "a b");
///
/// assert_eq!(template.expand(&variables), "notes://ada/find?q=a%20b");
/// assert_eq!(template.matches("notes://ada/find"), Some(vec![("user".into(), "ada".into())]));
/// # Ok::<(), toolgate_domain::uri_template::UriTemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriTemplate {
    source: String,
    pieces: Vec<Piece>,
    /// `None` where explode or prefix modifiers make the way back ambiguous.
    matcher: Option<Matcher>,
}

impl UriTemplate {
    /// Reads a template; the error says what is wrong and at which character.
    pub fn parse(source: &str) -> Result<Self, UriTemplateError> {
        let pieces = parse::pieces(source)?;
        let matcher = Matcher::compile(&pieces);
        Ok(Self { source: source.to_owned(), pieces, matcher })
    }

    /// The template as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// The names of the variables, each once, in the order of their first use.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.specs().map(|spec| spec.name.as_str()).collect::<IndexSet<_>>().into_iter()
    }

    /// The URI these variables lead to; variables without a value leave no trace.
    pub fn expand(&self, variables: &Variables) -> String {
        expand::expand(&self.pieces, variables)
    }

    /// Whether [`Self::matches`] can ever succeed: templates with `*` or `:n` only expand.
    pub fn is_matchable(&self) -> bool {
        self.matcher.is_some()
    }

    /// The variables, percent-decoded, that make this template expand to `uri`; `None` if it is another URI.
    ///
    /// Where several readings fit, the leftmost variable takes as much as it can. `{a}` stays within one path
    /// segment and `{+a}` does not; both want at least one character, for `users/` is not a user. Query
    /// parameters may be absent and in any order, unknown ones are refused.
    pub fn matches(&self, uri: &str) -> Option<Vec<(String, String)>> {
        self.matcher.as_ref()?.captures(uri)
    }

    /// The number of characters outside of expressions: of several templates that match, the one
    /// with more of them says more about the URI and is to be tried first.
    pub fn literal_len(&self) -> usize {
        let literal_len = |piece: &Piece| match piece {
            Piece::Literal(text) => text.chars().count(),
            Piece::Expression(_) => 0,
        };
        self.pieces.iter().map(literal_len).sum()
    }

    fn specs(&self) -> impl Iterator<Item = &parse::VariableSpec> {
        self.pieces.iter().flat_map(|piece| match piece {
            Piece::Literal(_) => &[],
            Piece::Expression(expression) => expression.variables.as_slice(),
        })
    }
}

impl FromStr for UriTemplate {
    type Err = UriTemplateError;

    fn from_str(source: &str) -> Result<Self, Self::Err> {
        Self::parse(source)
    }
}

impl fmt::Display for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}
