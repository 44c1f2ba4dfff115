//! Finds the value at a path in a body without building a tree.

use crate::gap::{Gap, GapKind, ValuePath, ValueStep};
use crate::lexer::JsonLexer;
use crate::long_text::skip_characters;
use crate::projection::unescaped;

/// Whether a text is a JSON value, or values in lines.
pub(crate) fn is_json(body: &str, at: usize, has_lines: bool) -> bool {
    let mut lexer = JsonLexer::new(body, at);
    lexer.skip_space();
    if has_lines {
        return count_lines(&mut lexer).is_some_and(|lines| lines > 0);
    }
    let is_value = lexer.skip_value().is_some();
    lexer.skip_space();
    is_value && lexer.peek().is_none()
}

/// The content at `path`, starting at the element, member or character `from`; `None` if there is no such content.
pub(crate) fn locate(body: &str, at: usize, has_lines: bool, path: ValuePath, from: usize) -> Option<Gap> {
    let mut lexer = JsonLexer::new(body, at);
    lexer.skip_space();
    let mut is_lines = has_lines;
    for step in &path.0 {
        match step {
            ValueStep::Element(index) if is_lines => skip_lines(&mut lexer, *index)?,
            ValueStep::Element(index) => skip_elements(&mut lexer, *index)?,
            ValueStep::Member(name) => find_member(body, &mut lexer, name)?,
        }
        is_lines = false;
    }
    if is_lines {
        skip_lines(&mut lexer, from)?;
        let at = lexer.at;
        let left = count_lines(&mut lexer)?;
        return Some(Gap { path, at, kind: GapKind::Elements { from, total: from + left } });
    }
    let start = lexer.at;
    let total = JsonLexer::new(body, start).skip_value()?;
    let (at, kind) = match lexer.peek()? {
        b'[' if from < total => {
            skip_elements(&mut lexer, from)?;
            (lexer.at, GapKind::Elements { from, total })
        }
        b'{' if from > 0 && from < total => {
            skip_members(&mut lexer, from)?;
            (lexer.at, GapKind::Members { left: total - from, total, containers_only: false })
        }
        b'"' if from > 0 => (skip_characters(body, start + 1, from)?, GapKind::LongText),
        _ if from == 0 => (start, GapKind::Subtree),
        _ => return None,
    };
    Some(Gap { path, at, kind })
}

/// Moves from the start of an array to one of its elements.
fn skip_elements(lexer: &mut JsonLexer<'_>, index: usize) -> Option<()> {
    lexer.expect(b'[')?;
    lexer.skip_space();
    for _ in 0..index {
        lexer.skip_value()?;
        lexer.skip_space();
        lexer.expect(b',')?;
        lexer.skip_space();
    }
    (lexer.peek()? != b']').then_some(())
}

/// Moves from the start of an object to one of its members.
fn skip_members(lexer: &mut JsonLexer<'_>, index: usize) -> Option<()> {
    lexer.expect(b'{')?;
    lexer.skip_space();
    for _ in 0..index {
        lexer.key()?;
        lexer.skip_value()?;
        lexer.skip_space();
        lexer.expect(b',')?;
        lexer.skip_space();
    }
    Some(())
}

/// Moves from the start of an object to the value of a member.
fn find_member(body: &str, lexer: &mut JsonLexer<'_>, name: &str) -> Option<()> {
    lexer.expect(b'{')?;
    lexer.skip_space();
    loop {
        let (start, end) = lexer.key()?;
        if unescaped(body.get(start..end)?) == name {
            return Some(());
        }
        lexer.skip_value()?;
        lexer.skip_space();
        lexer.expect(b',')?;
        lexer.skip_space();
    }
}

fn skip_lines(lexer: &mut JsonLexer<'_>, lines: usize) -> Option<()> {
    for _ in 0..lines {
        lexer.skip_value()?;
        lexer.skip_space();
    }
    lexer.peek().map(drop)
}

fn count_lines(lexer: &mut JsonLexer<'_>) -> Option<usize> {
    let mut count = 0;
    while lexer.peek().is_some() {
        lexer.skip_value()?;
        lexer.skip_space();
        count += 1;
    }
    Some(count)
}
