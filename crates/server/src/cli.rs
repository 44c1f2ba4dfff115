//! Parses the command line into a command and its settings.

mod document_args;
mod error;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use toolgate_domain::api_key::{Scope, Scopes};
use toolgate_domain::time::Timestamp;

use crate::settings::{Settings, config_file_arguments};
pub(crate) use document_args::DocumentArgs;
pub(crate) use error::CliError;

/// Turns HTTP APIs into MCP servers that AI clients can use.
#[derive(Debug, Parser)]
#[command(name = "toolgate", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// The value of `--base-url` if it was given as a flag: imports use it as the URL of the API, not of the service.
    #[arg(skip)]
    pub(crate) base_url_flag: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Start the service (the default command)
    Serve,
    /// Manage the keys of the management API; works while the service runs
    #[command(subcommand)]
    Key(KeyCommand),
    /// Re-encrypt all stored secrets with the current key; creates a new key first if keys are in the key file. Works while the service runs
    RotateKeys,
    /// Check the whole database for damage; works while the service runs
    Check,
    /// Write a complete copy of the database to a file; works while the service runs
    Backup(BackupArgs),
    /// Replace the database with a backup; stop the service first
    Restore(BackupArgs),
    /// Convert a curl command or an API description into tools; needs a running service only to create them
    #[command(subcommand)]
    Import(ImportCommand),
}

#[derive(Debug, clap::Args)]
pub(crate) struct BackupArgs {
    /// Path of the backup
    pub(crate) file: PathBuf,
    /// Overwrite an existing file (backup), or replace an existing database, which is renamed (restore)
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Read a curl command from standard input and print the tool as JSON, including credentials
    Curl {
        /// Also infer types, arguments, a name and a description, and read all commands in the input
        #[arg(long)]
        infer: bool,
    },
    /// Read an OpenAPI, Swagger, Postman or HAR document and list the tools that it describes, or create them with --server; exits with 2 if some cannot be imported
    Openapi(Box<DocumentArgs>),
    /// List the tools of a Postman collection, or create them with --server
    Postman(Box<DocumentArgs>),
    /// List the tools of a HAR recording of a browser, or create them with --server
    Har(Box<DocumentArgs>),
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create a key and print it; it cannot be shown again
    Create(CreateKeyArgs),
    /// List the keys, without their secrets
    List,
    /// Replace the first administrator's key with the value of --api-key (`TOOLGATE_API_KEY`)
    Replace,
    /// Revoke a key immediately
    Revoke {
        /// Id of the key in `toolgate key list`
        id: i64,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CreateKeyArgs {
    /// Name of the key
    #[arg(long, default_value = "command line")]
    pub(crate) name: String,
    /// Owner of the key, by name or id [default: the first administrator]
    #[arg(long, value_name = "NAME_OR_ID")]
    pub(crate) user: Option<String>,
    /// Scopes of the key: read, write, admin, mcp, separated by commas
    #[arg(long, default_value = "read,write", value_parser = scopes)]
    pub(crate) scopes: Scopes,
    /// Expiry time (UTC), such as 2027-01-01T00:00:00 [default: never]
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    pub(crate) expires: Option<Timestamp>,
}

impl Cli {
    /// Parses the arguments (the first is the program name), the environment and the settings file.
    pub(crate) fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, CliError> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        let (mut cli, matches) = Self::parse_args(&args)?;
        cli.base_url_flag = base_url_flag(&matches);
        let base_url_flag = cli.base_url_flag.clone();
        let Some(file) = &cli.settings.config else { return Ok(cli) };
        let error_in_file = |problem: String| CliError::Invalid(format!("{}: {problem}", file.display()));
        let file_args = config_file_arguments(file, &matches).map_err(|error| error_in_file(format!("{error:#}")))?;
        let after_program_name = args.len().min(1);
        args.splice(after_program_name..after_program_name, file_args);
        // The arguments were valid without the file, so the file causes the error.
        Self::parse_args(&args).map(|(cli, _)| Self { base_url_flag, ..cli }).map_err(|error| match error {
            CliError::Invalid(problem) => error_in_file(problem),
            CliError::Help(_) => error,
        })
    }

    fn parse_args(args: &[OsString]) -> Result<(Self, ArgMatches), CliError> {
        let matches = Self::command().try_get_matches_from(args)?;
        Ok((Self::from_arg_matches(&matches)?, matches))
    }
}

/// The value of `--base-url`, unless it comes from the environment.
fn base_url_flag(matches: &ArgMatches) -> Option<String> {
    let mut matches = matches;
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    let is_flag = matches.value_source("base_url") == Some(ValueSource::CommandLine);
    let value = matches.get_raw("base_url").filter(|_| is_flag)?.next()?;
    value.to_str().map(str::to_owned)
}

fn scopes(text: &str) -> Result<Scopes, String> {
    let scope = |name: &str| {
        Scope::parse(name).ok_or_else(|| format!("{name:?} is not a scope; use {}", Scope::NAMES.join(", ")))
    };
    text.split(',').map(str::trim).map(scope).collect()
}

fn timestamp(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| format!("{text:?} is not a time; use a format like 2027-01-01T00:00:00"))
}
