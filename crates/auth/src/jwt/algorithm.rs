//! The allow list of signature algorithms: `none`, the `HS` family and all others are refused.

use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    RsaParameters, VerificationAlgorithm,
};
use toolgate_domain::closed_set;

closed_set! {
    /// An algorithm by its name in headers and keys.
    pub(super) enum JwsAlgorithm {
        Rs256 = "RS256",
        Ps256 = "PS256",
        Es256 = "ES256",
        Es384 = "ES384",
        EdDsa = "EdDSA",
    }
}

/// The type of a key, by its members `kty` and `crv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyType {
    Rsa,
    P256,
    P384,
    Ed25519,
}

/// How a signature is checked.
pub(super) enum Verification {
    Rsa(&'static RsaParameters),
    Other(&'static dyn VerificationAlgorithm),
}

impl JwsAlgorithm {
    /// The only type of key that it works with.
    pub(super) fn key_type(self) -> KeyType {
        match self {
            Self::Rs256 | Self::Ps256 => KeyType::Rsa,
            Self::Es256 => KeyType::P256,
            Self::Es384 => KeyType::P384,
            Self::EdDsa => KeyType::Ed25519,
        }
    }

    pub(super) fn verification(self) -> Verification {
        match self {
            Self::Rs256 => Verification::Rsa(&RSA_PKCS1_2048_8192_SHA256),
            Self::Ps256 => Verification::Rsa(&RSA_PSS_2048_8192_SHA256),
            Self::Es256 => Verification::Other(&ECDSA_P256_SHA256_FIXED),
            Self::Es384 => Verification::Other(&ECDSA_P384_SHA384_FIXED),
            Self::EdDsa => Verification::Other(&ED25519),
        }
    }
}
