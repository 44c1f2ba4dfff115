//! Fetches the documents of an issuer.

use http::Uri;
use toolgate_auth::jwt::{JWKS_BYTES_MAX, JsonWebKeys};

use super::error::IssuerError;
use super::issuer_url::{UrlRule, metadata_uris, to_uri};
use super::metadata_document::IssuerMetadata;
use crate::egress::client::EgressClient;
use crate::egress::error::EgressError;
use crate::small_document::{self, SmallDocumentError};

/// The largest metadata document, in bytes.
const METADATA_BYTES_MAX: usize = 64 * 1024;

pub(super) struct Discovery {
    egress: EgressClient,
    rule: UrlRule,
}

impl Discovery {
    pub(super) fn new(egress: EgressClient, allows_loopback_http: bool) -> Self {
        Self { egress, rule: UrlRule { allows_loopback_http } }
    }

    /// The metadata: `openid-configuration`, or if there is none, the document of RFC 8414.
    pub(super) async fn metadata(&self, issuer: &str) -> Result<IssuerMetadata, IssuerError> {
        let [openid, oauth] = metadata_uris(&self.rule.parse(issuer, "The issuer")?)?;
        match self.metadata_at(openid, issuer).await {
            Err(error) if has_responded(&error) => match self.metadata_at(oauth, issuer).await {
                Err(other) if has_responded(&other) => Err(error),
                outcome => outcome,
            },
            outcome => outcome,
        }
    }

    pub(super) async fn keys(&self, metadata: &IssuerMetadata) -> Result<JsonWebKeys, IssuerError> {
        let uri = to_uri(&metadata.jwks_uri, "jwks_uri")?;
        let response = small_document::fetch(&self.egress, uri, JWKS_BYTES_MAX).await.map_err(IssuerError::Keys)?;
        JsonWebKeys::parse(&response.body).map_err(IssuerError::BadKeys)
    }

    async fn metadata_at(&self, uri: Uri, issuer: &str) -> Result<IssuerMetadata, IssuerError> {
        let response = small_document::fetch(&self.egress, uri, METADATA_BYTES_MAX).await;
        IssuerMetadata::parse(&response.map_err(IssuerError::Metadata)?.body, issuer, self.rule)
    }
}

/// Whether the host responded, although not with metadata of the issuer: the other document may exist.
fn has_responded(error: &IssuerError) -> bool {
    use EgressError::Redirect;
    use SmallDocumentError::{Egress, Status, TooLarge};
    matches!(
        error,
        IssuerError::Metadata(Status(_) | TooLarge(_) | Egress(Redirect(_)))
            | IssuerError::BadMetadata
            | IssuerError::OtherIssuer(_)
    )
}
