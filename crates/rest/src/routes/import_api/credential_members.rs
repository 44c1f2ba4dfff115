//! The members of `auth_credentials` that a document determines, such as the name of a key. They are stored with the
//! document, so that later requests have to send only the secret values.

use serde_json::{Map, Value};
use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::fault::Fault;
use toolgate_domain::ids::ServerId;
use toolgate_domain::json::JsonObject;
use toolgate_import::api::report::ApiImport;

use crate::error::RestError;
use crate::request::ApiRequest;

/// The option of a stored document with the members, by name of a credential.
const CREDENTIAL_MEMBERS: &str = "credential_members";

/// The options of a document with the members that it determines.
pub(super) fn options_with_members(options: &JsonObject, import: &ApiImport) -> JsonObject {
    let schemes = import.security_schemes.iter().filter(|scheme| scheme.supported);
    let members: Map<String, Value> = schemes
        .filter(|scheme| !scheme.auth_credentials.is_empty())
        .map(|scheme| (scheme.name.clone(), Value::Object(scheme.auth_credentials.clone())))
        .collect();
    let mut options = options.to_map();
    options.shift_remove(CREDENTIAL_MEMBERS);
    if !members.is_empty() {
        options.insert(CREDENTIAL_MEMBERS.to_owned(), Value::Object(members));
    }
    JsonObject::from_stored(Value::Object(options).to_string())
}

/// The members that documents of a server determine, by name of a credential.
pub(in crate::routes) struct CredentialMembers(Vec<(String, Map<String, Value>)>);

impl CredentialMembers {
    /// Reads the members from all documents of a server.
    pub(in crate::routes) async fn read(request: &ApiRequest, server_id: ServerId) -> Result<Self, RestError> {
        let documents = request.storage().list_documents(request.visibility(), server_id, None).await?.items;
        Ok(Self(documents.iter().flat_map(document_members).collect()))
    }

    /// The values that were sent for a credential, completed with the members from its document.
    pub(in crate::routes) fn complete(&self, field: &str, name: &str, sent: JsonObject) -> Result<JsonObject, Fault> {
        let Some((_, known)) = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
            return Ok(sent);
        };
        let completed = complete(field, known, sent.to_map())?;
        Ok(JsonObject::from_stored(Value::Object(completed).to_string()))
    }
}

fn document_members(document: &ApiDocument) -> Vec<(String, Map<String, Value>)> {
    let mut options = document.options.to_map();
    let Some(Value::Object(members)) = options.shift_remove(CREDENTIAL_MEMBERS) else { return Vec::new() };
    let members = members.into_iter().filter_map(|(name, members)| Some((name, members.as_object()?.clone())));
    members.collect()
}

/// Adds the known members that were not sent. An empty object stays empty: it deletes the stored values.
pub(super) fn complete(
    field: &str,
    known: &Map<String, Value>,
    mut sent: Map<String, Value>,
) -> Result<Map<String, Value>, Fault> {
    if sent.is_empty() {
        return Ok(sent);
    }
    match known.get("keys").and_then(Value::as_array) {
        Some(keys) => match sent.get_mut("keys") {
            None => return Err(several_keys(field, keys)),
            Some(sent) => {
                let sent = sent.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut);
                sent.for_each(|key| complete_key(keys, key));
            }
        },
        None if has_other_key(known, &sent) => {}
        None => {
            for (name, value) in known {
                sent.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    Ok(sent)
}

/// Whether a key with another name was sent: the location in the document does not apply to it.
fn has_other_key(known: &Map<String, Value>, sent: &Map<String, Value>) -> bool {
    sent.contains_key("keys") || sent.get("key_name").is_some_and(|name| known.get("key_name") != Some(name))
}

/// Adds the location of the key with this name.
fn complete_key(known: &[Value], key: &mut Map<String, Value>) {
    let name = key.get("key_name").and_then(Value::as_str).unwrap_or_default();
    let is_same = |other: &&Value| other.get("key_name").and_then(Value::as_str) == Some(name);
    if let Some(location) = known.iter().find(is_same).and_then(|key| key.get("key_location")).cloned() {
        key.entry("key_location").or_insert(location);
    }
}

fn several_keys(field: &str, known: &[Value]) -> Fault {
    let names = known.iter().filter_map(|key| key.get("key_name")?.as_str());
    let keys: Vec<String> = names.map(|name| format!(r#"{{"key_name": "{name}", "key_value": "…"}}"#)).collect();
    let message = format!("{field} needs a value for each of its keys: {{\"keys\": [{}]}}.", keys.join(", "));
    Fault::invalid_value(field, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn completed(known: Value, sent: Value) -> Result<Value, Fault> {
        let (Value::Object(known), Value::Object(sent)) = (known, sent) else { panic!("objects") };
        complete("credentials[a]", &known, sent).map(Value::Object)
    }

    #[test]
    fn members_of_the_document_are_added_unless_another_key_is_sent() {
        let key = json!({"key_name": "X-Shop", "key_location": "query"});
        for (sent, expected) in [
            (json!({"key_value": "v"}), json!({"key_value": "v", "key_name": "X-Shop", "key_location": "query"})),
            (
                json!({"key_value": "v", "key_location": "header"}),
                json!({"key_value": "v", "key_location": "header", "key_name": "X-Shop"}),
            ),
            (json!({"key_value": "v", "key_name": "Other"}), json!({"key_value": "v", "key_name": "Other"})),
            (json!({}), json!({})),
        ] {
            assert_eq!(completed(key.clone(), sent).unwrap(), expected);
        }
    }

    #[test]
    fn each_of_several_keys_has_the_location_of_the_document() {
        let keys = json!({"keys": [
            {"key_name": "X-A", "key_location": "header"}, {"key_name": "b", "key_location": "cookie"},
        ]});
        let sent = json!({"keys": [{"key_name": "X-A", "key_value": "1"}, {"key_name": "b", "key_value": "2"}]});
        let found = completed(keys.clone(), sent).unwrap();
        assert_eq!(found["keys"][1], json!({"key_name": "b", "key_value": "2", "key_location": "cookie"}));
        let refused = completed(keys, json!({"key_value": "1"})).unwrap_err();
        assert!(
            refused.message.contains(r#"{"keys": [{"key_name": "X-A", "key_value": "…"}, "#),
            "{}",
            refused.message
        );
    }
}
