//! Converts HTML to Markdown or plain text: title, headings, paragraphs, lists, tables and links. Scripts, styles,
//! navigation, footers, drawings and comments are left out.

mod inline;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use inline::InlineText;

/// Elements that are left out with everything in them.
const SKIPPED: &[&str] = &[
    "script", "style", "noscript", "template", "svg", "nav", "footer", "iframe", "object", "canvas", "select",
    "button", "dialog", "audio", "video", "map",
];
/// Elements that start a new paragraph.
const PARAGRAPHS: &[&str] = &[
    "p",
    "blockquote",
    "pre",
    "table",
    "hr",
    "dl",
    "figure",
    "fieldset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "article",
    "section",
    "main",
    "header",
];
/// Elements that start a new line.
const LINES: &[&str] = &[
    "div",
    "br",
    "dt",
    "dd",
    "figcaption",
    "address",
    "form",
    "details",
    "summary",
    "caption",
    "aside",
    "body",
    "label",
    "legend",
    "ul",
    "ol",
    "li",
    "tr",
];
/// Maximum length of the title and of the heading in a headline, in characters.
const HEADLINE_CHARS_MAX: usize = 200;
/// Maximum indentation of nested lists, in levels.
const INDENT_MAX: usize = 6;

/// The output format of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageStyle {
    Markdown,
    Plain,
}

/// The text of a page.
pub(crate) fn page_text(html: &str, style: PageStyle) -> String {
    read_page(html, style).finish()
}

/// The title of a page and its first heading, unless one contains the other; empty if the page has neither.
pub fn page_headline(html: &str) -> String {
    let page = read_page(html, PageStyle::Plain);
    let [title, heading] = [&page.title, &page.heading].map(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ").chars().take(HEADLINE_CHARS_MAX).collect::<String>()
    });
    let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    match (title.as_str(), heading.as_str()) {
        (title, heading) if contains(title, heading) => title.to_owned(),
        (title, heading) if contains(heading, title) => heading.to_owned(),
        (title, heading) => format!("{title}: {heading}"),
    }
}

fn read_page(html: &str, style: PageStyle) -> PageWriter {
    let mut page = PageWriter::new(style);
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<()> {
        page.event(&event);
        None
    });
    emitter.naively_switch_states(true);
    // The text is in memory, so reading it cannot fail.
    Tokenizer::new_with_emitter(html, emitter).for_each(drop);
    page
}

/// An open list, with the number of the next item if the items are numbered.
struct OpenList {
    next_number: Option<usize>,
}

/// A start tag whose attributes are being read.
#[derive(Default)]
struct StartTag {
    name: String,
    attribute: String,
    href: Option<String>,
    alt: Option<String>,
}

struct PageWriter {
    style: PageStyle,
    text: InlineText,
    /// The element that is skipped, and its number of open tags.
    skipped: Option<(String, usize)>,
    tag: StartTag,
    title: String,
    is_title: bool,
    /// The first heading of the first two levels.
    heading: String,
    is_heading: bool,
    lists: Vec<OpenList>,
    /// Number of cells of the current row of a table.
    cell_count: usize,
    /// Number of rows of the table before the current one.
    row_count: usize,
    is_row: bool,
    /// The offset of the text of the open link, and its address.
    link: Option<(usize, String)>,
}

impl PageWriter {
    fn new(style: PageStyle) -> Self {
        Self {
            style,
            text: InlineText::default(),
            skipped: None,
            tag: StartTag::default(),
            title: String::new(),
            is_title: false,
            heading: String::new(),
            is_heading: false,
            lists: Vec::new(),
            cell_count: 0,
            row_count: 0,
            is_row: false,
            link: None,
        }
    }

    fn finish(self) -> String {
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = self.text.finish();
        let mark = if self.style == PageStyle::Markdown { "# " } else { "" };
        let repeats_title = text.lines().next().is_some_and(|line| line.trim_start_matches("# ") == title);
        if title.is_empty() || repeats_title {
            return text;
        }
        if text.is_empty() { format!("{mark}{title}\n") } else { format!("{mark}{title}\n\n{text}") }
    }

    fn event(&mut self, event: &CallbackEvent<'_>) {
        match *event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = StartTag { name: lower_case(name), ..StartTag::default() };
            }
            CallbackEvent::AttributeName { name } => self.tag.attribute = lower_case(name),
            CallbackEvent::AttributeValue { value } => match self.tag.attribute.as_str() {
                "href" => self.tag.href = Some(String::from_utf8_lossy(value).into_owned()),
                "alt" => self.tag.alt = Some(String::from_utf8_lossy(value).into_owned()),
                _ => {}
            },
            CallbackEvent::CloseStartTag { self_closing } => {
                let tag = std::mem::take(&mut self.tag);
                self.start(tag, self_closing);
            }
            CallbackEvent::EndTag { name } => self.end(&lower_case(name)),
            CallbackEvent::String { value } => self.string(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
    }

