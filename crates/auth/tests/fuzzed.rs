//! The property of `fuzz/` about signed tokens on a stable compiler, with inputs that are often almost valid. The seed is
//! fixed, so that every run is the same; the fuzzer searches for new inputs.

#[cfg(test)]
#[path = "../../../fuzz/properties/jwt.rs"]
mod jwt;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// An object of some of these members, in this order, each at most once.
fn object(members: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::sample::subsequence(members, 0..=members.len()).prop_map(|chosen| format!("{{{}}}", chosen.join(",")))
}

/// Valid documents with every change that one cut and one insertion make.
fn damaged(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (text, any::<prop::sample::Index>(), r#"[{}\[\],:"a1é\\]{0,2}"#).prop_map(|(text, position, inserted)| {
        let position = position.index(text.chars().count() + 1);
        let (before, after): (String, String) =
            (text.chars().take(position).collect(), text.chars().skip(position + inserted.len() % 2).collect());
        format!("{before}{inserted}{after}")
    })
}

fn header() -> impl Strategy<Value = String> {
    const MEMBERS: &[&str] = &[
        r#""alg":"EdDSA""#,
        r#""kid":"k""#,
        r#""typ":"at+jwt""#,
        r#""jku":"https://evil.example""#,
        r#""crit":["exp"]"#,
    ];
    prop_oneof![
        4 => Just(r#"{"alg":"EdDSA","kid":"k"}"#.to_owned()),
        2 => object(MEMBERS),
        1 => damaged(object(MEMBERS)),
        1 => r#"\{"alg":"(none|HS256|ES256|RS256|EdDSA|eddsa)"(,"alg":"EdDSA")?\}"#,
        1 => ".{0,24}",
    ]
}

fn claims() -> impl Strategy<Value = String> {
    const ACCESS: &[&str] = &[
        r#""iss":"https://id.example""#,
        r#""sub":"ada""#,
        r#""aud":["x","gate"]"#,
        r#""exp":1000000600"#,
        r#""iat":1e9"#,
        r#""nbf":999999999.5"#,
    ];
    let access = format!("{{{}}}", ACCESS.join(","));
    let identity =
        r#"{"iss":"https://id.example","sub":"ada","aud":"gate","exp":1000000600,"iat":1000000000,"nonce":"n"}"#;
    prop_oneof![
        1 => Just(access),
        1 => Just(identity.to_owned()),
        2 => object(ACCESS),
        2 => damaged(object(ACCESS)),
        2 => r#"\{"iss":"https://id\.(example|example/|evil)","sub":("a"|1|""),"aud":("gate"|"x"|\["gate"\]|\[\]|7),"exp":(1000000000|-1|1e300|999999950|999999000|"1000000600")\}"#,
        1 => ".{0,24}",
    ]
}

fn key_document() -> impl Strategy<Value = String> {
    const MEMBERS: &[&str] = &[
        r#""kty":"OKP""#,
        r#""crv":"Ed25519""#,
        r#""x":"6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw""#,
        r#""kid":"k""#,
        r#""use":"sig""#,
        r#""alg":"EdDSA""#,
    ];
    let list = |key: String| format!(r#"{{"keys":[{key}]}}"#);
    prop_oneof![
        2 => object(MEMBERS).prop_map(list),
        1 => damaged(object(MEMBERS)).prop_map(list),
        1 => r#"\{"keys":\[\{"kty":"(RSA|EC|OKP|oct)","crv":"(P-256|P-384|Ed25519)","n":"[A-Z]{0,4}","e":"AQAB","x":"[A-Z]{0,43}","y":"[A-Z]{43}"\}\]\}"#,
        1 => ".{0,24}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, rng_seed: RngSeed::Fixed(7519), ..ProptestConfig::default() })]

    #[test]
    fn accepted_tokens_are_signed_by_the_issuer_and_say_what_was_checked(
        key_document in key_document(),
        token in r"([A-Za-z0-9_-]{0,12}\.){0,3}[A-Za-z0-9_-]{0,86}|eyJhbGciOiJFZERTQSJ9\.e30\.[A-Za-z0-9_-]{86}|.{0,24}",
        header in header(),
        claims in claims(),
    ) {
        jwt::check(key_document.as_bytes(), &token, &header, &claims);
    }
}
