//! Authentication of clients at `/token` and `/revoke`: id and secret in the form, or both in `Authorization: Basic`. A
//! client may use either, no matter which one it registered.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use toolgate_auth::hash_secret;
use toolgate_domain::oauth::client::{ClientStatus, OAuthClient};
use toolgate_storage::Storage;

use crate::oauth_error::OAuthError;
use crate::token_form::TokenForm;

/// An id with the secret that was sent with it.
struct PresentedClient {
    id: String,
    secret: Option<String>,
}

/// The client of a request, which must be known and not blocked.
pub(crate) async fn authenticate(
    storage: &dyn Storage,
    headers: &HeaderMap,
    form: &TokenForm,
) -> Result<OAuthClient, OAuthError> {
    // PostgreSQL cannot compare a text with NUL, and no client has such an id.
    let presented = presented(headers, form)?;
    for presented in presented.into_iter().filter(|presented| !presented.id.contains('\0')) {
        if let Some(client) = storage.client_by_identifier(&presented.id).await? {
            check(&client, presented.secret.as_deref())?;
            return Ok(client);
        }
    }
    Err(OAuthError::invalid_client("The client is not known. Register it again."))
}

/// Whether the request names a client.
pub(crate) fn is_presented(headers: &HeaderMap, form: &TokenForm) -> bool {
    headers.contains_key(AUTHORIZATION) || form.get("client_id").is_some() || form.get("client_secret").is_some()
}

fn check(client: &OAuthClient, secret: Option<&str>) -> Result<(), OAuthError> {
    if client.status == ClientStatus::Blocked {
        return Err(OAuthError::invalid_client("An administrator of this service has blocked the client."));
    }
    match (&client.secret_hash, secret) {
        (None, None) => Ok(()),
        // The secret has 256 random bits, so the duration of comparing its hash reveals nothing about it.
        (Some(hash), Some(secret)) if hash_secret(secret) == *hash => Ok(()),
        (Some(_), Some(_)) => Err(OAuthError::invalid_client("The client secret is wrong.")),
        (Some(_), None) => Err(OAuthError::invalid_client("The client has a secret and must send it.")),
        (None, Some(_)) => Err(OAuthError::invalid_client("The client has no secret and must not send one.")),
    }
}

/// The possible readings of the sent id and secret, in the order in which they are tried.
fn presented(headers: &HeaderMap, form: &TokenForm) -> Result<Vec<PresentedClient>, OAuthError> {
    let owned = |text: &str| text.to_owned();
    if !headers.contains_key(AUTHORIZATION) {
        let missing = || OAuthError::invalid_client("The parameter client_id is missing.");
        let id = form.get("client_id").map(owned).ok_or_else(missing)?;
        return Ok(vec![PresentedClient { id, secret: form.get("client_secret").map(owned) }]);
    }
    if form.get("client_secret").is_some() {
        let description = "The client must send its secret in the form or in Authorization, not in both.";
        return Err(OAuthError::bad_request("invalid_request", description));
    }
    let malformed = || OAuthError::invalid_client("Authorization must be Basic with the id and secret of the client.");
    let mut readings = basic_readings(headers).ok_or_else(malformed)?;
    if let Some(id) = form.get("client_id") {
        readings.retain(|reading| reading.id == id);
    }
    Ok(readings)
}

/// Id and secret of `Authorization: Basic`. RFC 6749 requires that both are form-encoded first, but many clients do not
/// do so: both readings are tried. The last colon separates them, because an id can be a URL and no secret has a colon.
fn basic_readings(headers: &HeaderMap) -> Option<Vec<PresentedClient>> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?.to_str().ok()?;
    let (scheme, encoded) = value.trim().split_once(' ')?;
    let decoded = STANDARD.decode(encoded.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let decoded = String::from_utf8(decoded).ok()?;
    let (id, secret) = decoded.rsplit_once(':')?;
    let reading = |id: String, secret: String| PresentedClient { id, secret: Some(secret).filter(|s| !s.is_empty()) };
    let as_sent = reading(id.to_owned(), secret.to_owned());
    let form_decoded = reading(form_decode(id), form_decode(secret));
    let is_same = as_sent.id == form_decoded.id && as_sent.secret == form_decoded.secret;
    Some(if is_same { vec![as_sent] } else { vec![form_decoded, as_sent] })
}

fn form_decode(text: &str) -> String {
    // With `&` and `=` escaped, the parser returns the whole text as one name.
    let encoded = text.replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(encoded.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(pair: &str) -> Vec<(String, Option<String>)> {
        let value = format!("Basic {}", STANDARD.encode(pair));
        let headers = HeaderMap::from_iter([(AUTHORIZATION, value.parse().unwrap())]);
        let readings = basic_readings(&headers).unwrap_or_default();
        readings.into_iter().map(|reading| (reading.id, reading.secret)).collect()
    }

    #[test]
    fn both_encodings_of_the_id_are_read() {
        let pair = |id: &str, secret: Option<&str>| (id.to_owned(), secret.map(str::to_owned));
        assert_eq!(readings("tgx_a:tgs_b"), [pair("tgx_a", Some("tgs_b"))]);
        assert_eq!(readings("tgx_a:"), [pair("tgx_a", None)]);
        let url = "https://a.example/client.json";
        assert_eq!(readings(&format!("{url}:s")), [pair(url, Some("s"))]);
        assert_eq!(readings("https%3A%2F%2Fa.example%2Fclient.json:s")[0], pair(url, Some("s")));
        assert_eq!(readings("a%2Bb+c:s"), [pair("a+b c", Some("s")), pair("a%2Bb+c", Some("s"))]);
        assert_eq!(readings("a=b&c:s"), [pair("a=b&c", Some("s"))]);
        assert!(readings("without-colon").is_empty());
    }

    #[test]
    fn other_headers_are_refused() {
        for value in ["Bearer abc", "Basic", "Basic !!!", "Basic YTpi, Basic YTpi"] {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, value.parse().unwrap())]);
            assert!(basic_readings(&headers).is_none(), "{value}");
        }
    }
}
