//! Twelve generated responses of typical APIs, with facts that must survive shaping: each is in the first part, or in a
//! part that reading on returns.

use std::fmt::Write as _;

/// A generated response.
pub(crate) struct GeneratedResponse {
    /// Its kind.
    pub(crate) name: &'static str,
    /// Its media type.
    pub(crate) media_type: &'static str,
    /// Its body.
    pub(crate) body: String,
    /// The rules that an owner would choose for it.
    pub(crate) shaping: &'static str,
    /// Texts of the body that must also occur in the parts.
    pub(crate) facts: Vec<String>,
}

/// A generator of pseudo-random numbers, the same in every run.
struct ResponseRandom(u64);

impl ResponseRandom {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn choose<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap_or(0)]
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| self.choose(WORDS)).collect();
        words.join(" ")
    }

    fn letters(&mut self, count: usize, alphabet: &[u8]) -> String {
        (0..count)
            .map(|_| char::from(alphabet[usize::try_from(self.below(alphabet.len() as u64)).unwrap_or(0)]))
            .collect()
    }

    fn id(&mut self) -> String {
        self.letters(20, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    }
}

const WORDS: &[&str] = &[
    "the", "invoice", "was", "sent", "to", "customer", "and", "payment", "is", "expected", "within", "thirty", "days",
    "of", "delivery", "server", "returns", "an", "error", "when", "list", "empty", "please", "check", "settings",
    "before", "release", "with", "new", "version", "users", "see", "wrong", "total", "after", "update", "request",
    "fails", "because",
];
const NAMES: &[&str] = &["maria", "kim", "lee", "olaf", "priya", "chen", "amara", "jonas", "yusuf", "elena"];
const CITIES: &[&str] = &["Lyon", "Oslo", "Quito", "Hanoi", "Accra", "Turin", "Leeds", "Osaka"];
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// All twelve responses.
pub(crate) fn generated_responses() -> Vec<GeneratedResponse> {
    vec![
        list(),
        nulls(),
        search(),
        deep(),
        page(),
        csv(),
        blob(),
        json_lines(),
        mixed(),
        unicode(),
        huge_string(),
        tiny(),
    ]
}

/// About `bytes` of issues, as an API of a code host lists them.
pub(crate) fn issues(bytes: usize) -> String {
    let mut random = ResponseRandom(7);
    let mut body = String::from("[");
    let mut number = 0;
    while body.len() < bytes {
        if number > 0 {
            body.push(',');
        }
        number += 1;
        body.push_str(&issue(&mut random, number));
    }
    body.push(']');
    body
}

