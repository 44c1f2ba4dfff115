//! Checks the shop against the descriptions of the demo's tools.

use std::collections::BTreeSet;

use http::StatusCode;
use serde_json::{Value, json};

use super::shop::{BookShop, ShopQuery};
use super::*;

fn search(query: &str) -> Value {
    BookShop::open().unwrap().search(&ShopQuery::parse(query)).unwrap().1
}

fn titles(query: &str) -> Vec<String> {
    let search = search(query);
    search["books"].as_array().unwrap().iter().map(|book| book["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn books_are_found_by_words_subject_and_price_cheapest_first() {
    assert_eq!(titles("query=BREAKWATER+ship"), ["The Lighthouse Ledger", "Tide Tables"]);
    assert_eq!(titles("subject=cooking"), ["Soup Weather", "Bread on Tuesdays"]);
    assert_eq!(titles("max_price=10.99&query="), ["The Glass Orchard"]);
    assert_eq!(search("query=nothing+of+the+kind"), json!({"books": [], "page": 1, "per_page": 5, "total": 0}));
}

#[test]
fn pages_contain_every_book_once() {
    let books = |page: u32| search(&format!("per_page=7&page={page}"))["books"].as_array().unwrap().clone();
    let ids: Vec<Value> = (1..=4).flat_map(books).map(|book| book["id"].clone()).collect();
    let unique_ids: BTreeSet<String> = ids.iter().map(ToString::to_string).collect();
    assert_eq!((ids.len(), unique_ids.len()), (20, 20));
    assert_eq!(search("")["total"], 20);
}

#[test]
fn invalid_numbers_are_refused_with_the_name_of_the_parameter() {
    let shop = BookShop::open().unwrap();
    for query in
        ["page=0", "page=x", "per_page=21", "page=-1", "max_price=NaN", "max_price=-1", "page=99999999999999999999"]
    {
        let (status, body) = shop.search(&ShopQuery::parse(query)).unwrap_err();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
        assert!(body["error"].as_str().unwrap().starts_with(query.split('=').next().unwrap()), "{body}");
    }
}

#[test]
fn orders_are_priced_and_the_last_hundred_are_stored() {
    let shop = BookShop::open().unwrap();
    let order = || shop.order(&json!({"book_id": 1, "quantity": 3, "customer": "a customer"})).unwrap().1;
    let first = order();
    assert_eq!((&first["total"], &first["title"]), (&json!(43.5), &json!("The Lighthouse Ledger")));
    assert_eq!(shop.find_order(&first["id"].to_string()).unwrap().1, first);
    // After these, the shop stores a hundred newer orders.
    for _ in 0..100 {
        order();
    }
    assert_eq!(shop.find_order(&first["id"].to_string()).unwrap_err().0, StatusCode::NOT_FOUND);
}

#[test]
fn invalid_orders_are_refused() {
    let shop = BookShop::open().unwrap();
    let long = "x".repeat(301);
    for (order, status) in [
        (json!({"book_id": 99, "customer": "A"}), 422),
        (json!({"book_id": "1", "customer": "A"}), 422),
        (json!({"book_id": 1, "customer": " "}), 422),
        (json!({"book_id": 1, "customer": "A", "quantity": 11}), 422),
        (json!({"book_id": 1, "customer": "A", "quantity": 1.5}), 422),
        (json!({"book_id": 1, "customer": "A", "gift_note": long}), 422),
        (json!([1, 2]), 422),
        (json!({"book_id": 8, "customer": "A"}), 409),
    ] {
        assert_eq!(shop.order(&order).unwrap_err().0.as_u16(), status, "{order}");
    }
}

#[test]
fn the_subjects_of_the_tool_match_the_catalogue() {
    let document: Value = serde_json::from_str(DEMO_DOCUMENT).unwrap();
    let offered: Vec<&str> = document["tools"][0]["input_schema"]["properties"]["subject"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let books = (1..=20).map(|id: u32| BookShop::open().unwrap().book(&id.to_string()).unwrap().1);
    let existing: BTreeSet<String> = books.map(|book| book["subject"].as_str().unwrap().to_owned()).collect();
    assert_eq!(offered, existing.iter().map(String::as_str).collect::<Vec<_>>());
}
