//! Bad requests to the management API, generated from its OpenAPI document.

use http::Method;
use serde_json::Value;
use toolgate_testkit::Client;

use super::super::super::fixtures::{ABSENT_ID, OwnedObjects};
use super::super::super::routes::{ApiRoute, id_of};
use super::super::generator::HostileRng;
use super::BadRequest;
use super::corruption::{TEXTS, any_value, corrupt_bytes, corrupt_headers, corrupt_value, excerpt, one_of};

/// Invalid ids. None of them names an object, so no object that later requests need is deleted.
const INVALID_IDS: [&str; 8] = ["0", "-1", "x", "%00", "1.5", "9223372036854775808", "%EF%BC%91", "null"];
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

pub(super) fn bad_request(
    client: &Client,
    routes: &[ApiRoute],
    objects: &OwnedObjects,
    rng: &mut HostileRng,
) -> BadRequest {
    let route = one_of(rng, routes);
    let mut address = address(route, objects, rng);
    add_query(route, &mut address, rng);
    let body = body(route, objects, rng);
    let mut request = client.request(route.method.clone(), &address).header("content-type", "application/json");
    let mut description = format!("{} {address}", route.method);
    // An invalid key keeps event streams from opening: they would never end.
    if route.is_stream() {
        request = request.header("authorization", TEXTS[rng.below(TEXTS.len())]);
    }
    request = corrupt_headers(rng, request, &HEADERS, &mut description);
    description.extend([", ", &excerpt(&body)]);
    BadRequest { request: request.body(body), description }
}

/// Uses existing ids for most requests, so that they get past the lookup, but never for a deletion.
fn address(route: &ApiRoute, objects: &OwnedObjects, rng: &mut HostileRng) -> String {
    let is_delete = route.method == Method::DELETE;
    if is_delete || rng.below(5) == 0 {
        let id = if rng.below(2) == 0 { ABSENT_ID.to_string() } else { (*one_of(rng, &INVALID_IDS)).to_owned() };
        return route.address(&|_| ABSENT_ID).replacen(&ABSENT_ID.to_string(), &id, 1);
    }
    route.address(&|kind| id_of(objects, kind, 1))
}

fn add_query(route: &ApiRoute, address: &mut String, rng: &mut HostileRng) {
    let mut names = route.query_names();
    names.extend(["_fields", "_envelope", "_locale", "unknown", "id", "%5B%5D"].map(str::to_owned));
    for index in 0..rng.below(4) {
        let (name, value) = (one_of(rng, &names), one_of(rng, &TEXTS));
        address.extend([if index == 0 { "?" } else { "&" }, name, "=", value]);
    }
}

/// A valid body with wrong fields, changed structure or corrupted bytes.
fn body(route: &ApiRoute, objects: &OwnedObjects, rng: &mut HostileRng) -> Vec<u8> {
    let mut body = route.valid_body(objects.tool);
    let fields: Vec<String> = route.body_fields().keys().cloned().collect();
    if !fields.is_empty() {
        for _ in 0..=rng.below(2) {
            body[one_of(rng, &fields)] = any_value(rng);
        }
    }
    if rng.below(4) == 0 {
        corrupt_value(rng, &mut body);
    }
    let mut bytes = if body == Value::Null { Vec::new() } else { body.to_string().into_bytes() };
    if rng.below(4) == 0 {
        corrupt_bytes(rng, &mut bytes);
    }
    bytes
}
