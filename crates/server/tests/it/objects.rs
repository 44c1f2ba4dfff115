//! The objects of the management API from outside: what each holds, who may touch it, what it never shows,
//! how much it takes, and what it does with nonsense. Every test runs on both databases.

mod api_keys;
mod backend;
mod canaries;
mod captured;
mod endpoint_keys;
mod hostile;
mod isolation;
mod limits;
mod make;
mod me;
mod prompts;
mod resources;
mod roles;
mod routes;
mod secrets;
mod ssrf;
mod users;
