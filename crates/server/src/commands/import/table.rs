//! The table of tools that a document describes.

use toolgate_import::api::candidate::Candidate;

/// A line for each tool: name, method, path, tokens and warnings, in columns.
pub(super) fn tools(candidates: &[Candidate]) -> String {
    let mut rows = vec![["NAME", "METHOD", "PATH", "TOKENS", "WARNINGS"].map(str::to_owned)];
    rows.extend(candidates.iter().map(row));
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
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

/// Text of a document without control characters, which a terminal would obey.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
