//! Formats tables for the terminal, such as the tools of a document.

use toolgate_import::api::candidate::Candidate;

/// A line for each tool: name, method, path, tokens and warnings, in columns.
pub(super) fn tools(candidates: &[Candidate]) -> String {
    let head = ["NAME", "METHOD", "PATH", "TOKENS", "WARNINGS"].map(str::to_owned);
    columns(std::iter::once(head).chain(candidates.iter().map(row)).collect())
}

/// Formats each row as a line, with aligned columns.
pub(super) fn columns<const N: usize>(rows: Vec<[String; N]>) -> String {
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |row: [String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

fn row(candidate: &Candidate) -> [String; 5] {
    let path = candidate.operation.split_once(' ').map_or("", |(_, path)| path);
    let mut codes: Vec<&str> = candidate.warnings.iter().map(|warning| warning.code).collect();
    codes.dedup();
    [
        candidate.name.clone(),
        candidate.http_method.clone(),
        printable(path),
        candidate.estimated_tokens.to_string(),
        codes.join(" "),
    ]
}

/// Text of a document without control characters, which a terminal would execute.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
