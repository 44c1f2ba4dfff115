//! Hostile requests to the demo's API.

use http::Method;
use serde_json::json;

use super::{add_demo, books_status};
use crate::toolgate;

#[tokio::test]
async fn bad_requests_are_refused_and_the_service_stays_healthy() {
    let app = toolgate().start();
    add_demo(&app).await;
    let (long, deeply_nested) = ("9".repeat(5_000), format!("{}{}", "[".repeat(5_000), "]".repeat(5_000)));
    let shop_request = |method: Method, path: &str| {
        let request = app.client_with_key(None).request(method, &format!("{}/demo{path}", app.origin()));
        request.header("authorization", "Bearer demo-shop-token")
    };
    for (method, path, status) in [
        (Method::GET, "/books/../../healthz".to_owned(), 404),
        (Method::GET, "/books/%00".to_owned(), 404),
        (Method::GET, "/books/-1".to_owned(), 404),
        (Method::GET, format!("/books/{long}"), 404),
        (Method::GET, format!("/books?page={long}"), 400),
        (Method::GET, format!("/books?query={long}"), 200),
        (Method::GET, "/books?query=%ff%fe&subject=%00&&&=&==".to_owned(), 200),
        (Method::GET, format!("/books?{}", "query=x&".repeat(1_000)), 200),
        (Method::DELETE, "/books/1".to_owned(), 405),
        (Method::PUT, "/orders".to_owned(), 405),
        (Method::GET, "/orders/18446744073709551616".to_owned(), 404),
        (Method::GET, "/nothing".to_owned(), 404),
        (Method::GET, "//books".to_owned(), 404),
    ] {
        shop_request(method, &path).send().await.expect(status);
    }
    for (body, status) in [
        (String::new(), 400),
        ("{".to_owned(), 400),
        (deeply_nested, 400),
        ("x".repeat(20_000), 413),
        (json!({"book_id": -1, "customer": "A"}).to_string(), 422),
        (json!({"book_id": 1, "customer": "<script>alert(1)</script>"}).to_string(), 201),
    ] {
        shop_request(Method::POST, "/orders").body(body).send().await.expect(status);
    }
    assert_eq!(books_status(&app).await, 200);
}

#[tokio::test]
async fn orders_without_the_token_are_refused() {
    let app = toolgate().start();
    add_demo(&app).await;
    let orders = format!("{}/demo/orders", app.origin());
    let order = json!({"book_id": 1, "customer": "A"});
    app.client_with_key(None).post(&orders).json(order.clone()).send().await.expect(401);
    app.client().post(&orders).json(order).send().await.expect(401);
    app.client_with_key(None).get(&format!("{orders}/1001")).send().await.expect(401);
}
