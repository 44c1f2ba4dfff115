//! The frame of every page.

use super::html::Html;

/// Path of the stylesheet below the base URL.
pub(crate) const STYLE_PATH: &str = "/signin.css";

/// A whole page. `base_path` is the path of the base URL, which every address begins with.
pub(super) fn document(base_path: &str, title: Html, content: Html) -> Html {
    Html::template(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title} · Toolgate</title>\n\
         <link rel=\"stylesheet\" href=\"{base}{style}\">\n</head>\n<body>\n<main>\n\
         <p class=\"brand\">Toolgate</p>\n{content}\n</main>\n</body>\n</html>\n",
        &[("title", title), ("base", Html::text(base_path)), ("style", Html::text(STYLE_PATH)), ("content", content)],
    )
}

/// A hidden field; nothing without a value.
pub(super) fn hidden_field(name: &str, value: Option<&str>) -> Html {
    let Some(value) = value else { return Html::default() };
    Html::template(
        "<input type=\"hidden\" name=\"{name}\" value=\"{value}\">",
        &[("name", Html::text(name)), ("value", Html::text(value))],
    )
}

/// A paragraph that reports a problem; nothing without a text.
pub(super) fn problem(text: Option<&str>) -> Html {
    let Some(text) = text else { return Html::default() };
    Html::template("<p class=\"note bad\" role=\"alert\">{text}</p>\n", &[("text", Html::text(text))])
}
