//! Bad requests to the management API, made from its description of itself.

use http::Method;
use serde_json::Value;
use toolgate_testkit::Client;

use super::super::super::make::{ABSENT, Belongings};
use super::super::super::routes::{Route, id_of};
use super::super::generator::Dice;
use super::Bad;
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

pub(super) fn bad(client: &Client, routes: &[Route], at: &Belongings, dice: &mut Dice) -> Bad {
    let route = one_of(dice, routes);
    let mut address = address(route, at, dice);
    add_query(route, &mut address, dice);
    let body = body(route, at, dice);
    let mut request = client.request(route.method.clone(), &address).header("content-type", "application/json");
    let mut shown = format!("{} {address}", route.method);
    // A stream that was opened would only be left again.
    if !route.ends() {
        request = request.header("authorization", TEXTS[dice.below(TEXTS.len())]);
    }
    request = spoil_headers(dice, request, &HEADERS, &mut shown);
    shown.extend([", ", &beginning(&body)]);
    Bad { request: request.body(body), shown }
}

/// Ids of things that exist for most, so that there is something to go wrong; what deletes is kept from them.
fn address(route: &Route, at: &Belongings, dice: &mut Dice) -> String {
    let spares = route.method == Method::DELETE;
    if spares || dice.below(5) == 0 {
        let id = if dice.below(2) == 0 { ABSENT.to_string() } else { (*one_of(dice, &IDS)).to_owned() };
        return route.address(&|_| ABSENT).replacen(&ABSENT.to_string(), &id, 1);
    }
    route.address(&|kind| id_of(at, kind, 1))
}

fn add_query(route: &Route, address: &mut String, dice: &mut Dice) {
    let mut names = route.query_names();
    names.extend(["_fields", "_envelope", "_locale", "unknown", "id", "%5B%5D"].map(str::to_owned));
    for place in 0..dice.below(4) {
        let (name, value) = (one_of(dice, &names), one_of(dice, &TEXTS));
        address.extend([if place == 0 { "?" } else { "&" }, name, "=", value]);
    }
}

/// A good body with one thing wrong, or several, or none that is a body at all.
fn body(route: &Route, at: &Belongings, dice: &mut Dice) -> Vec<u8> {
    let mut body = route.valid_body(at.tool);
    let fields: Vec<String> = route.body_fields().keys().cloned().collect();
    if !fields.is_empty() {
        for _ in 0..=dice.below(2) {
            body[one_of(dice, &fields)] = any_value(dice);
        }
    }
    if dice.below(4) == 0 {
        spoil_value(dice, &mut body);
    }
    let mut bytes = if body == Value::Null { Vec::new() } else { body.to_string().into_bytes() };
    if dice.below(4) == 0 {
        spoil_bytes(dice, &mut bytes);
    }
    bytes
}