    fn string(&mut self, text: &str) {
        if self.is_title {
            self.title.push_str(text);
        } else if self.skipped.is_none() {
            if self.is_heading {
                self.heading.push_str(text);
            }
            self.text.push(text);
        }
    }

    fn start(&mut self, tag: StartTag, is_self_closing: bool) {
        let name = tag.name.as_str();
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth += usize::from(skipped.as_str() == name && !is_self_closing);
            return;
        }
        if SKIPPED.contains(&name) {
            if !is_self_closing {
                self.skipped = Some((tag.name, 1));
            }
            return;
        }
        self.break_before(name);
        match name {
            "title" => self.is_title = true,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = usize::from(name.as_bytes()[1] - b'0');
                self.is_heading = level <= 2 && self.heading.is_empty();
                self.mark(&format!("{} ", "#".repeat(level)));
            }
            "ul" | "ol" => self.lists.push(OpenList { next_number: (name == "ol").then_some(1) }),
            "li" => self.item(),
            "blockquote" => self.mark("> "),
            "hr" => self.mark("---"),
            "pre" => self.text.begin_verbatim(self.style == PageStyle::Markdown),
            "code" if self.style == PageStyle::Markdown => self.text.inline_mark("`"),
            "a" => self.open_link(tag.href),
            "img" => {
                if let Some(alt) = tag.alt.filter(|alt| !alt.trim().is_empty()) {
                    self.text.push(&format!("[image: {}]", alt.trim()));
                }
            }
            "table" => self.row_count = 0,
            "tr" => {
                self.end_row();
                self.is_row = true;
            }
            "td" | "th" => self.cell(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((skipped, depth)) = &mut self.skipped {
            if skipped.as_str() == name {
                *depth -= 1;
                if *depth == 0 {
                    self.skipped = None;
                }
            }
            return;
        }
        match name {
            "title" => self.is_title = false,
            "h1" | "h2" => self.is_heading = false,
            "ul" | "ol" => drop(self.lists.pop()),
            "pre" => self.text.end_verbatim(self.style == PageStyle::Markdown),
            "code" if self.style == PageStyle::Markdown => self.text.inline_mark("`"),
            "a" => self.close_link(),
            "tr" | "table" => self.end_row(),
            _ => {}
        }
        self.break_before(name);
    }

    fn break_before(&mut self, name: &str) {
        if self.is_row && !matches!(name, "tr" | "table") {
            // A cell must stay on one line.
            if PARAGRAPHS.contains(&name) || LINES.contains(&name) {
                self.text.space();
            }
        } else if PARAGRAPHS.contains(&name) && self.lists.is_empty() {
            self.text.break_lines(2);
        } else if PARAGRAPHS.contains(&name) || LINES.contains(&name) {
            let is_outer_list = matches!(name, "ul" | "ol") && self.lists.is_empty();
            self.text.break_lines(if is_outer_list { 2 } else { 1 });
        }
    }

    /// Writes a Markdown mark at the start of a line.
    fn mark(&mut self, mark: &str) {
        if self.style == PageStyle::Markdown && !self.is_row {
            self.text.line_mark(mark);
        }
    }

    fn item(&mut self) {
        let level = self.lists.len().saturating_sub(1).min(INDENT_MAX);
        let mark = match self.lists.last_mut().and_then(|list| list.next_number.as_mut()) {
            Some(number) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            None => "- ".to_owned(),
        };
        if !self.is_row {
            self.text.line_mark(&format!("{}{mark}", "  ".repeat(level)));
        }
    }

    fn open_link(&mut self, href: Option<String>) {
        self.close_link();
        let href = href.map(|href| href.trim().to_owned());
        let is_external =
            |href: &String| !href.is_empty() && !href.starts_with('#') && !href.starts_with("javascript:");
        if let Some(href) = href.filter(is_external).filter(|_| self.style == PageStyle::Markdown) {
            self.link = Some((self.text.begin_span(), href));
        }
    }

    fn close_link(&mut self) {
        if let Some((start, href)) = self.link.take() {
            self.text.link(start, &href);
        }
    }

    fn cell(&mut self) {
        if !self.is_row {
            return;
        }
        if self.cell_count == 0 {
            if self.style == PageStyle::Markdown {
                self.text.line_mark("| ");
            }
        } else {
            self.text.inline_mark(if self.style == PageStyle::Markdown { " | " } else { "\t" });
        }
        self.cell_count += 1;
    }

