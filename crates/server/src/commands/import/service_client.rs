//! A client of the management API of a running service.

use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tokio::time::Instant;
use toolgate_execution::egress::{EgressClient, EgressError, OutboundRequest};
use url::Url;

use super::form::DocumentForm;
use crate::settings::Settings;

/// Longer than the service's own time limit for an import, so that the reply of the service arrives first.
const IMPORT_TIMEOUT: Duration = Duration::from_mins(1);
/// Addresses that the egress guard allows, because the service is often on the same machine or in the same network.
const ALLOWED_ADDRESSES: &str = "loopback,private";

/// The address of a running service, and a key for its management API.
pub(super) struct ServiceClient {
    api_base: String,
    key: SecretString,
}

/// A reply of the service.
pub(super) struct ServiceReply {
    pub(super) status: StatusCode,
    pub(super) body: Value,
}

impl ServiceClient {
    /// `address` is the URL of the service or of its management API.
    pub(super) fn new(address: &str, settings: &Settings) -> anyhow::Result<Self> {
        let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let url =
            url.ok_or_else(|| anyhow!("TOOLGATE_URL must be an http or https address, such as http://127.0.0.1:8080"))?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            bail!("TOOLGATE_URL must not contain a user name, a password or a query");
        }
        let Some(key) = settings.api_key.clone() else {
            bail!("creating tools needs a key with the scope write: set TOOLGATE_API_KEY");
        };
        let path = format!("/{}/{}/v1", settings.rest_prefix, settings.rest_namespace);
        let base = url.as_str().trim_end_matches('/');
        let api_base = if base.ends_with(&path) { base.to_owned() } else { format!("{base}{path}") };
        Ok(Self { api_base, key })
    }

    /// Sends a form and returns the reply with its status.
    pub(super) fn post(&self, path: &str, form: DocumentForm) -> anyhow::Result<ServiceReply> {
        let (content_type, body) = form.finish();
        let uri: Uri = format!("{}{path}", self.api_base).parse().context("TOOLGATE_URL is not valid")?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::try_from(content_type)?);
        let mut key = HeaderValue::try_from(format!("Bearer {}", self.key.expose_secret()))
            .map_err(|_| anyhow!("TOOLGATE_API_KEY contains characters that no key has"))?;
        key.set_sensitive(true);
        headers.insert(AUTHORIZATION, key);
        let request = OutboundRequest { method: Method::POST, uri, headers, body: body.into() };
        let egress_rule = ALLOWED_ADDRESSES.parse().context("the rule of allowed addresses is not valid")?;
        let client = EgressClient::new(egress_rule);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let response = runtime.block_on(client.send(&request, Instant::now() + IMPORT_TIMEOUT));
        let response = response.map_err(|error| self.unreachable_error(&error))?;
        let body = serde_json::from_slice(&response.body).map_err(|_| self.no_management_api_error())?;
        Ok(ServiceReply { status: response.status, body })
    }

    fn unreachable_error(&self, error: &EgressError) -> anyhow::Error {
        let reason = match error {
            EgressError::Refused => "the connection was refused".to_owned(),
            EgressError::Unreachable => "there is no route to it".to_owned(),
            EgressError::Dns => "its host name could not be resolved".to_owned(),
            EgressError::Timeout => "it did not respond in time".to_owned(),
            EgressError::Tls(fault) => format!("no secure connection: {fault}"),
            other => other.to_string(),
        };
        anyhow!("cannot reach the service at {}: {reason}; start it, or set TOOLGATE_URL to its address", self.api_base)
    }

    /// The error for an address at which another program responds.
    pub(super) fn no_management_api_error(&self) -> anyhow::Error {
        anyhow!("there is no management API of Toolgate at {}; check TOOLGATE_URL", self.api_base)
    }
}
