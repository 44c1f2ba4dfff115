//! Creates a server with its tools, prompts and resources from one document, `{server, tools, prompts, resources}`.
//! Each part has the fields and the validation rules of the route that creates one object of its kind.

use serde_json::Value;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::server::Server;
use toolgate_domain::user::Visibility;
use toolgate_execution::egress::EgressRule;
use toolgate_storage::Storage;

use super::{prompts, resources, servers, tools};
use crate::error::RestError;
use crate::params::{Arguments, read_create_arguments};

/// Creates the server and its objects. If an object cannot be created, the server is deleted again.
pub(crate) async fn create(
    storage: &dyn Storage,
    egress: &EgressRule,
    actor: &Actor,
    owner: UserId,
    document: &Value,
) -> Result<Server, RestError> {
    let new = servers::new_server(read_fields(&document["server"], egress)?, egress, owner)?;
    let server = storage.create_server(actor, new).await?;
    if let Err(error) = create_contents(storage, egress, actor, server.id, document).await {
        storage.delete_server(actor, Visibility::All, server.id).await?;
        return Err(error);
    }
    Ok(storage.server(Visibility::All, server.id).await?)
}

async fn create_contents(
    storage: &dyn Storage,
    egress: &EgressRule,
    actor: &Actor,
    server: ServerId,
    document: &Value,
) -> Result<(), RestError> {
    for tool in parts(document, "tools") {
        let new = tools::new_tool(read_fields(tool, egress)?, egress)?;
        storage.create_tool(actor, Visibility::All, server, new).await?;
    }
    for prompt in parts(document, "prompts") {
        let spec = prompts::new_prompt(read_fields(prompt, egress)?, egress)?;
        storage.create_prompt(actor, Visibility::All, server, spec).await?;
    }
    for resource in parts(document, "resources") {
        let (spec, patch) = resources::new_resource(read_fields(resource, egress)?, egress)?;
        storage.create_resource(actor, Visibility::All, server, spec, patch).await?;
    }
    Ok(())
}

fn parts<'a>(document: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    document[name].as_array().into_iter().flatten()
}

/// The fields of an object to create.
fn read_fields<A: Arguments>(part: &Value, egress: &EgressRule) -> Result<A, RestError> {
    Ok(read_create_arguments(JsonObject::from_stored(part.to_string()).members(), egress)?)
}
