//! URI templates (RFC 6570): the `template_uri` of a resource and the URL of a `url` resource.
//!
//! Expansion implements all four levels of the RFC. The RFC does not define matching, so its rules are defined here.
//! Matching serves `resources/read` with untrusted URIs, and takes at most time proportional to template × URI.
//! Expansion and matching use the same parsed template: with an external crate for expansion, two parsers could
//! disagree.

mod encode;
mod expand;
mod matcher;
mod parse;
#[cfg(test)]
mod tests;
mod variables;

use indexmap::IndexSet;
use matcher::Matcher;
use parse::TemplatePart;

pub use parse::UriTemplateError;
pub use variables::{VariableValue, Variables};

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
    parts: Vec<TemplatePart>,
    /// `None` if explode or prefix modifiers make matching ambiguous.
    matcher: Option<Matcher>,
}

impl UriTemplate {
    /// Parses a template; the error says what is wrong and at which character.
    pub fn parse(source: &str) -> Result<Self, UriTemplateError> {
        let parts = parse::parse_parts(source)?;
        let matcher = Matcher::compile(&parts);
        Ok(Self { parts, matcher })
    }

    /// The names of the variables, without duplicates, in the order of first use.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variable_specs().map(|spec| spec.name.as_str()).collect::<IndexSet<_>>().into_iter()
    }

    /// The URI for these variables; variables without a value expand to nothing.
    pub fn expand(&self, variables: &Variables) -> String {
        expand::expand(&self.parts, variables)
    }

    /// Whether [`Self::matches`] can succeed: templates with `*` or `:n` can only be expanded.
    pub fn is_matchable(&self) -> bool {
        self.matcher.is_some()
    }

    /// The percent-decoded variables with which this template expands to `uri`; `None` if `uri` does not match.
    ///
    /// If several matches are possible, the leftmost variable is the longest. `{a}` matches within one path segment and
    /// `{+a}` across segments; both match at least one character, because `users/` does not name a user. Query
    /// parameters may be absent and in any order; unknown ones do not match.
    pub fn matches(&self, uri: &str) -> Option<Vec<(String, String)>> {
        self.matcher.as_ref()?.captures(uri)
    }

    /// The number of characters outside expressions. Of several templates that match, the one with more literal
    /// characters is more specific and takes precedence.
    pub fn literal_len(&self) -> usize {
        let literal_len = |part: &TemplatePart| match part {
            TemplatePart::Literal(text) => text.chars().count(),
            TemplatePart::Expression(_) => 0,
        };
        self.parts.iter().map(literal_len).sum()
    }

    fn variable_specs(&self) -> impl Iterator<Item = &parse::VariableSpec> {
        self.parts.iter().flat_map(|part| match part {
            TemplatePart::Literal(_) => &[],
            TemplatePart::Expression(expression) => expression.variables.as_slice(),
        })
    }
}
