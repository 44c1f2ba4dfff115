//! Checks of the caller's role in a server.

use toolgate_domain::ids::ServerId;
use toolgate_domain::member::ServerRole;
use toolgate_storage::StorageError;

use crate::error::RestError;
use crate::request::ApiRequest;

/// Fails unless the caller has at least the role `required` in a server. Storage checks the role for every change; this
/// function is for reads that viewers may not make, and for checks before the arguments are read.
pub(super) async fn require_role(
    request: &ApiRequest,
    server: ServerId,
    required: ServerRole,
) -> Result<(), RestError> {
    let role = request.storage().server_role(request.visibility(), server).await?;
    if role < required { Err(StorageError::Forbidden { role, required }.into()) } else { Ok(()) }
}
