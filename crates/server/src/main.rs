//! The binary: reads the settings, then serves or runs one command. An error becomes one line on stderr and an exit
//! code: 2 for invalid settings, 1 for everything else. Imports of documents also exit with 2 if
//! they found problems.

mod banner;
mod cli;
mod cluster;
mod commands;
mod data_dir;
mod database;
mod demo;
mod encryption_keys;
mod exit;
mod first_key;
mod listener;
mod logging;
mod memory;
mod metrics;
mod monitoring;
mod node_registry;
mod node_state;
mod private_file;
mod recording;
mod reply;
mod request_counters;
mod route_segments;
mod serve;
mod settings;
mod shell;
mod signals;
mod telemetry;
mod warnings;
mod web;
mod workers;

use std::process::ExitCode;

use cli::{Cli, CliCommand};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    memory::disable_huge_pages();
    let outcome = match Cli::read(std::env::args_os()) {
        Ok(cli) => run(cli),
        Err(error) => return exit::cli_error(&error),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => exit::command_error(&error),
    }
}

fn run(Cli { command, settings, base_url_flag }: Cli) -> anyhow::Result<ExitCode> {
    logging::start(&settings);
    match command.unwrap_or(CliCommand::Serve) {
        CliCommand::Serve => block_on(serve::serve(settings)),
        CliCommand::Key(command) => block_on(commands::manage_keys(command, &settings)),
        CliCommand::RotateKeys => block_on(commands::rotate_keys(&settings)),
        CliCommand::Backup(file) => block_on(commands::backup(&file, &settings)),
        CliCommand::Restore(file) => block_on(commands::restore(&file, &settings)),
        CliCommand::Check => block_on(commands::check(&settings)),
        CliCommand::Import(command) => commands::import(&command, base_url_flag.as_deref(), &settings),
    }
}

fn block_on(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(work);
    // Does not wait for tasks that still run: they have had time to finish, and one that hangs would block the exit.
    runtime.shutdown_background();
    outcome.map(|()| ExitCode::SUCCESS)
}
