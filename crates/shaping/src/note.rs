//! Writes the note after a shaped text: what is left out, how to read on, and how to request less.

use toolgate_domain::tokens;
use url::form_urlencoded;

use crate::gap::LeftOutSummary;
use crate::narrowing::{is_page_argument, letters, narrowing_arguments};
use crate::paging::NextPage;

/// Maximum number of tokens of a note.
pub const NOTE_TOKENS_MAX: usize = 60;

/// Maximum number of arguments that a note suggests.
const NAMED_MAX: usize = 3;
/// Maximum length of a cursor that a note repeats, in bytes.
const CURSOR_BYTES_MAX: usize = 40;

/// The facts from which a note is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoteContext<'n> {
    /// A summary of the content that the text leaves out.
    pub left_out: Option<&'n LeftOutSummary>,
    /// The reference for reading on; `None` if the response is not stored.
    pub reference: Option<&'n str>,
    /// The name of the tool that reads on.
    pub read_more: &'n str,
    /// The names of the arguments of this tool.
    pub arguments: &'n [&'n str],
    /// The next page of the upstream.
    pub next_page: Option<&'n NextPage>,
}

/// The note on a shaped text; empty if there is nothing to say. It has at most [`NOTE_TOKENS_MAX`] tokens.
pub fn note(context: &NoteContext<'_>) -> String {
    let read_on = context.left_out.and(context.reference).map(|reference| {
        let arguments = serde_json::json!({ "ref": reference });
        format!("To read on: {} {arguments}.", context.read_more)
    });
    let left_out = context.left_out.map(|left_out| left_out_sentence(left_out, read_on.as_deref()));
    let more = context.next_page.map(|page| more_sentence(page, context.arguments));
    let less = context.left_out.and_then(|_| less_sentence(context.arguments));
    let mut sentences: Vec<String> = left_out.into_iter().chain(read_on).collect();
    // The most important sentences come first; the others are added if the limit allows it.
    for sentence in more.into_iter().chain(less) {
        sentences.push(sentence);
        if tokens::estimate(&sentences.join(" ")) > NOTE_TOKENS_MAX {
            sentences.pop();
        }
    }
    sentences.join(" ")
}

/// Says what is left out; in the short form if the long one and `read_on` together exceed the limit.
fn left_out_sentence(left_out: &LeftOutSummary, read_on: Option<&str>) -> String {
    let (shown, total) = (grouped(left_out.shown_tokens), grouped(left_out.total_tokens));
    let long = format!("Left out: {} ({shown} of {total} tokens shown).", counts(left_out).join(", "));
    let whole = format!("{long} {}", read_on.unwrap_or_default());
    if tokens::estimate(&whole) <= NOTE_TOKENS_MAX { long } else { short_sentence(left_out) }
}

/// The short form, with one number for everything except items and lines.
fn short_sentence(left_out: &LeftOutSummary) -> String {
    let others = left_out.members + left_out.subtrees + left_out.long_texts;
    let listed = LeftOutSummary { members: 0, subtrees: 0, long_texts: 0, ..*left_out };
    let mut parts = counts(&listed);
    parts.extend((others > 0).then(|| format!("{} parts", grouped(others))));
    format!("Left out: {} ({} tokens in all).", parts.join(", "), grouped(left_out.total_tokens))
}

fn counts(left_out: &LeftOutSummary) -> Vec<String> {
    let mut parts = Vec::new();
    if left_out.items > 0 {
        parts.push(format!("{} of {} items", grouped(left_out.items), grouped(left_out.items_total)));
    }
    if left_out.lines > 0 {
        parts.push(format!("{} of {} lines", grouped(left_out.lines), grouped(left_out.lines_total)));
    }
    for (count, one, many) in [
        (left_out.members, "1 member", "members"),
        (left_out.subtrees, "1 nested value", "nested values"),
        (left_out.long_texts, "1 long text shortened", "long texts shortened"),
    ] {
        match count {
            0 => {}
            1 => parts.push(one.to_owned()),
            _ => parts.push(format!("{} {many}", grouped(count))),
        }
    }
    parts
}

fn more_sentence(page: &NextPage, arguments: &[&str]) -> String {
    let argument = match page {
        NextPage::Url(url) => page_argument(url, arguments),
        NextPage::Cursor { name, value } => cursor_argument(name, value, arguments),
        NextPage::Unknown => None,
    };
    let any_page = || arguments.iter().find(|name| is_page_argument(name));
    match (argument, any_page()) {
        (Some(argument), _) => format!("The API has more: call again with {argument}."),
        (None, Some(name)) => format!("The API has more: call again with the next {name}."),
        (None, None) => "The API has more.".to_owned(),
    }
}

/// The argument and value with which a URL requests the next page.
fn page_argument(url: &str, arguments: &[&str]) -> Option<String> {
    let (_, query) = url.split_once('?')?;
    let query = query.split('#').next()?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find_map(|(name, value)| {
        let is_page = is_page_argument(&name);
        let argument = arguments.iter().find(|argument| letters(argument) == letters(&name))?;
        (is_page && value.len() <= CURSOR_BYTES_MAX).then(|| format!("{argument}={value}"))
    })
}

