//! Why the metadata or the keys of an issuer cannot be used.

use toolgate_auth::jwt::JsonWebKeysError;

use crate::small_document::SmallDocumentError;

/// The fault. Its text is for the person who configures the issuer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuerError {
    /// The issuer, or an address in its metadata, is not a URL that is accepted.
    #[error(
        "{0} must be an https URL without user and fragment (http only on loopback, if this service is reachable on \
         loopback alone)."
    )]
    BadAddress(&'static str),
    /// Neither metadata document could be fetched.
    #[error(
        "The metadata of the issuer cannot be read (/.well-known/openid-configuration, \
         /.well-known/oauth-authorization-server). {0}"
    )]
    Metadata(SmallDocumentError),
    /// The metadata is not valid.
    #[error("The metadata of the issuer is not a JSON object with the texts \"issuer\" and \"jwks_uri\".")]
    BadMetadata,
    /// The metadata names another issuer.
    #[error("The metadata names the issuer {0:?}; enter it exactly like this.")]
    OtherIssuer(String),
    /// The keys could not be fetched.
    #[error("The keys of the issuer cannot be read (jwks_uri). {0}")]
    Keys(SmallDocumentError),
    /// The keys are not valid.
    #[error("{0}")]
    BadKeys(JsonWebKeysError),
    /// No key of the issuer can be used.
    #[error(
        "The issuer has no key for signatures that is supported: RSA with at least 2048 bits, P-256, P-384 or Ed25519."
    )]
    NoUsableKey,
    /// The service stops.
    #[error("The request to the issuer was interrupted.")]
    Interrupted,
}
