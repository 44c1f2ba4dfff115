//! Names of the credentials of calls: those of endpoint keys, users, and people of external issuers.

use std::collections::HashMap;

use toolgate_domain::call::CallCredential;

use super::object_names::{SELECT_ENDPOINT_KEY_NAMES, SELECT_SUBJECT_NAMES, SELECT_USER_NAMES};
use super::tx::Tx;
use crate::error::Result;

/// The names of some credentials.
pub(super) struct CredentialNames {
    endpoint_keys: HashMap<i64, String>,
    users: HashMap<i64, String>,
    subjects: HashMap<i64, String>,
}

impl CredentialNames {
    /// The name of a credential, if it is known.
    pub(super) fn name(&self, credential: CallCredential) -> Option<String> {
        match credential {
            CallCredential::None => None,
            CallCredential::EndpointKey(id) => self.endpoint_keys.get(&id.0).cloned(),
            CallCredential::User(id) => self.users.get(&id.0).cloned(),
            CallCredential::Subject(id) => self.subjects.get(&id.0).cloned(),
        }
    }
}

impl Tx {
    pub(super) async fn credential_names(
        &mut self,
        credentials: impl Iterator<Item = CallCredential> + Clone,
    ) -> Result<CredentialNames> {
        let keys = credentials.clone().filter_map(CallCredential::endpoint_key).map(|id| id.0);
        let endpoint_keys = self.read_names(&SELECT_ENDPOINT_KEY_NAMES, keys).await?;
        let users = credentials.clone().filter_map(CallCredential::user).map(|id| id.0);
        let users = self.read_names(&SELECT_USER_NAMES, users).await?;
        let subjects = credentials.filter_map(CallCredential::subject).map(|id| id.0);
        Ok(CredentialNames { endpoint_keys, users, subjects: self.read_names(&SELECT_SUBJECT_NAMES, subjects).await? })
    }
}
