//! HTML that is safe to send: literals of the code, with values inserted as escaped text.

/// Finished HTML.
#[derive(Clone, Debug, Default)]
pub(crate) struct Html(String);

impl Html {
    /// Text, escaped for elements and for quoted attributes.
    pub(crate) fn text(text: &str) -> Self {
        let mut html = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '&' => html.push_str("&amp;"),
                '<' => html.push_str("&lt;"),
                '>' => html.push_str("&gt;"),
                '"' => html.push_str("&quot;"),
                '\'' => html.push_str("&#39;"),
                // Not allowed in HTML.
                '\0' => html.push('\u{fffd}'),
                _ => html.push(character),
            }
        }
        Self(html)
    }

    /// A literal template in which each `{name}` is replaced by its value. Inserted values are not searched for further
    /// names. Unknown names are removed.
    pub(crate) fn template(template: &'static str, values: &[(&str, Self)]) -> Self {
        let mut html = String::new();
        let mut rest: &str = template;
        while let Some((before, from_name)) = rest.split_once('{') {
            html.push_str(before);
            let (name, after) = from_name.split_once('}').unwrap_or((from_name, ""));
            if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
                html.push_str(&value.0);
            }
            rest = after;
        }
        html.push_str(rest);
        Self(html)
    }

    /// The parts, one after the other.
    pub(crate) fn concat(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(parts.into_iter().map(|part| part.0).collect())
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_text_and_are_not_templates_themselves() {
        let hostile = "<script>alert('x')</script>&\"{b}\0";
        let html =
            Html::template("<p title=\"{a}\">{a}{b}{c}</p>", &[("a", Html::text(hostile)), ("b", Html::text("B"))]);
        let escaped = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;{b}\u{fffd}";
        assert_eq!(html.into_string(), format!("<p title=\"{escaped}\">{escaped}B</p>"));
    }
}
