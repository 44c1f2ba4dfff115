//! The cost of checking a key and an access token that were used before, the latter with and without ended grants, and
//! of verifying the signature of a token that is used for the first time.

use divan::{Bencher, black_box};
use toolgate_mcp::CredentialChecks;

fn main() {
    divan::main();
}

#[divan::bench]
fn key(bencher: Bencher<'_, '_>) {
    let checks = CredentialChecks::new(0).expect("the texts are headers");
    assert!(checks.accepts_key(&checks.with_key) && !checks.accepts_key(&checks.with_token));
    bencher.bench(|| checks.accepts_key(black_box(&checks.with_key)));
}

#[divan::bench(args = [0, 100_000])]
fn token(bencher: Bencher<'_, '_>, ended_grants: i64) {
    let checks = CredentialChecks::new(ended_grants).expect("the texts are headers");
    assert!(checks.accepts_token(&checks.with_token) && !checks.accepts_token(&checks.with_key));
    bencher.bench(|| checks.accepts_token(black_box(&checks.with_token)));
}

#[divan::bench]
fn signature(bencher: Bencher<'_, '_>) {
    let checks = CredentialChecks::new(0).expect("the texts are headers");
    assert!(checks.verifies_token(&checks.with_token) && !checks.verifies_token(&checks.with_key));
    bencher.bench(|| checks.verifies_token(black_box(&checks.with_token)));
}
