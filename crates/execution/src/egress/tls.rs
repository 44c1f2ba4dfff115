//! TLS configuration, trusted certificate authorities and handshake failures. The ring provider is passed explicitly,
//! so that a process-wide provider need not be installed first.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use toolgate_domain::call::FailureReason;

/// Why a TLS handshake failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsFault {
    /// The certificate has expired or is not valid yet.
    #[error("its certificate has expired or is not valid yet.")]
    Expired,
    /// The certificate is for another name.
    #[error("its certificate is for another host name.")]
    WrongName,
    /// The certificate was issued by an untrusted authority.
    #[error("its certificate was issued by an authority that this system does not trust.")]
    UnknownIssuer,
    /// The certificate is invalid for another reason.
    #[error("its certificate is not valid.")]
    BadCertificate,
    /// The other side closed the connection, or supports neither TLS 1.2 nor TLS 1.3.
    #[error("the handshake failed; the port may not use TLS.")]
    Handshake,
}

impl TlsFault {
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Expired => {
                "Renew the API's certificate. If it is valid, check the clock of the machine that this service runs on."
            }
            Self::WrongName => "Check the host in the tool's endpoint_url.",
            Self::UnknownIssuer => {
                "Add that authority to the certificate store of the system that this service runs on, or use a certificate of a trusted authority."
            }
            Self::BadCertificate => FailureReason::Tls.advice(),
            Self::Handshake => "Check the scheme and port in the tool's endpoint_url.",
        }
    }

    pub(super) fn from_rustls(error: &rustls::Error) -> Self {
        use CertificateError as Bad;
        let rustls::Error::InvalidCertificate(error) = error else { return Self::Handshake };
        match error {
            Bad::Expired | Bad::ExpiredContext { .. } | Bad::NotValidYet | Bad::NotValidYetContext { .. } => {
                Self::Expired
            }
            Bad::NotValidForName | Bad::NotValidForNameContext { .. } => Self::WrongName,
            Bad::UnknownIssuer => Self::UnknownIssuer,
            _ => Self::BadCertificate,
        }
    }
}

/// The certificate authorities of the system, which the operator can extend, and those of Mozilla, because containers
/// often have no certificate store.
pub(super) fn trusted_roots() -> RootCertStore {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::debug!(%error, "a certificate store of the system could not be loaded");
    }
    roots.add_parsable_certificates(system.certs);
    roots
}

/// The TLS configuration without ALPN protocols, which the connector sets.
#[expect(clippy::expect_used, reason = "ring has ciphers for both versions of TLS; the tests of the client verify it")]
pub(super) fn client_config(roots: RootCertStore) -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring supports TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_can_be_configured_without_any_authority() {
        assert!(client_config(RootCertStore::empty()).alpn_protocols.is_empty());
    }

    #[test]
    fn mozillas_authorities_are_always_trusted() {
        assert!(trusted_roots().len() >= webpki_roots::TLS_SERVER_ROOTS.len());
    }
}
