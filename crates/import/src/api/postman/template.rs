//! Texts with variables: `{{name}}`.

use crate::api::postman::variables::VariableScopes;
use crate::request::urlencoded_form;

/// Maximum depth of variables within the values of other variables.
const DEPTH_MAX: usize = 10;

/// A text in which variables are replaced by their values, where they have one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) pieces: Vec<Piece>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// The value of a secret variable.
    Secret {
        name: String,
        value: String,
    },
    /// A variable without a value; the name of a generated value begins with `$`.
    Unknown(String),
}

impl Template {
    /// Replaces the variables of a text by their values.
    pub(super) fn fill(text: &str, variables: &VariableScopes<'_>) -> Self {
        let mut template = Self::default();
        template.push_filled(text, variables, 0);
        template
    }

    fn push_filled(&mut self, text: &str, variables: &VariableScopes<'_>, depth: usize) {
        let mut rest = text;
        while let Some((before, name, after)) = next_variable(rest) {
            self.push_text(before);
            rest = after;
            match variables.get(name).filter(|_| depth < DEPTH_MAX && !name.starts_with('$')) {
                Some(variable) if variable.is_secret => self.push_secret(name, &variable.value, variables, depth),
                Some(variable) => self.push_filled(&variable.value, variables, depth + 1),
                None => self.pieces.push(Piece::Unknown(name.to_owned())),
            }
        }
        self.push_text(rest);
    }

    /// Adds a secret variable. Its whole value is secret, including the values of the variables in it.
    fn push_secret(&mut self, name: &str, value: &str, variables: &VariableScopes<'_>, depth: usize) {
        let mut inner = Self::default();
        inner.push_filled(value, variables, depth + 1);
        self.pieces.push(match inner.resolved_text_with_secrets() {
            Some(value) => Piece::Secret { name: name.to_owned(), value },
            None => Piece::Unknown(name.to_owned()),
        });
    }

    fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    /// Decodes the texts of a query. Variables stay as they are.
    pub(super) fn decode(&mut self) {
        for piece in &mut self.pieces {
            if let Piece::Text(text) = piece
                && let Ok(decoded) = urlencoded_form::decode(text)
            {
                *text = decoded.into_owned();
            }
        }
    }

    /// The text with the values of its variables, if all have one and none is secret.
    pub(super) fn resolved_text(&self) -> Option<String> {
        self.resolved_text_with_secrets().filter(|_| !self.has_secret())
    }

    /// The text with the values of its variables, secrets included, if all have one.
    pub(super) fn resolved_text_with_secrets(&self) -> Option<String> {
        let parts = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) | Piece::Secret { value: text, .. } => Some(text.as_str()),
            Piece::Unknown(_) => None,
        });
        parts.collect()
    }

    /// The text with `{{name}}` in place of secrets and of variables without a value.
    pub(super) fn masked_text(&self) -> String {
        let parts = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Secret { name, .. } | Piece::Unknown(name) => format!("{{{{{name}}}}}"),
        });
        parts.collect()
    }

    pub(super) fn has_secret(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Secret { .. }))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The variables without a value.
    pub(super) fn unknown_names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Unknown(name) => Some(name.as_str()),
            Piece::Text(_) | Piece::Secret { .. } => None,
        })
    }

    /// The names of the values that Postman generates for each request.
    pub(super) fn generated_names(&self) -> Vec<&str> {
        self.unknown_names().filter(|name| name.starts_with('$')).collect()
    }
}

/// The first variable of a text: the text before it, its name, and the text after it.
fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let mut start = 0;
    loop {
        let open = start + text.get(start..)?.find("{{")?;
        let inner = text.get(open + 2..)?;
        let end = inner.find(['{', '}'])?;
        let name = inner.get(..end)?.trim();
        if let Some(after) = inner.get(end..)?.strip_prefix("}}").filter(|_| !name.is_empty()) {
            return Some((text.get(..open)?, name, after));
        }
        start = open + 1;
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_are_filled_in_by_scope() {
        let given = IndexMap::from([("g".to_owned(), "given".to_owned()), ("a".to_owned(), "ignored".to_owned())]);
        let mut variables = VariableScopes::new(&given);
        variables.enter(&json!({"variable": [
            {"key": "a", "value": "outer"}, {"key": "n", "value": 7}, {"key": "empty", "value": ""},
            {"key": "nested", "value": "<{{a}}>"}, {"key": "loop", "value": "{{loop}}"},
            {"key": "off", "value": "x", "disabled": true}, {"id": "by_id", "value": true},
            {"key": "hidden", "value": "s1", "type": "secret"}, {"key": "api_token", "value": "s2"},
        ]}));
        variables.enter(&json!({"variable": [{"key": "a", "value": "inner"}]}));
        for (text, expected) in [
            ("x{{a}}y", "xinnery"),
            ("{{ a }}{{n}}{{g}}{{by_id}}", "inner7giventrue"),
            ("{{nested}}", "<inner>"),
            ("{{{a}}}", "{inner}"),
            ("{{empty}}{{off}}{{none}}", "{{empty}}{{off}}{{none}}"),
            ("{{loop}}", "{{loop}}"),
            ("{{hidden}}-{{api_token}}", "{{hidden}}-{{api_token}}"),
            ("{{}} {a} {{a", "{{}} {a} {{a"),
            ("{{$guid}}", "{{$guid}}"),
        ] {
            assert_eq!(Template::fill(text, &variables).masked_text(), expected, "{text}");
        }
        let secret = Template::fill("{{hidden}}-{{api_token}}", &variables);
        assert_eq!((secret.resolved_text(), secret.resolved_text_with_secrets().as_deref()), (None, Some("s1-s2")));
        assert_eq!(Template::fill("{{x}}{{$guid}}", &variables).generated_names(), ["$guid"]);
        variables.leave();
        assert_eq!(Template::fill("{{a}}", &variables).masked_text(), "outer");
    }

    #[test]
    fn the_total_length_of_nested_values_is_limited() {
        let given = IndexMap::new();
        let mut variables = VariableScopes::new(&given);
        let variable = |n: usize| json!({"key": format!("v{n}"), "value": format!("{{{{v{}}}}}", n + 1).repeat(1000)});
        variables.enter(&json!({"variable": (0..8).map(variable).collect::<Vec<_>>()}));
        let template = Template::fill("{{v0}}", &variables);
        assert!(template.pieces.len() < 10_000_000);
    }
}
