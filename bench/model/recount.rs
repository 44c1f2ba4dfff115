//! Counts the elements that a shortened text leaves out, and compares the counts with those in its note.

use serde_json::Value;
use toolgate_domain::tokens::estimate;

/// Counts of left-out elements.
#[derive(Debug, Default, PartialEq, Eq)]
struct LeftOutCount {
    /// Left-out elements of arrays, and the total of the arrays that are cut.
    items: (usize, usize),
    /// Left-out lines or rows, and their total.
    lines: (usize, usize),
    members: usize,
    subtrees: usize,
    long_texts: usize,
}

/// Describes what is wrong with the note on `part`, a part of `whole`.
pub(crate) fn note_problem(note: Option<&str>, whole: &str, part: &str) -> Option<String> {
    let mut counted = LeftOutCount::default();
    if let (Ok(whole), Ok(part)) = (serde_json::from_str(whole), serde_json::from_str(part)) {
        count_json(&whole, &part, &mut counted);
    } else {
        let (all, shown) = (line_count(whole), line_count(part));
        counted.lines = if all > shown { (all - shown, all) } else { (0, 0) };
    }
    let Some(note) = note else {
        return (counted != LeftOutCount::default()).then(|| format!("no note, but left out: {counted:?}"));
    };
    let stated = stated_counts(note);
    // A list at the root is written as a table: its first line is the header, which every part has.
    let (all_items, all_lines) = (counted.items, counted.lines);
    let without_header = (all_lines.0, all_lines.1.saturating_sub(1));
    let is_same_list = [(all_items, all_lines), (all_items, without_header), (without_header, (0, 0))]
        .contains(&(stated.items, stated.lines));
    let is_same = is_same_list
        && (stated.members, stated.subtrees, stated.long_texts)
            == (counted.members, counted.subtrees, counted.long_texts);
    if !is_same {
        return Some(format!("the note says {stated:?}, but left out is {counted:?}: {note}"));
    }
    let shown = number_between(note, "(", " of ");
    (shown.is_some_and(|shown| shown != estimate(part)))
        .then(|| format!("the note says {shown:?} tokens, but the part has {}: {note}", estimate(part)))
}

fn count_json(whole: &Value, part: &Value, counted: &mut LeftOutCount) {
    match (whole, part) {
        (Value::Array(all), Value::Array(shown)) => {
            if all.len() > shown.len() {
                counted.items.0 += all.len() - shown.len();
                counted.items.1 += all.len();
            }
            all.iter().zip(shown).for_each(|(whole, part)| count_json(whole, part, counted));
        }
        (Value::Object(all), Value::Object(shown)) => {
            for (name, whole) in all {
                match shown.get(name) {
                    Some(part) => count_json(whole, part, counted),
                    None => counted.members += 1,
                }
            }
        }
        (Value::Array(_) | Value::Object(_), Value::String(_)) => counted.subtrees += 1,
        (Value::String(whole), Value::String(part)) if whole != part && part.contains("… (+") => {
            counted.long_texts += 1;
        }
        _ => {}
    }
}

/// The number of lines or rows of a text. Line breaks in a quoted field do not end a row.
fn line_count(text: &str) -> usize {
    let mut is_quoted = false;
    let mut count = 0;
    let mut has_text = false;
    for c in text.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            '\n' if !is_quoted => {
                count += usize::from(has_text);
                has_text = false;
                continue;
            }
            _ => {}
        }
        has_text = true;
    }
    count + usize::from(has_text)
}

/// The counts in a note.
fn stated_counts(note: &str) -> LeftOutCount {
    let list = note.strip_prefix("Left out: ").and_then(|rest| rest.split(" (").next()).unwrap_or_default();
    let mut stated = LeftOutCount::default();
    for entry in list.split(", ") {
        let mut words = entry.split(' ');
        let first = words.next().and_then(number).unwrap_or_default();
        match words.collect::<Vec<_>>().as_slice() {
            ["of", total, "items"] => stated.items = (first, number(total).unwrap_or_default()),
            ["of", total, "lines"] => stated.lines = (first, number(total).unwrap_or_default()),
            ["member" | "members"] => stated.members = first,
            ["nested", ..] => stated.subtrees = first,
            ["long", ..] => stated.long_texts = first,
            _ => {}
        }
    }
    stated
}

fn number(text: &str) -> Option<usize> {
    text.replace(',', "").parse().ok()
}

/// The number between `start` and `end`.
fn number_between(text: &str, start: &str, end: &str) -> Option<usize> {
    let rest = text.split_once(start)?.1;
    number(rest.split_once(end)?.0)
}
