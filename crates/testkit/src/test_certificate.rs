//! A certificate for TLS servers of tests. Clients and services trust it only if a test configures them so.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// Self-signed, for `upstream.test` and 127.0.0.1, valid until 2120.
const CERTIFICATE: &str = "\
    MIIBcTCCARagAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA11cHN0cmVhbS50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIx\
    MjAwMTAxMDAwMDAwWjAYMRYwFAYDVQQDDA11cHN0cmVhbS50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE38A1p37D60S7\
    wK5LHeYWROoYoIWQcMrMoKxcUYlOu/61n9O4fmvmbL0bs31tJ5ARbN7udjpZmdboVhGBWG672aNPME0wHgYDVR0RBBcwFYINdXBz\
    dHJlYW0udGVzdIcEfwAAATAMBgNVHRMBAf8EAjAAMB0GA1UdDgQWBBSOo7tDNXejEw7g/8vCQnKrwELD5zAKBggqhkjOPQQDAgNJ\
    ADBGAiEAiGQbOpKGJ9Y4a26doJ2YFi88pM/czE7vXEnigYq+8UkCIQDXTwYFQzU9BOqIk4KIJ6zm9t3zcr4S6A0/v2Rx/4CQcg==\
";
/// The private key of the certificate.
const PRIVATE_KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgr93pixDn0MKmHLdtSEfFaaDWzoWAXg9joibTcxY3n+ShRANCAATf\
    wDWnfsPrRLvArksd5hZE6highZBwysygrFxRiU67/rWf07h+a+ZsvRuzfW0nkBFs3u52OlmZ1uhWEYFYbrvZ\
";

/// The certificate in DER, for a TLS server and for a list of trusted certificates.
pub fn certificate_der() -> Vec<u8> {
    decode(CERTIFICATE)
}

/// The private key in PKCS#8, for a TLS server.
pub fn private_key_der() -> Vec<u8> {
    decode(PRIVATE_KEY)
}

/// The certificate in PEM, for a file that `SSL_CERT_FILE` names.
pub fn certificate_pem() -> String {
    format!("-----BEGIN CERTIFICATE-----\n{CERTIFICATE}\n-----END CERTIFICATE-----\n")
}

fn decode(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).expect("the constants are base64")
}
