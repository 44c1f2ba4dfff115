//! Generates invalid requests from the OpenAPI document.

use http::Method;
use serde_json::{Value, json};

use super::super::fixtures::OwnedObjects;
use super::super::routes::{ApiRoute, id_of};

/// The maximum number of requests in one run. If there are more, they are selected at random.
const CASES_MAX: usize = 2_000;

pub(super) struct HostileCase {
    pub(super) method: Method,
    pub(super) address: String,
    pub(super) content_type: &'static str,
    pub(super) body: Vec<u8>,
}

impl std::fmt::Debug for HostileCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let body: String = String::from_utf8_lossy(&self.body).chars().take(300).collect();
        write!(f, "{} {} with {body}", self.method, self.address)
    }
}

/// A deterministic pseudo-random number generator (`SplitMix64`).
pub(super) struct HostileRng(u64);

impl HostileRng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap();
        usize::try_from(self.next_u64() % limit).unwrap()
    }

    /// A value of any kind, nested up to `depth` levels.
    pub(super) fn value(&mut self, depth: usize) -> Value {
        let kinds = if depth == 0 { 6 } else { 8 };
        match self.below(kinds) {
            0 => Value::Null,
            1 => json!(self.next_u64().is_multiple_of(2)),
            2 => json!(self.next_u64().cast_signed()),
            3 => json!(f64::from_bits(self.next_u64())),
            4 => json!(self.text()),
            5 => json!(["active", "static", "bearer", "GET", "header", "x"][self.below(6)]),
            6 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let names = ["type", "properties", "location", "name", "url", "token", "content", "auth_type", "$ref"];
                let members =
                    (0..self.below(4)).map(|_| (names[self.below(names.len())].to_owned(), self.value(depth - 1)));
                Value::Object(members.collect())
            }
        }
    }

    /// A short text of arbitrary Unicode characters.
    pub(super) fn text(&mut self) -> String {
        let length = self.below(12);
        (0..length).filter_map(|_| char::from_u32(u32::try_from(self.below(0x0011_0000)).unwrap())).collect()
    }
}

/// Edge-case values that are sent in every field regardless of its type.
pub(super) fn fixed_values() -> Vec<Value> {
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!(" "),
        json!("\u{0}"),
        json!("\u{202e}"),
        json!("\u{e0041}"),
        json!("x".repeat(70_000)),
        json!([]),
        json!({}),
        json!([null, 1, "x", [], {}]),
        json!({"a": {"b": [1]}, "": null}),
        json!({"type": 7, "$ref": "file:///etc/passwd", "location": [], "auth_type": {}, "url": 5}),
        deep,
    ]
}

/// Requests for every field of every route with a body, shuffled and limited to [`CASES_MAX`].
pub(super) fn cases(routes: &[ApiRoute], objects: &OwnedObjects, rng: &mut HostileRng) -> Vec<HostileCase> {
    let mut cases = Vec::new();
    for route in routes.iter().filter(|route| !route.body_fields().is_empty()) {
        let address = route.address(&|kind| id_of(objects, kind, 1));
        let mut add = |body: Value| {
            let (method, address) = (route.method.clone(), address.clone());
            cases.push(HostileCase {
                method,
                address,
                content_type: "application/json",
                body: body.to_string().into_bytes(),
            });
        };
        let fields: Vec<String> = route.body_fields().keys().cloned().collect();
        for field in &fields {
            let random = (0..6).map(|_| rng.value(4)).collect::<Vec<_>>();
            for value in fixed_values().into_iter().chain(random) {
                let mut body = route.valid_body(objects.tool);
                body[field] = value;
                add(body);
            }
        }
        // These bodies have random values in all fields.
        for _ in 0..20 {
            let members = fields.iter().map(|field| (field.clone(), rng.value(3)));
            add(Value::Object(members.collect()));
        }
    }
    for last in (1..cases.len()).rev() {
        cases.swap(last, rng.below(last + 1));
    }
    cases.truncate(CASES_MAX);
    cases
}
