//! The objects of the management API: their fields, access rights, secrets, limits and invalid input. All tests run
//! on both databases, except those in `hostile/volume`.

pub(crate) mod api_keys;
mod audit;
mod canaries;
mod captured;
mod endpoint_keys;
mod fixtures;
mod hostile;
mod isolation;
mod limits;
mod me;
mod oauth_clients;
mod prompts;
mod resources;
mod roles;
mod routes;
mod secrets;
mod server_credentials;
mod sign_in_links;
mod slow_bodies;
mod ssrf;
mod teams;
mod users;
