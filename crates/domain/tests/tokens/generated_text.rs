//! Responses as APIs send them, generated from a seed.

use std::fmt::Write as _;

type Generator = fn(seed: u64, bytes: usize) -> String;

/// Kinds of responses.
pub(crate) const GENERATORS: [(&str, Generator); 12] = [
    ("customers", |seed, bytes| json_list(seed, bytes, customer)),
    ("issues", |seed, bytes| json_list(seed, bytes, issue)),
    ("orders indented", |seed, bytes| repeated(seed, bytes, order_indented)),
    ("events as NDJSON", |seed, bytes| repeated(seed, bytes, event)),
    ("uuids", |seed, bytes| json_list(seed, bytes, |random| format!("\"{}\"", random.uuid()))),
    ("base64", |seed, bytes| format!("{{\"content\":\"{}\"}}", Random(seed).base64(bytes))),
    ("prices", |seed, bytes| repeated(seed, bytes, price_row)),
    ("log", |seed, bytes| repeated(seed, bytes, log_line)),
    ("html", |seed, bytes| repeated(seed, bytes, html_item)),
    ("yaml", |seed, bytes| repeated(seed, bytes, yaml_entry)),
    ("prose", |seed, bytes| repeated(seed, bytes, |random| format!("{} ", random.sentence()))),
    ("coordinates", |seed, bytes| json_list(seed, bytes, coordinates)),
];

const WORDS: &[&str] = &[
    "the",
    "invoice",
    "was",
    "sent",
    "to",
    "customer",
    "and",
    "payment",
    "is",
    "expected",
    "within",
    "thirty",
    "days",
    "please",
    "contact",
    "our",
    "support",
    "team",
    "if",
    "you",
    "have",
    "questions",
    "about",
    "delivery",
    "address",
    "of",
    "this",
    "order",
    "a",
    "refund",
    "takes",
    "several",
    "working",
    "because",
    "bank",
    "must",
    "confirm",
    "it",
];
const NAMES: &[&str] = &["Maria Lopez", "John Carter", "Ayşe Demir", "Piotr Nowak", "Chloé Martin", "Kenji Sato"];
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A pseudo-random number generator (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next_number() % limit
    }

    fn choose<'t>(&mut self, list: &[&'t str]) -> &'t str {
        let index = self.below(list.len() as u64);
        list[usize::try_from(index).unwrap()]
    }

    fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| char::from_digit(u32::try_from(self.below(16)).unwrap(), 16).unwrap()).collect()
    }

    fn base64(&mut self, length: usize) -> String {
        (0..length).map(|_| char::from(BASE64[usize::try_from(self.below(64)).unwrap()])).collect()
    }

    fn id(&mut self, length: usize) -> String {
        self.base64(length).replace(['+', '/'], "x")
    }

    fn uuid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|digits| self.hex(digits)).join("-")
    }

    fn time(&mut self) -> String {
        let (month, day) = (1 + self.below(12), 1 + self.below(28));
        let (hour, minute, second) = (self.below(24), self.below(60), self.below(60));
        format!("2025-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    fn price(&mut self) -> String {
        format!("{}.{:02}", self.below(900), self.below(100))
    }

    fn sentence(&mut self) -> String {
        let words: Vec<&str> = (0..6 + self.below(10)).map(|_| self.choose(WORDS)).collect();
        format!("{}.", words.join(" "))
    }
}

fn repeated(seed: u64, bytes: usize, entry: impl Fn(&mut Random) -> String) -> String {
    let (mut random, mut text) = (Random(seed), String::new());
    while text.len() < bytes {
        text.push_str(&entry(&mut random));
    }
    text
}

fn json_list(seed: u64, bytes: usize, entry: impl Fn(&mut Random) -> String) -> String {
    let list = repeated(seed, bytes, |random| format!("{},", entry(random)));
    format!("[{}]", list.trim_end_matches(','))
}

