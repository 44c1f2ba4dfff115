//! The JSON form of the objects in replies.

pub(crate) mod api_document;
pub(crate) mod audit;
pub(crate) mod call;
pub(crate) mod caller;
pub(crate) mod document_drift;
pub(crate) mod grant;
pub(crate) mod identity;
pub(crate) mod issuer;
pub(crate) mod key;
pub(crate) mod lint;
pub(crate) mod me;
pub(crate) mod member;
pub(crate) mod node;
pub(crate) mod oauth_client;
pub(crate) mod prompt;
pub(crate) mod report;
pub(crate) mod resource;
pub(crate) mod server;
pub(crate) mod server_credential;
pub(crate) mod settings;
pub(crate) mod shaping_proposal;
pub(crate) mod sign_in_link;
pub(crate) mod test_result;
pub(crate) mod tool;
pub(crate) mod tool_import;
pub(crate) mod user;
