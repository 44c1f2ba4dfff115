//! Bad requests to the management API, made from its description of itself.

use http::Method;
use serde_json::Value;
use toolgate_testkit::Client;

use super::super::super::make::{ABSENT, OwnedObjects};
use super::super::super::routes::{ApiRoute, id_of};
use super::super::generator::HostileRng;
use super::BadRequest;
use super::spoiling::{TEXTS, any_value, beginning, one_of, spoil_bytes, spoil_headers, spoil_value};

/// What stands where an id should: none of them is one, so nothing that is still needed is deleted.
const IDS: [&str; 8] = ["0", "-1", "x", "%00", "1.5", "9223372036854775808", "%EF%BC%91", "null"];
const HEADERS: [&str; 10] = [
    "authorization",
    "content-type",
    "accept",
    "origin",
    "content-encoding",
    "range",
    "if-none-match",
    "cookie",
    "x-wp-nonce",
    "forwarded",
];

pub(super) fn bad(client: &Client, routes: &[ApiRoute], at: &OwnedObjects, rng: &mut HostileRng) -> BadRequest {
    let route = one_of(rng, routes);
    let mut address = address(route, at, rng);
    add_query(route, &mut address, rng);
    let body = body(route, at, rng);
    let mut request = client.request(route.method.clone(), &address).header("content-type", "application/json");
    let mut shown = format!("{} {address}", route.method);
    // A stream that was opened would only be left again.
    if !route.ends() {
        request = request.header("authorization", TEXTS[rng.below(TEXTS.len())]);
    }
    request = spoil_headers(rng, request, &HEADERS, &mut shown);
    shown.extend([", ", &beginning(&body)]);
    BadRequest { request: request.body(body), shown }
}

/// Ids of things that exist for most, so that there is something to go wrong; what deletes is kept from them.
fn address(route: &ApiRoute, at: &OwnedObjects, rng: &mut HostileRng) -> String {
    let spares = route.method == Method::DELETE;
    if spares || rng.below(5) == 0 {
        let id = if rng.below(2) == 0 { ABSENT.to_string() } else { (*one_of(rng, &IDS)).to_owned() };
        return route.address(&|_| ABSENT).replacen(&ABSENT.to_string(), &id, 1);
    }
    route.address(&|kind| id_of(at, kind, 1))
}

fn add_query(route: &ApiRoute, address: &mut String, rng: &mut HostileRng) {
    let mut names = route.query_names();
    names.extend(["_fields", "_envelope", "_locale", "unknown", "id", "%5B%5D"].map(str::to_owned));
    for place in 0..rng.below(4) {
        let (name, value) = (one_of(rng, &names), one_of(rng, &TEXTS));
        address.extend([if place == 0 { "?" } else { "&" }, name, "=", value]);
    }
}

/// A good body with one thing wrong, or several, or none that is a body at all.
fn body(route: &ApiRoute, at: &OwnedObjects, rng: &mut HostileRng) -> Vec<u8> {
    let mut body = route.valid_body(at.tool);
    let fields: Vec<String> = route.body_fields().keys().cloned().collect();
    if !fields.is_empty() {
        for _ in 0..=rng.below(2) {
            body[one_of(rng, &fields)] = any_value(rng);
        }
    }
    if rng.below(4) == 0 {
        spoil_value(rng, &mut body);
    }
    let mut bytes = if body == Value::Null { Vec::new() } else { body.to_string().into_bytes() };
    if rng.below(4) == 0 {
        spoil_bytes(rng, &mut bytes);
    }
    bytes
}
