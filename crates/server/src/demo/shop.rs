//! The book shop: its catalogue, and orders that are not delivered. Books and publishers are fictional.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use http::StatusCode;
use serde_json::{Value, json};

const BOOKS: &str = include_str!("books.json");
/// Maximum number of stored orders; older ones are dropped.
const ORDERS_MAX: usize = 100;
const FIRST_ORDER_ID: u64 = 1001;
/// Maximum number of search words; further ones are ignored.
const WORDS_MAX: usize = 20;
/// Maximum number of query parameters; further ones are ignored.
const PARAMETERS_MAX: usize = 20;
const PER_PAGE_DEFAULT: u64 = 5;

/// A status and a body.
pub(super) type ShopResponse = (StatusCode, Value);

pub(super) fn error(status: StatusCode, error: impl Into<String>) -> ShopResponse {
    (status, json!({"error": error.into()}))
}

/// The decoded query of a request.
pub(super) struct ShopQuery(Vec<(String, String)>);

impl ShopQuery {
    pub(super) fn parse(text: &str) -> Self {
        Self(url::form_urlencoded::parse(text.as_bytes()).into_owned().take(PARAMETERS_MAX).collect())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(parameter, value)| parameter == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, ShopResponse> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| {
            let (min, max) = range.into_inner();
            error(StatusCode::BAD_REQUEST, format!("{name} must be a whole number from {min} to {max}."))
        })
    }

    fn price(&self, name: &str) -> Result<Option<f64>, ShopResponse> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let price = text.parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
        price.map(Some).ok_or_else(|| error(StatusCode::BAD_REQUEST, format!("{name} must be a price.")))
    }
}

/// The catalogue and the recent orders.
pub(super) struct BookShop {
    /// Cheapest first.
    books: Vec<Value>,
    orders: Mutex<Orders>,
}

#[derive(Default)]
struct Orders {
    count: u64,
    recent: VecDeque<Value>,
}

impl BookShop {
    pub(super) fn open() -> anyhow::Result<Self> {
        let mut books: Vec<Value> = serde_json::from_str(BOOKS).context("the built-in demo catalogue is invalid")?;
        books.sort_by(|a, b| price(a).total_cmp(&price(b)));
        Ok(Self { books, orders: Mutex::default() })
    }

    /// A page of the books that match the query.
    pub(super) fn search(&self, query: &ShopQuery) -> Result<ShopResponse, ShopResponse> {
        let (page, size) = (query.number("page", 1..=1000)?, query.number("per_page", 1..=20)?);
        let (page, size) = (page.unwrap_or(1), size.unwrap_or(PER_PAGE_DEFAULT));
        let (max, subject) = (query.price("max_price")?, query.text("subject"));
        let words: Vec<String> =
            query.text("query").unwrap_or_default().split_whitespace().take(WORDS_MAX).map(str::to_lowercase).collect();
        let matching = self.books.iter().filter(|book| {
            max.is_none_or(|max| price(book) <= max)
                && subject.is_none_or(|subject| book["subject"] == subject)
                && matches_words(book, &words)
        });
        let matching: Vec<&Value> = matching.collect();
        let skipped = usize::try_from((page - 1) * size).unwrap_or(usize::MAX);
        let books: Vec<&&Value> = matching.iter().skip(skipped).take(usize::try_from(size).unwrap_or(0)).collect();
        Ok((StatusCode::OK, json!({"books": books, "page": page, "per_page": size, "total": matching.len()})))
    }

    pub(super) fn book(&self, id: &str) -> Result<ShopResponse, ShopResponse> {
        let book = id.parse().ok().and_then(|id| self.find_book(id));
        book.map(|book| (StatusCode::OK, book.clone()))
            .ok_or_else(|| error(StatusCode::NOT_FOUND, "The shop has no book with this id."))
    }

    fn find_book(&self, id: u64) -> Option<&Value> {
        self.books.iter().find(|book| book["id"] == id)
    }

    /// Validates and stores an order.
    pub(super) fn order(&self, body: &Value) -> Result<ShopResponse, ShopResponse> {
        let invalid = |text: &str| error(StatusCode::UNPROCESSABLE_ENTITY, text);
        let book = body["book_id"].as_u64().and_then(|id| self.find_book(id));
        let book = book.ok_or_else(|| invalid("book_id must be the id of a book."))?;
        let quantity = body.get("quantity").map_or(Some(1), Value::as_u64).filter(|count| (1..=10).contains(count));
        let quantity = quantity.ok_or_else(|| invalid("quantity must be a whole number from 1 to 10."))?;
        let customer = short_text(&body["customer"], 100)
            .ok_or_else(|| invalid("customer must be a name of at most 100 characters."))?;
        let note = body.get("gift_note").map(|note| {
            short_text(note, 300).ok_or_else(|| invalid("gift_note must be a text of at most 300 characters."))
        });
        if book["in_stock"].as_u64().is_none_or(|stock| stock < quantity) {
            let text = format!("Only {} of {} are in stock.", book["in_stock"], book["title"]);
            return Err(error(StatusCode::CONFLICT, text));
        }
        let total = (price(book) * f64::from(u8::try_from(quantity).unwrap_or(0)) * 100.0).round() / 100.0;
        let mut order = json!({"id": 0, "status": "accepted", "book_id": book["id"], "title": book["title"],
            "quantity": quantity, "customer": customer, "gift_note": note.transpose()?, "total": total, "currency": "EUR"});
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        order["id"] = (FIRST_ORDER_ID + orders.count).into();
        orders.count += 1;
        orders.recent.push_back(order.clone());
        if orders.recent.len() > ORDERS_MAX {
            orders.recent.pop_front();
        }
        Ok((StatusCode::CREATED, order))
    }

    pub(super) fn find_order(&self, id: &str) -> Result<ShopResponse, ShopResponse> {
        let id = id.parse::<u64>().ok();
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let order = orders.recent.iter().find(|order| order["id"].as_u64() == id).cloned();
        order
            .map(|order| (StatusCode::OK, order))
            .ok_or_else(|| error(StatusCode::NOT_FOUND, "The shop has no order with this id."))
    }

    /// The delivery time to a country.
    pub(super) fn delivery(query: &ShopQuery) -> Result<ShopResponse, ShopResponse> {
        let country = query.text("country").map(str::to_uppercase);
        let is_country = |text: &String| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        let country = country.filter(is_country);
        let country = country.ok_or_else(|| error(StatusCode::BAD_REQUEST, "country must be two letters."))?;
        let (min, max) = match country.as_str() {
            "DE" | "NL" | "BE" | "LU" => (1, 2),
            "AT" | "CH" | "FR" | "DK" | "PL" | "CZ" => (2, 4),
            _ => (4, 12),
        };
        Ok((StatusCode::OK, json!({"country": country, "working_days": {"min": min, "max": max}})))
    }
}

fn price(book: &Value) -> f64 {
    book["price"].as_f64().unwrap_or_default()
}

/// Whether each word occurs in the book's title, publisher or summary.
fn matches_words(book: &Value, words: &[String]) -> bool {
    let texts = ["title", "publisher", "summary"].map(|name| book[name].as_str().unwrap_or_default().to_lowercase());
    words.iter().all(|word| texts.iter().any(|text| text.contains(word.as_str())))
}

fn short_text(value: &Value, chars_max: usize) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty() && text.chars().count() <= chars_max)
}
