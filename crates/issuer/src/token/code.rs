//! Exchanges an authorization code for the first tokens of its grant.

use axum::response::Response;
use toolgate_auth::hash_secret;
use toolgate_domain::oauth::grant::{NewRefreshToken, StoredCode};

use super::{TokenRequest, verifier};
use crate::oauth_error::OAuthError;

pub(super) async fn exchange(request: &TokenRequest<'_>) -> Result<Response, OAuthError> {
    let (storage, form) = (&request.context.storage, request.form);
    let hash = hash_secret(form.require("code")?);
    let unknown = || OAuthError::invalid_grant("The code is not known, or its grant has ended.");
    let code = storage.code(&hash).await?.ok_or_else(unknown)?;
    request.check_grant(&code.grant).await?;
    if code.is_used {
        // The code has leaked, so the grant ends, even if the request has other faults.
        let unused = NewRefreshToken { hash, expires_at: request.now };
        storage.take_code(&hash, unused, request.now).await?;
        return Err(used_before());
    }
    check(&code, request, form.require("redirect_uri")?, form.require("code_verifier")?)?;
    let server = request.server(&code.grant).await?;
    let tokens = request.new_tokens(&code.grant, &server, code.grant.scopes)?;
    // Decides between concurrent requests. A second use ends the grant, because the code has leaked.
    if storage.take_code(&hash, tokens.stored_refresh(), request.now).await? {
        Ok(tokens.reply())
    } else {
        Err(used_before())
    }
}

fn used_before() -> OAuthError {
    OAuthError::invalid_grant("The code was used before. The access that it gave has ended.")
}

fn check(
    code: &StoredCode,
    request: &TokenRequest<'_>,
    redirect_uri: &str,
    code_verifier: &str,
) -> Result<(), OAuthError> {
    if code.expires_at <= request.now {
        return Err(OAuthError::invalid_grant("The code has expired."));
    }
    if code.redirect_uri != redirect_uri {
        return Err(OAuthError::invalid_grant("redirect_uri is not that of the authorization request."));
    }
    if !verifier::matches(code_verifier, &code.challenge) {
        return Err(OAuthError::invalid_grant("code_verifier does not belong to the code_challenge."));
    }
    Ok(())
}
