//! Comments and documents use technical English. The words below mark sentences that need a second reading.

use std::fs;
use std::path::PathBuf;

use super::{files_below, markdown_files, root, rust_files};

/// Vague words, for which there is always a precise one.
const VAGUE_WORDS: [&str; 9] =
    ["nobody", "somebody", "whoever", "whatever", "told", "tells", "beside", "meanwhile", "anew"];
/// The highest number of lines with vague words in 10,000 lines.
const VAGUE_LINES_MAX: usize = 5;

/// The part of a line of source code that is a comment. Strings are not checked, because fixtures and
/// specified messages may use any word.
fn comment(line: &str) -> &str {
    let start = line.find("//").or_else(|| line.trim_start().starts_with("* ").then_some(0));
    start.and_then(|start| line.get(start..)).unwrap_or_default()
}

fn vague_word_count(text: &str) -> usize {
    let words = text.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| VAGUE_WORDS.iter().any(|vague| word.eq_ignore_ascii_case(vague))).count()
}

#[test]
fn words_are_counted_in_comments_only() {
    assert_eq!(vague_word_count(comment("let a = 1; // Whoever is told.")), 2);
    assert_eq!(vague_word_count(comment("let told = \"anew\";")), 0);
    assert_eq!(vague_word_count("A foretold answer."), 0);
}

#[test]
fn comments_and_documents_avoid_vague_words() {
    let console = files_below(&root().join("console/src"), &[".ts", ".tsx"]);
    let (mut lines, mut findings) = (0, Vec::new());
    let mut check = |file: &PathBuf, prose: fn(&str) -> &str| {
        for (index, line) in fs::read_to_string(file).unwrap().lines().enumerate() {
            lines += 1;
            if vague_word_count(prose(line)) > 0 {
                findings.push(format!("{}:{}: {}", file.display(), index + 1, line.trim()));
            }
        }
    };
    for file in rust_files().iter().chain(&console) {
        check(file, comment);
    }
    for file in &markdown_files() {
        check(file, |line| line);
    }
    assert!(lines > 50_000, "only {lines} lines were found");
    let max = lines * VAGUE_LINES_MAX / 10_000;
    assert!(
        findings.len() <= max,
        "{} lines contain vague words, but at most {max} may:\n{}",
        findings.len(),
        findings.join("\n")
    );
}
