//! The title and the first heading of a page.

/// How much of a page is read for them.
const HEADLINE_CHARS_MAX: usize = 200;

/// Whether a body without a media type is a page.
pub(super) fn is_page(body: &str) -> bool {
    let start: String = body.trim_start().chars().take(15).flat_map(char::to_lowercase).collect();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// The title, and the first heading if it says something else.
pub(super) fn headline(page: &str) -> String {
    let title = element(page, "title");
    let heading = element(page, "h1").or_else(|| element(page, "h2"));
    match (title, heading) {
        (Some(title), Some(heading)) if title.to_lowercase().contains(&heading.to_lowercase()) => title,
        (Some(title), Some(heading)) if heading.to_lowercase().contains(&title.to_lowercase()) => heading,
        (Some(title), Some(heading)) => format!("{title}: {heading}"),
        (title, heading) => title.or(heading).unwrap_or_default(),
    }
}

/// The text of the first element of this name.
fn element(page: &str, name: &str) -> Option<String> {
    let lower = page.to_ascii_lowercase();
    let opening = format!("<{name}");
    let start = lower
        .match_indices(&opening)
        .map(|(at, _)| at + opening.len())
        .find(|end| lower.get(*end..).is_some_and(|rest| rest.starts_with(['>', ' ', '\t', '\n', '\r'])))?;
    let content = start + lower.get(start..)?.find('>')? + 1;
    let end = content + lower.get(content..)?.find(&format!("</{name}"))?;
    let text = plain_text(page.get(content..end)?);
    (!text.is_empty()).then_some(text)
}

/// The text without tags, with the common entities replaced.
fn plain_text(html: &str) -> String {
    let mut is_tag = false;
    let visible = html.chars().filter(|c| match c {
        '<' => {
            is_tag = true;
            false
        }
        '>' => {
            is_tag = false;
            false
        }
        _ => !is_tag,
    });
    let text: String = visible.take(HEADLINE_CHARS_MAX).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    let text = entities.iter().fold(text, |text, (entity, c)| text.replace(entity, c));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
