//! Credentials of a server: each has a name, by which the tools of the server refer to it, so that one change reaches
//! all of them.

use crate::fault::{Fault, Faults};
use crate::ids::{ServerCredentialId, ServerId};
use crate::json::JsonObject;
use crate::owner_fields::owner_fields;
use crate::secrets::Secrets;
use crate::text;
use crate::time::Timestamp;
use crate::tool::apply_auth;
use crate::upstream_auth::AuthType;

/// Maximum number of credentials of one server.
pub const SERVER_CREDENTIALS_MAX: i64 = 100;
/// Maximum length of a name, in characters.
pub const CREDENTIAL_NAME_MAX: usize = 64;
/// The pattern of a name, for messages and schemas.
pub const CREDENTIAL_NAME_PATTERN: &str = "^[A-Za-z0-9_.-]{1,64}$";
/// The types of authentication that a credential can have.
pub const CREDENTIAL_AUTH_TYPES: &[&str] = &["bearer", "basic", "api-key", "oauth2"];

owner_fields! {
    /// The fields of a credential that the owner of its server sets.
    pub struct ServerCredentialSpec;
    /// Fields of a create or update request; absent fields stay unchanged.
    pub struct ServerCredentialPatch;
    required {
        /// The name by which tools refer to it; unique in the server without regard to case.
        name: String,
        /// Authentication at the upstream; not none. Another type drops the stored credentials.
        auth_type: AuthType,
    }
    optional {}
    nullable {}
    patch_only {
        /// The secret values; an empty object clears the stored ones.
        auth_credentials: Option<JsonObject>,
    }
}

/// A stored credential, without its secret values.
#[derive(Clone, Debug)]
pub struct ServerCredential {
    /// Id.
    pub id: ServerCredentialId,
    /// The server it belongs to.
    pub server_id: ServerId,
    /// Whether secret values are stored. Calls of its tools fail without them.
    pub has_credentials: bool,
    /// Number of tools that use it.
    pub tools_count: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The fields set by its owner.
    pub spec: ServerCredentialSpec,
}

impl ServerCredentialSpec {
    /// Applies a patch, by the same rules as for the credentials of a tool.
    pub fn apply(&mut self, mut patch: ServerCredentialPatch, secrets: &mut Secrets) -> Result<(), Faults> {
        let credentials = patch.auth_credentials.take();
        apply_auth(&mut self.auth_type, secrets, patch.auth_type.take(), credentials)?;
        self.apply_fields(patch);
        Ok(())
    }
}

/// Validates the name of a credential.
pub fn credential_name(field: &str, text: &str) -> Result<String, Fault> {
    text::check_not_empty(field, text, CREDENTIAL_NAME_MAX)?;
    if !text.bytes().all(text::is_identifier_byte) {
        let message =
            format!("{field} may hold only letters, digits, '_', '.' and '-' (pattern {CREDENTIAL_NAME_PATTERN}).");
        return Err(Fault::invalid_pattern(field, message));
    }
    Ok(text.to_owned())
}

/// Validates the type of a credential: one without authentication would have no purpose.
pub fn credential_auth_type(field: &str, auth_type: &AuthType) -> Result<AuthType, Fault> {
    match auth_type {
        AuthType::None => Err(Fault::not_in(field, CREDENTIAL_AUTH_TYPES)),
        AuthType::Bearer | AuthType::Basic | AuthType::ApiKey | AuthType::OAuth2 => Ok(*auth_type),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_1_to_64_letters_digits_and_marks() {
        let longest = "a".repeat(CREDENTIAL_NAME_MAX);
        for good in ["token", "A.b_c-9", &longest] {
            assert_eq!(credential_name("name", good).unwrap(), good);
        }
        for bad in ["", "a b", "ä", &format!("{longest}a")] {
            assert!(credential_name("name", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_auth_type_but_none_is_allowed() {
        for name in AuthType::NAMES {
            let auth_type = AuthType::parse(name).unwrap();
            let is_allowed = credential_auth_type("auth_type", &auth_type).is_ok();
            assert_eq!(
                (is_allowed, CREDENTIAL_AUTH_TYPES.contains(name)),
                (*name != "none", *name != "none"),
                "{name}"
            );
        }
    }

    #[test]
    fn another_auth_type_drops_the_old_credentials_and_a_new_name_does_not() {
        let mut spec = ServerCredentialSpec::new("a".to_owned(), AuthType::Bearer);
        let mut secrets = Secrets::default();
        let object = JsonObject::from_stored(r#"{"token":"t"}"#.to_owned());
        let patch = ServerCredentialPatch { auth_credentials: Some(object), ..ServerCredentialPatch::default() };
        spec.apply(patch, &mut secrets).unwrap();
        let renamed = ServerCredentialPatch { name: Some("b".to_owned()), ..ServerCredentialPatch::default() };
        spec.apply(renamed, &mut secrets).unwrap();
        assert!(spec.name == "b" && secrets.credentials.is_some());
        let basic = ServerCredentialPatch { auth_type: Some(AuthType::Basic), ..ServerCredentialPatch::default() };
        spec.apply(basic, &mut secrets).unwrap();
        assert!(spec.auth_type == AuthType::Basic && secrets.credentials.is_none());
    }
}