/// The argument that accepts the cursor in the member `name`.
fn cursor_argument(name: &str, value: &str, arguments: &[&str]) -> Option<String> {
    let wanted = letters(name);
    let wanted = wanted.strip_prefix("next").or_else(|| wanted.strip_prefix("end")).unwrap_or(&wanted).to_owned();
    let named = arguments.iter().find(|argument| letters(argument) == wanted && !wanted.is_empty());
    let any = || arguments.iter().find(|argument| is_page_argument(argument));
    let argument = named.or_else(any)?;
    Some(if value.len() <= CURSOR_BYTES_MAX {
        format!("{argument}={value}")
    } else {
        format!("{argument} from {name}")
    })
}

/// Suggests the arguments of the tool that filter or page.
fn less_sentence(arguments: &[&str]) -> Option<String> {
    let names = narrowing_arguments(arguments.iter().copied(), NAMED_MAX);
    (!names.is_empty()).then(|| format!("To get less: {}.", names.join(", ")))
}

/// `25639` as `25,639`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT_OUT: LeftOutSummary = LeftOutSummary {
        items: 22,
        items_total: 30,
        lines: 0,
        lines_total: 0,
        long_texts: 3,
        subtrees: 0,
        members: 0,
        shown_tokens: 4000,
        total_tokens: 25_639,
    };

    fn note_with(arguments: &[&str], next_page: Option<&NextPage>) -> String {
        let reference = Some("r_7Kq2mD");
        note(&NoteContext { left_out: Some(&LEFT_OUT), reference, read_more: "read_more", arguments, next_page })
    }

    #[test]
    fn a_note_says_what_is_left_out_and_how_to_read_on() {
        assert_eq!(
            note_with(&["owner", "labels", "per_page"], None),
            "Left out: 22 of 30 items, 3 long texts shortened (4,000 of 25,639 tokens shown). To read on: read_more \
             {\"ref\":\"r_7Kq2mD\"}. To get less: per_page, labels."
        );
        assert!(note_with(&["owner"], None).ends_with("read_more {\"ref\":\"r_7Kq2mD\"}."));
        let not_stored = NoteContext { left_out: Some(&LEFT_OUT), read_more: "read_more", ..NoteContext::default() };
        assert_eq!(
            note(&not_stored),
            "Left out: 22 of 30 items, 3 long texts shortened (4,000 of 25,639 tokens shown)."
        );
        assert_eq!(note(&NoteContext::default()), "");
    }

    #[test]
    fn the_next_page_is_named_by_an_argument_of_the_tool() {
        let url = NextPage::Url("https://a.example/x?per_page=5&page=2".to_owned());
        let cursor = NextPage::Cursor { name: "next_cursor".to_owned(), value: "c7".to_owned() };
        let long = NextPage::Cursor { name: "next_cursor".to_owned(), value: "c".repeat(200) };
        for (page, arguments, expected) in [
            (&url, &["per_page", "page"][..], "The API has more: call again with page=2."),
            (&url, &["offset"], "The API has more: call again with the next offset."),
            (&url, &["owner"], "The API has more."),
            (&cursor, &["page", "cursor"], "The API has more: call again with cursor=c7."),
            (&cursor, &["starting_after"], "The API has more: call again with starting_after=c7."),
            (&long, &["cursor"], "The API has more: call again with cursor from next_cursor."),
            (&NextPage::Unknown, &["Page"], "The API has more: call again with the next Page."),
            (&NextPage::Unknown, &[], "The API has more."),
        ] {
            let context = NoteContext { arguments, next_page: Some(page), ..NoteContext::default() };
            assert_eq!(note(&context), expected);
        }
    }

    #[test]
    fn a_note_has_at_most_sixty_tokens() {
        let most = LeftOutSummary {
            items: 1_234_567,
            items_total: 1_234_568,
            lines: 0,
            lines_total: 0,
            long_texts: 12_345,
            subtrees: 12_345,
            members: 12_345,
            shown_tokens: 100_000,
            total_tokens: 2_500_000,
        };
        let page = NextPage::Url("https://a.example/x?page=2".to_owned());
        let context = NoteContext {
            left_out: Some(&most),
            reference: Some("r_7Kq2mDxYz0123456"),
            read_more: "read_more_2",
            arguments: &["page", "per_page", "since", "labels"],
            next_page: Some(&page),
        };
        let text = note(&context);
        assert!(tokens::estimate(&text) <= NOTE_TOKENS_MAX, "{} {text}", tokens::estimate(&text));
        assert!(text.contains("read_more_2"), "{text}");
        assert!(tokens::estimate(&note_with(&["page", "per_page"], Some(&page))) <= NOTE_TOKENS_MAX);
    }
}