fn customer(random: &mut Random) -> String {
    let (id, name, city) = (random.id(14), random.choose(NAMES), random.choose(&["Lyon", "Gdańsk", "Chicago"]));
    let (zip, balance, created) = (random.below(90_000), random.below(9_000), 1_600_000_000 + random.below(90_000_000));
    format!(
        r#"{{"id":"cus_{id}","object":"customer","name":"{name}","phone":null,"address":{{"city":"{city}","line1":null,"line2":null,"postal_code":"{zip}","state":null}},"balance":{balance},"created":{created},"currency":"eur","default_source":null,"delinquent":false,"discount":null,"livemode":true,"metadata":{{}},"shipping":null,"tax_exempt":"none"}}"#
    )
}

fn issue(random: &mut Random) -> String {
    let (number, user) = (random.below(9_999), random.below(9_999_999));
    let (title, body, created, node) = (random.sentence(), random.sentence(), random.time(), random.id(16));
    format!(
        r#"{{"url":"https://api.example.com/repos/acme/shop/issues/{number}","comments_url":"https://api.example.com/repos/acme/shop/issues/{number}/comments","html_url":"https://example.com/acme/shop/issues/{number}","node_id":"{node}","number":{number},"title":"{title}","user":{{"id":{user},"avatar_url":"https://avatars.example.com/u/{user}?v=4","site_admin":false}},"labels":[],"state":"open","assignee":null,"milestone":null,"created_at":"{created}","closed_at":null,"body":"{body}\n\n- {body}"}}"#
    )
}

fn order_indented(random: &mut Random) -> String {
    let (id, sku, count, price, created) =
        (random.uuid(), random.below(9_999), random.below(9), random.price(), random.time());
    format!(
        "  {{\n    \"orderId\": \"{id}\",\n    \"status\": \"SHIPPED\",\n    \"lineItems\": [\n      {{\n        \"sku\": \"TS-{sku}-XL\",\n        \"quantity\": {count},\n        \"unitPrice\": {price}\n      }}\n    ],\n    \"createdAt\": \"{created}\",\n    \"shippedAt\": null,\n    \"isGift\": false\n  }},\n"
    )
}

fn event(random: &mut Random) -> String {
    let (trace, span, time, text, status) =
        (random.hex(32), random.hex(16), random.time(), random.sentence(), random.choose(&["200", "404", "500"]));
    format!(
        "{{\"traceId\":\"{trace}\",\"spanId\":\"{span}\",\"time\":\"{time}\",\"level\":\"WARN\",\"service\":\"billing-worker\",\"message\":\"{text}\",\"httpStatus\":{status}}}\n"
    )
}

fn price_row(random: &mut Random) -> String {
    let mut row = random.time();
    for _ in 0..4 {
        let _ = write!(row, ";{}", random.price());
    }
    format!("{row};{}\n", random.below(100_000_000))
}

fn log_line(random: &mut Random) -> String {
    let (time, thread, text, milliseconds) = (random.time(), random.below(16), random.sentence(), random.below(900));
    format!("{time} INFO [worker-{thread}] com.acme.shop.OrderService - {text} took {milliseconds}ms\n")
}

fn html_item(random: &mut Random) -> String {
    let (id, image, text, price) = (random.below(999), random.hex(10), random.sentence(), random.price());
    format!(
        "<li class=\"card card--new\" id=\"item-{id}\"><a href=\"/shop/{id}?ref=list\"><img src=\"https://cdn.example.com/{image}.webp\" alt=\"\" loading=\"lazy\"></a><h3>{text}</h3><p class=\"price\">&euro;{price}</p></li>\n"
    )
}

fn yaml_entry(random: &mut Random) -> String {
    let (id, name, text, price) = (random.uuid(), random.choose(NAMES), random.sentence(), random.price());
    format!(
        "- id: {id}\n  customer:\n    name: {name}\n    phone: null\n  note: {text}\n  total_amount: {price}\n  tags:\n    - new\n    - priority\n"
    )
}

fn coordinates(random: &mut Random) -> String {
    let (longitude, latitude) = (random.next_number() >> 14, random.next_number() >> 14);
    let name = random.choose(WORDS);
    format!(
        r#"{{"type":"Feature","geometry":{{"type":"Point","coordinates":[-{}.{longitude},{}.{latitude}]}},"properties":{{"name":"{name}"}}}}"#,
        random.below(180),
        random.below(90)
    )
}
