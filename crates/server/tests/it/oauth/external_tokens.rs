//! Which tokens of an external issuer are accepted.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use toolgate_testkit::{McpClient, Upstream};

use super::external_issuer::{ExternalIssuer, IssuerKey, assert_invalid, call, encode};
use super::signed_tokens::now;

#[tokio::test]
async fn a_token_for_the_endpoint_is_accepted_with_and_without_a_slash() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    for audience in
        [json!(fixture.url()), json!(format!("{}/", fixture.url())), json!(["https://other.example", fixture.url()])]
    {
        call(&issuer.client(&fixture, json!({"aud": audience}))).await.expect(200);
    }
    let unnamed = issuer.key.sign(&json!({"alg": "ES256"}), &issuer.claims(&fixture));
    call(&McpClient::new(fixture.url()).bearer(&unnamed)).await.expect(200);
    assert_eq!(fixture.upstream.request_count(), 4);
}

#[tokio::test]
async fn clients_find_the_issuer_in_the_document_of_the_server() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({"scope_read": "shop.read", "scope_write": "shop.write"})).await;
    let reply = McpClient::new(fixture.url()).send("initialize", json!({})).await.expect(401);
    let document = format!("{}/.well-known/oauth-protected-resource{}", fixture.app.origin(), fixture.endpoint_path());
    let challenge = format!(r#"Bearer realm="toolgate", resource_metadata="{document}", scope="shop.read shop.write""#);
    assert_eq!(reply.header("www-authenticate"), Some(challenge.as_str()));
    let client = toolgate_testkit::http::Client::new(&fixture.app.origin(), None);
    let path = format!("/.well-known/oauth-protected-resource{}", fixture.endpoint_path());
    let found = client.read(&path).await;
    assert_eq!(found["authorization_servers"], json!([issuer.url()]));
    assert_eq!(
        (&found["resource"], &found["scopes_supported"]),
        (&json!(fixture.url()), &json!(["shop.read", "shop.write"]))
    );
    client.get("/.well-known/oauth-authorization-server").send().await.expect(404);
    let without_scopes = issuer.start_server(json!({})).await;
    let client = toolgate_testkit::http::Client::new(&without_scopes.app.origin(), None);
    let path = format!("/.well-known/oauth-protected-resource{}", without_scopes.endpoint_path());
    assert_eq!(client.read(&path).await.get("scopes_supported"), None);
}

#[tokio::test]
async fn a_token_with_an_invalid_claim_is_refused() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let (now, id) = (now().as_millis() / 1000, fixture.server["server_id"].as_str().unwrap());
    for changes in [
        json!({"aud": "https://other.example"}),
        json!({"aud": ["https://other.example", fixture.app.origin()]}),
        json!({"aud": fixture.url().replace(id, &"0".repeat(32))}),
        json!({"aud": []}),
        json!({"aud": null}),
        json!({"iss": format!("{}/", issuer.url())}),
        json!({"iss": "https://other.example"}),
        json!({"iss": null}),
        json!({"sub": null}),
        json!({"sub": ""}),
        json!({"sub": "x".repeat(256)}),
        json!({"exp": now - 61}),
        json!({"exp": null}),
        json!({"exp": (now + 300).to_string()}),
        json!({"nbf": now + 120}),
        json!({"iat": now + 86_400}),
        json!({"nonce": "n"}),
        json!({"at_hash": "h"}),
    ] {
        let reply = call(&issuer.client(&fixture, changes.clone())).await;
        assert_invalid(&reply, &changes.to_string());
    }
    let reply = call(&issuer.client(&fixture, json!({"aud": "x"}))).await.json();
    assert!(reply["error"]["message"].as_str().unwrap().contains("it is for another audience"), "{reply}");
    assert_eq!(fixture.upstream.request_count(), 0);
}

