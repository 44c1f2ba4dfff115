//! Reads the document of an import and lists its tools. Nothing is created or called.

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

/// Maximum number of bytes read from a file. It exceeds the importer's limit for documents, so a file that is cut off
/// here is refused as too large.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The exit code if some operations cannot be imported.
const EXIT_WITH_PROBLEMS: u8 = 2;

/// A document that was read, with the options of its import.
pub(super) struct ImportDocument {
    /// The unchanged document.
    pub(super) bytes: Vec<u8>,
    /// The format that the document must have; `None` for any.
    pub(super) format: Option<&'static str>,
    /// The URL of the API from the command line.
    pub(super) api_url: Option<String>,
    /// Changes to the tools from the file of `--overlay`.
    pub(super) overlay: Map<String, Value>,
    /// The candidates, problems and totals of the document.
    pub(super) import: ApiImport,
}

impl ImportDocument {
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
            // Postman collections and HAR recordings, which contain credentials, have commands named after the format.
            let command = if api::contains_credentials(found) { found } else { "openapi" };
            bail!("the format of this document is {found}, not {expected}; use: toolgate import {command}");
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

    /// Prints the operations that cannot be imported to standard error.
    pub(super) fn print_problems(&self) {
        print_problems(&self.import);
    }
}

/// The exit code of an import without an error; complete means that all operations were imported.
pub(super) fn exit_code(is_complete: bool) -> ExitCode {
    if is_complete { ExitCode::SUCCESS } else { ExitCode::from(EXIT_WITH_PROBLEMS) }
}

fn read_file(file: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == "-" {
        std::io::stdin().lock().take(FILE_BYTES_MAX).read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        let open = File::open(file).with_context(|| format!("cannot open {file}"))?;
        open.take(FILE_BYTES_MAX).read_to_end(&mut bytes).with_context(|| format!("cannot read {file}"))?;
    }
    Ok(bytes)
}

/// Adds the position to the text of a syntax error.
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
        let message = with_option_names(&problem.message);
        note(table::printable(&format!("{operation}: {message} ({})", problem.pointer)));
    }
}

/// Replaces arguments of the management API in a message with the options of the command.
fn with_option_names(message: &str) -> String {
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

/// Prints the tools as a table to standard output, problems and totals to standard error.
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
