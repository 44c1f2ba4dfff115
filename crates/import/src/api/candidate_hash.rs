//! A digest of a candidate. Comparing the digests of two imports shows which operations have changed.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::api::candidate::Candidate;

/// Length of the truncated digest, in bytes.
const HASH_BYTES: usize = 16;

impl Candidate {
    /// The digest, in hexadecimal. It depends on what a call sends and what models see, not on the name of the tool,
    /// its status, or notes for its owner.
    pub fn hash(&self) -> String {
        let tool = (
            &self.description,
            &self.endpoint_url,
            &self.http_method,
            &self.input_schema,
            &self.parameter_mapping,
            (self.body_type.as_str(), self.body_required),
            &self.headers,
            (self.auth_type.as_str(), &self.credential),
            &self.output_schema,
            &self.annotations,
        );
        let json = serde_json::to_vec(&tool).unwrap_or_default();
        Sha256::digest(json).iter().take(HASH_BYTES).fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
    }
}