#[tokio::test]
async fn a_token_that_the_issuer_did_not_sign_is_refused() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let (claims, key) = (issuer.claims(&fixture), &issuer.key);
    let foreign = IssuerKey::new("first");
    let mut tokens = vec![foreign.sign(&key.header(), &claims), foreign.sign(&json!({"alg": "ES256"}), &claims)];
    for algorithm in ["none", "None", "NONE", "nOnE", "HS256", "ES512", "XX"] {
        let token = key.sign(&json!({"alg": algorithm, "kid": key.id}), &claims);
        let (signed, _) = token.rsplit_once('.').unwrap();
        tokens.extend([format!("{signed}."), token]);
    }
    for (name, value) in [("crit", json!(["exp"])), ("b64", json!(false)), ("typ", json!("dpop+jwt"))] {
        let mut header = key.header();
        header[name] = value;
        tokens.push(key.sign(&header, &claims));
    }
    tokens.extend(signed_with_the_public_key(key, &claims));
    let good = issuer.sign(&claims);
    let (signed, signature) = good.rsplit_once('.').unwrap();
    tokens.extend([format!("{signed}.{}", encode(&[0; 64])), format!("{good}.{signature}"), format!("{good}A")]);
    for token in &tokens {
        assert_invalid(&call(&McpClient::new(fixture.url()).bearer(token)).await, token);
    }
    assert_eq!(fixture.upstream.request_count(), 0);
    call(&McpClient::new(fixture.url()).bearer(&good)).await.expect(200);
}

/// Tokens for which the public key of the issuer is the secret of an HMAC.
fn signed_with_the_public_key(key: &IssuerKey, claims: &Value) -> Vec<String> {
    let header = json!({"alg": "HS256", "kid": key.id});
    let signed = format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims.to_string().as_bytes()));
    let uncompressed = [&[4][..], key.point()].concat();
    let pem = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", encode(&uncompressed));
    let secrets = [key.public().to_string().into_bytes(), uncompressed, pem.into_bytes()];
    let sign = |secret: &Vec<u8>| {
        let mac = Hmac::<Sha256>::new_from_slice(secret).unwrap().chain_update(&signed);
        format!("{signed}.{}", encode(&mac.finalize().into_bytes()))
    };
    secrets.iter().map(sign).collect()
}

#[tokio::test]
async fn addresses_and_keys_in_the_header_are_ignored() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let attacker = IssuerKey::new("first");
    let public = json!({"keys": [attacker.public()]});
    let trap = Upstream::with_handler(move |_| toolgate_testkit::MockResponse::json(public.clone()));
    for (name, value) in [
        ("jwk", attacker.public()),
        ("jku", json!(trap.url("/keys"))),
        ("x5u", json!(trap.url("/certificate"))),
        ("x5c", json!(["MIIB"])),
    ] {
        let mut header = attacker.header();
        header[name] = value;
        let forged = attacker.sign(&header, &issuer.claims(&fixture));
        assert_invalid(&call(&McpClient::new(fixture.url()).bearer(&forged)).await, name);
    }
    assert_eq!((trap.connections().opened, fixture.upstream.request_count()), (0, 0));
}

#[tokio::test]
async fn another_issuer_with_the_same_keys_is_refused() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let other = ExternalIssuer::start();
    let mut claims = issuer.claims(&fixture);
    claims["iss"] = other.url().into();
    assert_invalid(&call(&McpClient::new(fixture.url()).bearer(&issuer.sign(&claims))).await, "other issuer");
    assert_invalid(&call(&other.client(&fixture, json!({"iss": issuer.url()}))).await, "other key");
    assert_eq!(other.host.request_count(), 0);
}

#[tokio::test]
async fn a_token_is_accepted_in_a_single_authorization_header_only() {
    let issuer = ExternalIssuer::start();
    let fixture = issuer.start_server(json!({})).await;
    let token = issuer.sign(&issuer.claims(&fixture));
    let anonymous = McpClient::new(fixture.url());
    for (name, value) in [
        ("authorization", format!("Bearer  {token}")),
        ("authorization", format!("Bearer {token} {token}")),
        ("authorization", format!("Basic {token}")),
        ("authorization", token.clone()),
        ("x-api-key", token.clone()),
    ] {
        let reply = call(&anonymous.clone().header(name, &value)).await;
        assert_eq!(reply.status, 401, "{name}: {reply:?}");
    }
    call(&McpClient::new(&format!("{}?access_token={token}", fixture.url()))).await.expect(401);
    assert_eq!(fixture.upstream.request_count(), 0);
}
