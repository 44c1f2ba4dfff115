//! Tests of the console in a real browser, served by the real service. The browser scripts are in `tests/browser`, the
//! assertions are here.

mod audit_and_refusals;
pub(crate) mod browser;
mod credentials;
mod discovery_and_shaping;
mod every_page;
mod first_visit;
mod fixes;
mod hostile;
mod import_api;
mod imported_shop;
mod keys;
mod long_lists;
mod long_numbers;
mod one_minute;
mod path_prefix;
mod picture;
mod populated;
mod quick_add;
mod sample_calls;
mod session;
mod teams;
mod tool_order;
mod weight;