fn issue(random: &mut ResponseRandom, number: usize) -> String {
    let login = random.choose(NAMES);
    let api = "https://api.example.com";
    let repository = format!("{api}/repos/acme/shop");
    let urls = ["labels_url", "comments_url", "events_url", "timeline_url"]
        .map(|name| format!(r#""{name}":"{repository}/issues/{number}/{name}""#))
        .join(",");
    let user_urls = ["followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events"]
        .map(|name| format!(r#""{name}_url":"{api}/users/{login}/{name}""#))
        .join(",");
    format!(
        r#"{{"url":"{repository}/issues/{number}",{urls},"id":{id},"node_id":"I_{node}","number":{number},"title":"{title}","user":{{"login":"{login}","id":{user},"node_id":"U_{user_node}","avatar_url":"https://avatars.example.com/u/{user}?v=4","url":"{api}/users/{login}",{user_urls},"type":"User","site_admin":false}},"labels":[{{"id":{label},"name":"{label_name}","color":"d73a4a","default":true,"description":null}}],"state":"open","locked":false,"assignee":null,"assignees":[],"milestone":null,"comments":{comments},"created_at":"2026-10-{day:02}T08:15:00Z","updated_at":"2026-11-{day:02}T09:30:00Z","closed_at":null,"author_association":"CONTRIBUTOR","body":"{body}","reactions":{{"url":"{repository}/issues/{number}/reactions","total_count":0,"+1":0,"-1":0,"laugh":0,"heart":0}},"performed_via_github_app":null}}"#,
        id = 2_400_000_000 + random.below(100_000_000),
        node = random.id(),
        title = random.words(7),
        user = random.below(9_000_000),
        user_node = random.id(),
        label = random.below(9_000_000),
        label_name = random.choose(&["bug", "feature", "question", "docs"]),
        comments = random.below(30),
        day = 1 + random.below(28),
        body = random.words(80),
    )
}

fn list() -> GeneratedResponse {
    let mut body = issues(300_000);
    body = body.replacen("\"number\":3,\"title\":\"", "\"number\":3,\"title\":\"Checkout loses coupon QX-418: ", 1);
    body = body.replacen("\"number\":77,\"title\":\"", "\"number\":77,\"title\":\"Export stops at row 65536: ", 1);
    GeneratedResponse {
        name: "list",
        media_type: "application/json; charset=utf-8",
        body,
        shaping: r#"{"fields":["number","title","state","user.login","labels[].name","comments","created_at"],"max_tokens":2000,"drop_empty":true}"#,
        facts: vec!["Checkout loses coupon QX-418".into(), "Export stops at row 65536".into(), "\"number\":77".into()],
    }
}

fn nulls() -> GeneratedResponse {
    let mut random = ResponseRandom(11);
    let customers: Vec<String> = (0..400)
        .map(|number| {
            let name = random.choose(NAMES);
            let city = random.choose(CITIES);
            let email = if number == 250 { "rare.find@example.org".to_owned() } else { format!("{name}.{number}@example.com") };
            format!(
                r#"{{"id":"cus_{id}","object":"customer","address":{{"city":"{city}","country":null,"line1":null,"line2":"","postal_code":null,"state":null}},"balance":0,"created":{created},"currency":null,"default_source":null,"delinquent":false,"description":null,"discount":null,"email":"{email}","invoice_prefix":"{prefix}","invoice_settings":{{"custom_fields":null,"default_payment_method":null,"footer":null,"rendering_options":null}},"livemode":false,"metadata":{{}},"name":"{name}","phone":null,"preferred_locales":[],"shipping":null,"tax_exempt":"none","test_clock":null}}"#,
                id = random.letters(14, BASE64.get(..62).unwrap_or(BASE64)),
                created = 1_680_000_000 + random.below(90_000_000),
                prefix = random.letters(8, b"0123456789ABCDEF"),
            )
        })
        .collect();
    GeneratedResponse {
        name: "nulls",
        media_type: "application/json",
        body: format!(r#"{{"object":"list","data":[{}],"has_more":true,"url":"/v1/customers"}}"#, customers.join(",")),
        shaping: r#"{"omit":["object","livemode","invoice_prefix"],"drop_empty":true,"tables":true,"max_tokens":2000}"#,
        facts: vec!["rare.find@example.org".into(), "has_more\":true".into()],
    }
}

fn search() -> GeneratedResponse {
    let mut random = ResponseRandom(13);
    let hits: Vec<String> = (0..120)
        .map(|number| {
            let title = if number == 90 { "Valve VX-9 torque is 47 Nm".to_owned() } else { random.words(6) };
            let plain = random.words(40);
            let marked = plain.replace("invoice", "<em>invoice</em>");
            format!(
                r#"{{ "_index": "articles-000007", "_type": "_doc", "_id": "{id}", "_score": {score}.{fraction}, "_source": {{ "title": "{title}", "text": "{plain}", "tags": ["{tag}", "manual"], "embedding": [{embedding}] }}, "highlight": {{ "text": ["{marked}"] }} }}"#,
                id = random.id(),
                score = random.below(20),
                fraction = random.below(1_000_000),
                tag = random.choose(WORDS),
                embedding = (0..40).map(|_| format!("0.{:08}", random.below(100_000_000))).collect::<Vec<_>>().join(", "),
            )
        })
        .collect();
    GeneratedResponse {
        name: "search",
        media_type: "application/json",
        body: format!(
            r#"{{ "took": 12, "timed_out": false, "_shards": {{ "total": 5, "successful": 5, "failed": 0 }}, "hits": {{ "total": {{ "value": 1204, "relation": "eq" }}, "max_score": 19.5, "hits": [{}] }} }}"#,
            hits.join(", ")
        ),
        shaping: r#"{"fields":["hits.total.value","hits.hits[]._id","hits.hits[]._source.title","hits.hits[]._source.text"],"max_tokens":2000}"#,
        facts: vec!["Valve VX-9 torque is 47 Nm".into(), "1204".into()],
    }
}

/// A part of a bill of materials, with the parts in it.
fn part(random: &mut ResponseRandom, depth: usize, out: &mut String) {
    let name = if depth == 11 && !out.contains("K-77") { "gasket K-77".to_owned() } else { random.words(2) };
    let _ = write!(out, r#"{{"id":"{}","name":"{name}","quantity":{}"#, random.id(), random.below(50));
    if depth < 11 {
        out.push_str(r#","parts":["#);
        let parts = if depth < 8 { 2 } else { 1 };
        for position in 0..parts {
            if position > 0 {
                out.push(',');
            }
            part(random, depth + 1, out);
        }
        out.push(']');
    }
    out.push('}');
}

fn deep() -> GeneratedResponse {
    let mut random = ResponseRandom(17);
    let mut tree = String::new();
    part(&mut random, 0, &mut tree);
    GeneratedResponse {
        name: "deep",
        media_type: "application/vnd.api+json",
        body: format!(r#"{{"revision":"2026-11-03","root":{tree}}}"#),
        shaping: r#"{"omit":["id"],"max_tokens":2000}"#,
        facts: vec!["gasket K-77".into(), "2026-11-03".into()],
    }
}

fn page() -> GeneratedResponse {
    let mut random = ResponseRandom(19);
    let mut body = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Delivery terms</title>\n<style>",
    );
    for rule in 0..400 {
        let _ = writeln!(
            body,
            ".c{rule} > a:hover {{ margin: {}px; color: #{} }}",
            random.below(40),
            random.letters(6, b"0123456789abcdef")
        );
    }
    body.push_str("</style>\n<script>\nwindow.dataLayer = [];\n");
    for line in 0..500 {
        let _ = writeln!(
            body,
            "function f{line}(a, b) {{ return a < b ? '{}' : document.write('<p>' + b); }}",
            random.id()
        );
    }
    body.push_str("</script></head>\n<body class=\"page page--wide\">\n<nav><ul>");
    for entry in 0..60 {
        let _ = write!(
            body,
            "<li class=\"nav__item\"><a class=\"nav__link\" href=\"/menu/{entry}\">{}</a></li>",
            random.words(2)
        );
    }
    body.push_str("</ul></nav>\n<main><h1>Delivery terms</h1>\n");
    for section in 0..8 {
        let _ = write!(body, "<section class=\"block\" data-id=\"{}\"><h2>{}</h2>", random.id(), random.words(3));
        let _ = writeln!(
            body,
            "<p class=\"text text--m\">{}. See <a href=\"https://example.com/terms/{section}\">terms</a>.</p></section>",
            random.words(40)
        );
    }
    body.push_str("<table class=\"grid\"><tr><th>Zone</th><th>Days</th><th>Price</th></tr><tr><td>Zone 4</td><td>9</td><td>31.70 EUR</td></tr></table>");
    body.push_str("<ul><li>Returns within <b>45</b> days</li></ul></main><footer>");
    body.push_str(&random.words(300));
    body.push_str("</footer></body></html>");
    GeneratedResponse {
        name: "html",
        media_type: "text/html; charset=utf-8",
        body,
        shaping: r#"{"html":"markdown","max_tokens":2000}"#,
        facts: vec!["Delivery terms".into(), "| Zone 4 | 9 | 31.70 EUR |".into(), "Returns within 45 days".into()],
    }
}

fn csv() -> GeneratedResponse {
    let mut random = ResponseRandom(23);
    let mut body = String::from("order_id,customer,city,amount,currency,placed_at,note\r\n");
    for row in 0..2500 {
        let note = if row == 1900 { "\"hold for pickup,\nbay 12C\"" } else { "" };
        let _ = write!(
            body,
            "{},{},{},{}.{:02},EUR,2026-10-{:02}T{:02}:00:00Z,{note}\r\n",
            100_000 + row,
            random.choose(NAMES),
            random.choose(CITIES),
            random.below(900),
            random.below(100),
            1 + random.below(28),
            random.below(24),
        );
    }
    GeneratedResponse {
        name: "csv",
        media_type: "text/csv",
        body,
        shaping: r#"{"omit":["currency"],"max_tokens":2000}"#,
        facts: vec!["order_id,customer,city,amount,placed_at,note".into(), "bay 12C".into(), "102499".into()],
    }
}

fn blob() -> GeneratedResponse {
    let mut random = ResponseRandom(29);
    let pdf = format!("JVBERi0xLjcK{}", random.letters(200_000, BASE64));
    let png = format!("iVBORw0KGgoAAAANSUhEUgAA{}", random.letters(80_000, BASE64));
    GeneratedResponse {
        name: "blob",
        media_type: "application/json",
        body: format!(
            r#"{{"id":"inv_2041","number":"2026-1187","total":"1,204.50 EUR","pdf":"{pdf}","preview":"data:image/png;base64,{png}","lines":[{{"text":"Pump P-3","amount":2}}]}}"#
        ),
        shaping: r#"{"blobs":"link","max_tokens":2000}"#,
        facts: vec![
            "2026-1187".into(),
            "1,204.50 EUR".into(),
            "Pump P-3".into(),
            "application/pdf, 146 KiB".into(),
            "image/png, 58 KiB".into(),
        ],
    }
}

fn json_lines() -> GeneratedResponse {
    let mut random = ResponseRandom(31);
    let mut body = String::new();
    for line in 0..1200 {
        let message = if line == 1100 { "disk /dev/sdq failed".to_owned() } else { random.words(8) };
        let _ = writeln!(
            body,
            r#"{{"time":"2026-11-17T{:02}:{:02}:00Z","level":"{}","service":"orders-{}","trace":"{}","message":"{message}"}}"#,
            line / 60 % 24,
            line % 60,
            random.choose(&["info", "warn", "error"]),
            random.below(9),
            random.letters(32, b"0123456789abcdef"),
        );
    }
    GeneratedResponse {
        name: "ndjson",
        media_type: "application/x-ndjson",
        body,
        shaping: r#"{"omit":["trace"],"max_tokens":2000,"tables":true}"#,
        facts: vec!["disk /dev/sdq failed".into()],
    }
}

fn mixed() -> GeneratedResponse {
    let mut random = ResponseRandom(37);
    let events: Vec<String> = (0..300)
        .map(|number| {
            format!(
                r#"{{"at":{},"kind":"{}","by":"{}"}}"#,
                1_700_000_000 + number,
                random.choose(WORDS),
                random.choose(NAMES)
            )
        })
        .collect();
    let comments: Vec<String> = (0..60)
        .map(|number| format!(r#"{{"by":"{}","text":"{} mark-{number}"}}"#, random.choose(NAMES), random.words(120)))
        .collect();
    GeneratedResponse {
        name: "mixed",
        media_type: "application/json",
        body: format!(
            r#"{{"id":4711,"title":"Migration of region EU-7","description":"{} The deadline is 2027-02-14.","events":[{}],"comments":[{}],"participants":["kim","lee"],"state":"blocked"}}"#,
            random.words(1500),
            events.join(","),
            comments.join(",")
        ),
        shaping: r#"{"max_tokens":2000}"#,
        facts: vec![
            "Migration of region EU-7".into(),
            "The deadline is 2027-02-14.".into(),
            "mark-59".into(),
            "\"state\":\"blocked\"".into(),
        ],
    }
}

fn unicode() -> GeneratedResponse {
    let mut random = ResponseRandom(41);
    let entries: Vec<String> = (0..300)
        .map(|number| {
            let name = random.choose(&[
                "北京烤鸭",
                "Größenänderung",
                "доставка заказа",
                "配送状況の確認",
                "توصيل الطلبات",
                "한국어 주문",
            ]);
            let note = if number == 222 {
                "gefunden: Schlüssel №7"
            } else {
                random.choose(&["😀 👍🏽", "\\u00e4\\ud83d\\ude00", "naïve café", "Ελλάδα"])
            };
            format!(r#"{{"nr":{number},"name":"{name}","note":"{note} {name}","text":"{name} {name} {name}"}}"#)
        })
        .collect();
    GeneratedResponse {
        name: "unicode",
        media_type: "application/json",
        body: format!("\u{feff}[{}]", entries.join(",\r\n")),
        shaping: r#"{"max_tokens":2000}"#,
        facts: vec!["gefunden: Schlüssel №7".into()],
    }
}

fn huge_string() -> GeneratedResponse {
    let mut random = ResponseRandom(43);
    let mut log = String::new();
    for line in 0..12_000 {
        if line == 8000 {
            log.push_str("ERROR job 5512 ran out of quota\\n");
        }
        let _ = write!(log, "step {line}: {}\\n", random.words(9));
    }
    GeneratedResponse {
        name: "huge string",
        media_type: "application/json",
        body: format!(r#"{{"job":5512,"status":"failed","log":"{log}","exit_code":137}}"#),
        shaping: r#"{"max_tokens":2000}"#,
        facts: vec!["ERROR job 5512 ran out of quota".into(), "\"exit_code\":137".into()],
    }
}

fn tiny() -> GeneratedResponse {
    GeneratedResponse {
        name: "tiny",
        media_type: "application/json",
        body: "{\n  \"ok\": true,\n  \"id\": \"T-1001\"\n}".to_owned(),
        shaping: r#"{"max_tokens":2000,"drop_empty":true}"#,
        facts: vec!["\"ok\":true".into(), "T-1001".into()],
    }
}
