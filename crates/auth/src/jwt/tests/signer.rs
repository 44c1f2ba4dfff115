//! Signs tokens, as an issuer does.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm,
    Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaEncoding, RsaKeyPair,
};
use serde_json::{Value, json};

/// Generated for these tests, and used nowhere else.
const RSA_KEY: &str = include_str!("rsa_2048.pk8.txt");

pub(super) struct TestSigner {
    pub(super) algorithm: &'static str,
    key_id: &'static str,
    key: SigningKey,
}

enum SigningKey {
    Rsa(Box<RsaKeyPair>, &'static dyn RsaEncoding),
    Ecdsa(EcdsaKeyPair, &'static str),
    Ed25519(Ed25519KeyPair),
}

impl TestSigner {
    pub(super) fn every_algorithm() -> Vec<Self> {
        let es384 = Self::ecdsa("k", "ES384", "P-384", &ECDSA_P384_SHA384_FIXED_SIGNING);
        let ps256 = Self { algorithm: "PS256", key_id: "k", key: SigningKey::Rsa(Box::new(rsa()), &RSA_PSS_SHA256) };
        vec![Self::rs256("k"), ps256, Self::es256("k"), es384, Self::ed25519("k")]
    }

    pub(super) fn rs256(key_id: &'static str) -> Self {
        Self { algorithm: "RS256", key_id, key: SigningKey::Rsa(Box::new(rsa()), &RSA_PKCS1_SHA256) }
    }

    pub(super) fn es256(key_id: &'static str) -> Self {
        Self::ecdsa(key_id, "ES256", "P-256", &ECDSA_P256_SHA256_FIXED_SIGNING)
    }

    pub(super) fn ed25519(key_id: &'static str) -> Self {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let key = SigningKey::Ed25519(Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap());
        Self { algorithm: "EdDSA", key_id, key }
    }

    fn ecdsa(
        key_id: &'static str,
        algorithm: &'static str,
        curve: &'static str,
        signing: &'static EcdsaSigningAlgorithm,
    ) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(signing, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(signing, pkcs8.as_ref(), &random).unwrap();
        Self { algorithm, key_id, key: SigningKey::Ecdsa(pair, curve) }
    }

    /// The key as in a key document.
    pub(super) fn public_key(&self) -> Value {
        let mut key = match &self.key {
            SigningKey::Rsa(pair, _) => {
                let public: PublicKeyComponents<Vec<u8>> = pair.public().into();
                json!({"kty": "RSA", "n": encode(&public.n), "e": encode(&public.e)})
            }
            SigningKey::Ecdsa(pair, curve) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at((pair.public_key().as_ref().len() - 1) / 2);
                json!({"kty": "EC", "crv": curve, "x": encode(x), "y": encode(y)})
            }
            SigningKey::Ed25519(pair) => {
                json!({"kty": "OKP", "crv": "Ed25519", "x": encode(pair.public_key().as_ref())})
            }
        };
        key["kid"] = self.key_id.into();
        key
    }

    pub(super) fn sign(&self, claims: &Value) -> String {
        self.sign_with_header(&json!({"alg": self.algorithm, "kid": self.key_id, "typ": "at+jwt"}), claims)
    }

    pub(super) fn sign_with_header(&self, header: &Value, claims: &Value) -> String {
        self.sign_text(&header.to_string(), &claims.to_string())
    }

    pub(super) fn sign_text(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", encode(header.as_bytes()), encode(claims.as_bytes()));
        let signature = self.signature(signed.as_bytes());
        format!("{signed}.{}", encode(&signature))
    }

    fn signature(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.key {
            SigningKey::Rsa(pair, encoding) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(*encoding, &random, message, &mut signature).unwrap();
                signature
            }
            SigningKey::Ecdsa(pair, _) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
            SigningKey::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
        }
    }
}

fn rsa() -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(&STANDARD.decode(RSA_KEY.replace('\n', "")).unwrap()).unwrap()
}

pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