    fn end_row(&mut self) {
        self.close_link();
        if std::mem::take(&mut self.is_row) && self.cell_count > 0 {
            if self.style == PageStyle::Markdown {
                self.text.inline_mark(" |");
                if self.row_count == 0 {
                    self.text.break_lines(1);
                    self.text.line_mark(&format!("|{}", "---|".repeat(self.cell_count)));
                }
            }
            self.row_count += 1;
            self.text.break_lines(1);
        }
        self.cell_count = 0;
    }
}

fn lower_case(name: &[u8]) -> String {
    String::from_utf8_lossy(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r##"<!DOCTYPE html><html><head><title> Orders &amp; more </title><style>p{}</style>
        <script>if (a < b) { document.write("<p>x</p>") }</script></head><body>
        <nav><ul><li><a href="/">Home</a></li></ul></nav><!-- secret -->
        <h1>Orders</h1><p>All   <b>open</b> orders,
        see <a href="https://a.example/x?y=1&amp;z=2">the list</a> or <a href="#top">top</a>.</p>
        <ul><li>one<li>two <ol><li>a</li><li>b</li></ol></li></ul>
        <table><tr><th>id<th>name</tr><tr><td>7</td><td><p>Kim</p> Lee</td></tr></table>
        <pre>a
  b &lt; c</pre>
        <p>x<br>y</p><svg><text>no</text></svg><img src=a.png alt="a cat">
        <footer>imprint</footer></body></html>"##;

    #[test]
    fn a_page_becomes_markdown() {
        let expected = "# Orders & more\n\n# Orders\n\nAll open orders, see [the list](https://a.example/x?y=1&z=2) or top.\n\n\
            - one\n- two\n  1. a\n  2. b\n\n| id | name |\n|---|---|\n| 7 | Kim Lee |\n\n```\na\n  b < c\n```\n\nx\ny\n\n[image: a cat]\n";
        assert_eq!(page_text(PAGE, PageStyle::Markdown), expected);
    }

    #[test]
    fn a_page_becomes_plain_text() {
        let text = page_text(PAGE, PageStyle::Plain);
        assert!(
            text.starts_with("Orders & more\n\nOrders\n\nAll open orders, see the list or top.\n\n- one\n"),
            "{text}"
        );
        assert!(text.contains("id\tname\n7\tKim Lee\n"), "{text}");
        for mark in ["#", "[the", "|", "`", "secret", "imprint", "Home", "document"] {
            assert!(!text.contains(mark), "{mark}: {text}");
        }
    }

    #[test]
    fn a_title_that_the_heading_repeats_is_written_once() {
        assert_eq!(page_text("<title>A b</title><h1>A  b</h1>c", PageStyle::Markdown), "# A b\n\nc\n");
        assert_eq!(page_text("<title>A</title>", PageStyle::Markdown), "# A\n");
    }

    #[test]
    fn a_headline_is_the_title_and_the_first_heading() {
        for (page, headline) in [
            (PAGE, "Orders & more"),
            ("<title>502 Bad Gateway</title><h1>502  Bad <b>Gateway</b></h1>nginx", "502 Bad Gateway"),
            ("<title>Shop</title><h2><a href=/x>Closed</a> today</h2><h1>Other</h1>", "Shop: Closed today"),
            ("<h1>Only a heading", "Only a heading"),
            ("<p>text", ""),
            ("", ""),
        ] {
            assert_eq!(page_headline(page), headline, "{page}");
        }
        assert_eq!(page_headline(&format!("<title>{}", "x".repeat(5000))).len(), HEADLINE_CHARS_MAX);
    }

    #[test]
    fn broken_pages_are_read_to_the_end() {
        for html in [
            "",
            "<",
            "<a",
            "<a href='x",
            "</",
            "<!--",
            "<p>a</b></p></p>",
            "<table><td>x</table>",
            "<li>x",
            "<tr><td>a",
            "<svg><svg></svg>",
            "a <b>b",
            "<h1>x<h2>y",
            "<pre>",
            "</pre>",
            "<a href=x><a href=y>z",
            "<title>",
        ] {
            for style in [PageStyle::Markdown, PageStyle::Plain] {
                let text = page_text(html, style);
                assert!(!text.contains("\n\n\n"), "{html}: {text}");
            }
        }
        let deep = format!("{}x{}", "<ul><li>".repeat(5000), "</li></ul>".repeat(5000));
        assert!(page_text(&deep, PageStyle::Markdown).contains("- x"));
    }
}
