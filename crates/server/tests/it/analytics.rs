//! Reports, call log, event stream and CSV tables after real calls over MCP; on both databases where the database
//! matters.

mod breakdown;
mod capture;
mod fixture;
mod log;
mod log_filler;
mod origin;
mod overview;
mod refusals;
mod servers;
mod stream;
mod tables;
mod timeseries;
mod tools;
