//! Tests of the console in a real browser, served by the real service. The browser scripts are in `tests/browser`, the
//! assertions are here.

pub(crate) mod browser;
mod credentials;
mod every_page;
mod first_visit;
mod fixes;
mod hostile;
mod import_api;
mod imported_shop;
mod keys;
mod long_lists;
mod long_numbers;
mod model;
mod one_minute;
mod order;
mod path_prefix;
mod picture;
mod populated;
mod quick_add;
mod sample_calls;
mod session;
mod teams;
mod weight;
mod who_called;
