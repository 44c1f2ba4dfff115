//! Speed of the estimate of tokens.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolgate_domain::tokens;

/// An entry of a JSON response, indented text, prose, and prose in Cyrillic letters.
const TEXTS: [(&str, &str); 4] = [
    (
        "json",
        r#"{"id":"cus_9s6XKzkNRiz8i3","object":"customer","address":{"city":"Lyon","line2":null},"balance":-1250,"created":1680893993,"email":"maria.lopez@example.com","livemode":false,"url":"https://api.example.com/v1/customers/9s6XKzkNRiz8i3","note":"Prefers delivery before noon."},"#,
    ),
    (
        "yaml",
        "  - name: limit\n    in: query\n    description: Maximum number of entries.\n    schema:\n      type: integer\n",
    ),
    ("prose", "The invoice was sent to the customer, and payment is expected within thirty days of delivery. "),
    ("cyrillic", "Счёт отправлен покупателю, оплата ожидается в течение тридцати дней после доставки. "),
];

fn main() {
    divan::main();
}

#[divan::bench(args = ["json", "yaml", "prose", "cyrillic"])]
fn estimate(bencher: Bencher<'_, '_>, name: &str) {
    let entry = TEXTS.into_iter().find_map(|(other, text)| (other == name).then_some(text)).unwrap_or_default();
    let text = entry.repeat(100_000 / entry.len());
    bencher.counter(BytesCount::of_str(&text)).bench(|| tokens::estimate(black_box(&text)));
}
