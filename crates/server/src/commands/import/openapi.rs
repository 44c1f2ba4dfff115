//! `toolgate import openapi`: lists the tools that a document describes. Nothing is created or called.

use std::fs::File;
use std::io::Read;
use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Map, Value};
use toolgate_import::api;
use toolgate_import::api::error::{ApiError, DocumentError};
use toolgate_import::api::filter::{DeprecatedOperations, OperationFilter};
use toolgate_import::api::options::ImportOptions;
use toolgate_import::api::report::ApiImport;

use super::{indent, table};
use crate::cli::OpenApiArgs;
use crate::commands::{counted, note, print};

/// Bytes of a file that are read; the reader of documents refuses less than this.
const FILE_MAX: u64 = 16 * 1024 * 1024;
/// The exit code if some operations cannot be imported.
const EXIT_WITH_PROBLEMS: u8 = 2;

/// Reads the document and prints its tools.
pub(super) fn import(args: &OpenApiArgs) -> anyhow::Result<ExitCode> {
    let bytes = read_file(&args.file)?;
    let import = api::read(&bytes, &options(args)?).map_err(with_position)?;
    if args.json {
        print(indent::indent(&serde_json::to_string(&import)?))?;
    } else {
        print_table(&import)?;
    }
    Ok(if import.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(EXIT_WITH_PROBLEMS) })
}

fn read_file(file: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == "-" {
        std::io::stdin().lock().take(FILE_MAX).read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        let open = File::open(file).with_context(|| format!("cannot open {file}"))?;
        open.take(FILE_MAX).read_to_end(&mut bytes).with_context(|| format!("cannot read {file}"))?;
    }
    Ok(bytes)
}

/// The error with the position of a syntax error.
fn with_position(error: ApiError) -> anyhow::Error {
    match error {
        ApiError::Document(DocumentError::Syntax { message, line, column }) if line > 0 => {
            anyhow::anyhow!("the document is neither JSON nor YAML: {message} (line {line}, column {column})")
        }
        error => error.into(),
    }
}

fn options(args: &OpenApiArgs) -> anyhow::Result<ImportOptions> {
    let deprecated = if args.no_deprecated { DeprecatedOperations::Exclude } else { DeprecatedOperations::Include };
    Ok(ImportOptions {
        base_url: args.api_url.clone(),
        server_index: args.server_index,
        server_variables: args.server_variable.iter().cloned().collect(),
        filter: OperationFilter {
            include_tags: args.tag.clone(),
            exclude_tags: args.exclude_tag.clone(),
            methods: args.method.clone(),
            paths: args.path.clone(),
            search: args.search.clone(),
            deprecated,
        },
        names: args.names,
        schema: args.schema,
        output_schema: args.output_schema,
        overlay: args.overlay.as_deref().map(read_overlay).transpose()?.unwrap_or_default(),
        ..ImportOptions::default()
    })
}

fn read_overlay(file: &str) -> anyhow::Result<Map<String, Value>> {
    let bytes = read_file(file)?;
    serde_json::from_slice(&bytes).with_context(|| format!("{file} is not a JSON object"))
}

/// The tools as a table on standard output, problems and sums on standard error.
fn print_table(import: &ApiImport) -> anyhow::Result<()> {
    if !import.candidates.is_empty() {
        print(table::tools(&import.candidates))?;
    }
    for problem in &import.problems {
        let operation = problem.operation.as_deref().unwrap_or("document");
        note(table::printable(&format!("{operation}: {} ({})", problem.message, problem.pointer)));
    }
    let totals = &import.totals;
    let count = |number: usize, noun: &str| counted(u64::try_from(number).unwrap_or(u64::MAX), noun);
    note(format!(
        "{} of {}, about {}; {} left out, {}",
        count(totals.candidates, "tool"),
        count(totals.operations, "operation"),
        count(totals.estimated_tokens, "token"),
        totals.filtered,
        count(totals.problems, "problem"),
    ));
    Ok(())
}
