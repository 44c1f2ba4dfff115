//! The document of an import, and the list of the tools that it describes. Nothing is created or called.

use std::fs::File;
use std::io::Read;
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::{Map, Value};
use toolgate_import::api;
use toolgate_import::api::error::{ApiError, DocumentError};
use toolgate_import::api::filter::{DeprecatedOperations, OperationFilter};
use toolgate_import::api::options::ImportOptions;
use toolgate_import::api::report::ApiImport;

use super::{indent, table};
use crate::cli::DocumentArgs;
use crate::commands::{counted, note, print};

/// Bytes of a file that are read; the reader of documents refuses less than this.
const FILE_MAX: u64 = 16 * 1024 * 1024;
/// The exit code if some operations cannot be imported.
const EXIT_WITH_PROBLEMS: u8 = 2;

/// A document that was read.
pub(super) struct ReadDocument {
    /// The document as it came.
    pub(super) bytes: Vec<u8>,
    /// The format that the document must have; `None` for any.
    pub(super) format: Option<&'static str>,
    /// The URL of the API that was given.
    pub(super) api_url: Option<String>,
    /// Changes to the tools that were given.
    pub(super) overlay: Map<String, Value>,
    /// What it describes.
    pub(super) import: ApiImport,
}

impl ReadDocument {
    /// Reads the document.
    pub(super) fn read(
        args: &DocumentArgs,
        format: Option<&'static str>,
        api_url: Option<&str>,
    ) -> anyhow::Result<Self> {
        let bytes = read_file(&args.file)?;
        let overlay = args.overlay.as_deref().map(read_overlay).transpose()?.unwrap_or_default();
        let import = api::read(&bytes, &options(args, api_url, &overlay)).map_err(with_position)?;
        if let Some(expected) = format
            && expected != import.format
        {
            let found = import.format;
            let command = if api::contains_credentials(found) { found } else { "openapi" };
            bail!("this is no {expected} document, but one of the format {found}; use: toolgate import {command}");
        }
        Ok(Self { bytes, format, api_url: api_url.map(str::to_owned), overlay, import })
    }

    /// Prints the tools of the document.
    pub(super) fn print(&self, as_json: bool) -> anyhow::Result<ExitCode> {
        if as_json {
            print(indent::indent(&serde_json::to_string(&self.import)?))?;
        } else {
            print_table(&self.import)?;
        }
        Ok(exit_code(self.import.problems.is_empty()))
    }

    /// Prints what cannot be a tool, on standard error.
    pub(super) fn print_problems(&self) {
        print_problems(&self.import);
    }
}

/// The exit code of an import that was carried out.
pub(super) fn exit_code(is_complete: bool) -> ExitCode {
    if is_complete { ExitCode::SUCCESS } else { ExitCode::from(EXIT_WITH_PROBLEMS) }
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

fn options(args: &DocumentArgs, api_url: Option<&str>, overlay: &Map<String, Value>) -> ImportOptions {
    let deprecated = if args.no_deprecated { DeprecatedOperations::Exclude } else { DeprecatedOperations::Include };
    ImportOptions {
        base_url: api_url.map(str::to_owned),
        server_index: args.server_index,
        server_variables: args.server_variable.iter().cloned().collect(),
        variables: args.variable.iter().cloned().collect(),
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
        overlay: overlay.clone(),
        ..ImportOptions::default()
    }
}

fn read_overlay(file: &str) -> anyhow::Result<Map<String, Value>> {
    let bytes = read_file(file)?;
    serde_json::from_slice(&bytes).with_context(|| format!("{file} is not a JSON object"))
}

fn print_problems(import: &ApiImport) {
    for problem in &import.problems {
        let operation = problem.operation.as_deref().unwrap_or("document");
        let message = with_options(&problem.message);
        note(table::printable(&format!("{operation}: {message} ({})", problem.pointer)));
    }
}

/// A message about arguments of the REST interface, with the options of the command instead.
fn with_options(message: &str) -> String {
    let mut message = message.to_owned();
    for (argument, option) in [
        ("Give it in `variables`", "Give it with --variable NAME=VALUE"),
        ("Give its value in server_variables", "Give its value with --server-variable NAME=VALUE"),
        ("Give base_url", "Give --api-url"),
    ] {
        message = message.replace(argument, option);
    }
    message
}

/// The tools as a table on standard output, problems and sums on standard error.
fn print_table(import: &ApiImport) -> anyhow::Result<()> {
    if !import.candidates.is_empty() {
        print(table::tools(&import.candidates))?;
    }
    print_problems(import);
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
