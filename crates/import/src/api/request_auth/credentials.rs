//! The distinct credentials in a Postman collection or a recording.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::json::JsonObject;
use toolgate_domain::upstream_auth::{AuthType, Credentials};

use super::RequestAuth;
use crate::naming::UniqueNames;

/// Members of `auth_credentials` that are not secret.
const PUBLIC_MEMBERS: [&str; 4] = ["key_name", "key_location", "token_url", "scope"];

/// A credential that tools of the document use. Its `Debug` output shows no secret.
#[derive(Clone, Debug)]
pub struct DocumentCredential {
    /// The name by which the tools know it.
    pub name: String,
    /// The type of authentication of the tools.
    pub auth_type: AuthType,
    /// The members of `auth_credentials` that the owner has to provide.
    pub needs: Vec<&'static str>,
    /// The members of `auth_credentials` that anyone may see.
    pub open_members: Map<String, Value>,
    /// The members of `auth_credentials` that the document has, with the secrets in plain text, only for storage.
    pub auth_credentials: JsonObject,
}

/// The credentials of a document.
#[derive(Default)]
pub(crate) struct CredentialList {
    /// The credentials by type and members. A map, because a document may have thousands of them.
    list: IndexMap<String, DocumentCredential>,
    names: UniqueNames,
}

impl CredentialList {
    /// The name of the credential for this authentication; `None` without authentication. A new credential gets a
    /// unique name derived from `hint`.
    pub(crate) fn add(&mut self, auth: &RequestAuth, hint: &str) -> Option<String> {
        if *auth == RequestAuth::None {
            return None;
        }
        let key = format!("{} {}", auth.auth_type().as_str(), Value::Object(auth.members()));
        let new = || DocumentCredential::new(auth, self.names.take(hint));
        Some(self.list.entry(key).or_insert_with(new).name.clone())
    }

    pub(crate) fn into_list(self) -> Vec<DocumentCredential> {
        self.list.into_values().collect()
    }
}

impl DocumentCredential {
    fn new(auth: &RequestAuth, name: String) -> Self {
        let members = auth.members();
        let mut needs = auth.needs();
        let mut auth_credentials = JsonObject::from_stored(Value::Object(members.clone()).to_string());
        let is_valid = Credentials::parse(auth.auth_type(), &auth_credentials).is_ok();
        if needs.is_empty() && !is_valid {
            // A value that no tool can send, such as one with a line break.
            needs = auth.all_members();
            auth_credentials = JsonObject::empty();
        }
        Self { name, auth_type: auth.auth_type(), needs, open_members: open_members(&members), auth_credentials }
    }
}

/// The members that are not secret, including those of each entry of `keys`.
fn open_members(members: &Map<String, Value>) -> Map<String, Value> {
    let open = members.iter().filter_map(|(key, value)| match value {
        Value::Array(keys) => {
            let keys = keys.iter().filter_map(Value::as_object).map(|key| Value::Object(open_members(key)));
            Some((key.clone(), Value::Array(keys.collect())))
        }
        _ => PUBLIC_MEMBERS.contains(&key.as_str()).then(|| (key.clone(), value.clone())),
    });
    open.collect()
}
