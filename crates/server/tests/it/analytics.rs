//! Calls and what is told of them: real calls over MCP, then the reports, the log, the stream and the tables, on both
//! databases where the database has a part in it.

mod breakdown;
mod capture;
mod log;
mod log_filler;
mod overview;
mod servers;
mod shop;
mod stream;
mod tables;
mod timeseries;
mod tools;
