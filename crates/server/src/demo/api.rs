//! The API of the book shop, below `/demo/`. It only serves this machine, and only while the demo is enabled.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Method, StatusCode};
use serde_json::Value;
use toolgate_auth::{PeerAddr, TrustedProxies};
use toolgate_rest::Demo;

use super::shop::{BookShop, ShopQuery, ShopResponse, error};
use crate::reply::{json_reply, not_found};

/// Maximum size of a request body: larger than any request of the demo's tools.
const BODY_BYTES_MAX: usize = 16 * 1024;
/// The delay of `/demo/delivery`, so that the demo has a slow tool.
const DELIVERY_DELAY: Duration = Duration::from_secs(2);
/// The `Authorization` header with which the demo's tools place and read orders.
const ORDER_AUTHORIZATION: &str = "Bearer demo-shop-token";

struct DemoApi {
    demo: Arc<Demo>,
    shop: BookShop,
    /// The IP address of the listening socket. If it is not loopback, requests of the service to itself come from it.
    own_ip: IpAddr,
    trusted_proxies: TrustedProxies,
}

/// The routes of the shop; they return 404 while the demo is off.
pub(crate) fn routes(demo: Arc<Demo>, bound: SocketAddr, trusted_proxies: TrustedProxies) -> anyhow::Result<Router> {
    let api = Arc::new(DemoApi { demo, shop: BookShop::open()?, own_ip: bound.ip(), trusted_proxies });
    Ok(Router::new().route("/demo/{*path}", any(handle)).with_state(api))
}

async fn handle(State(api): State<Arc<DemoApi>>, request: Request) -> Response {
    if !api.demo.is_enabled() || !api.is_local_caller(&request) {
        return not_found();
    }
    let (status, body) = api.respond(request).await.unwrap_or_else(|refusal| refusal);
    json_reply(status, &body)
}

impl DemoApi {
    /// Only the tools of this service may call the shop, not the clients of a proxy on this machine.
    fn is_local_caller(&self, request: &Request) -> bool {
        let peer = request.extensions().get::<PeerAddr>();
        let client = peer.map(|PeerAddr(peer)| self.trusted_proxies.client_address(*peer, request.headers()));
        client.is_some_and(|ip| ip.is_loopback() || ip == self.own_ip)
    }

    async fn respond(&self, request: Request) -> Result<ShopResponse, ShopResponse> {
        let (parts, body) = request.into_parts();
        let query = ShopQuery::parse(parts.uri.query().unwrap_or_default());
        // The first two segments are the empty one before the leading slash and `demo`.
        let path: Vec<&str> = parts.uri.path().split('/').skip(2).collect();
        match (&parts.method, path.as_slice()) {
            (&Method::GET, ["books"]) => self.shop.search(&query),
            (&Method::GET, ["books", id]) => self.shop.book(id),
            (&Method::POST, ["orders"]) => {
                check_token(&parts.headers)?;
                self.shop.order(&read_json(body).await?)
            }
            (&Method::GET, ["orders", id]) => {
                check_token(&parts.headers)?;
                self.shop.find_order(id)
            }
            (&Method::GET, ["delivery"]) => {
                tokio::time::sleep(DELIVERY_DELAY).await;
                BookShop::delivery(&query)
            }
            (&Method::GET, ["loyalty", _]) => Err(error(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The loyalty service is broken. It always is: this is a demo.",
            )),
            (_, ["books" | "delivery" | "orders"] | ["books" | "loyalty" | "orders", _]) => {
                Err(error(StatusCode::METHOD_NOT_ALLOWED, "This method is not allowed at this address."))
            }
            _ => Err(error(StatusCode::NOT_FOUND, "The shop has nothing at this address.")),
        }
    }
}

fn check_token(headers: &HeaderMap) -> Result<(), ShopResponse> {
    match headers.get(AUTHORIZATION) {
        Some(value) if value == ORDER_AUTHORIZATION => Ok(()),
        _ => Err(error(StatusCode::UNAUTHORIZED, "Orders need the shop's token.")),
    }
}

async fn read_json(body: Body) -> Result<Value, ShopResponse> {
    let unreadable = |_| error(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large or incomplete.");
    let bytes = to_bytes(body, BODY_BYTES_MAX).await.map_err(unreadable)?;
    let document = toolgate_domain::json::check(&bytes).ok();
    let value = document.and_then(|document| serde_json::from_str(document.get()).ok());
    value.ok_or_else(|| error(StatusCode::BAD_REQUEST, "The body is not JSON."))
}

#[cfg(test)]
mod tests {
    use std::io;

    use toolgate_domain::ids::ServerId;
    use toolgate_rest::DemoMarker;
    use tower::ServiceExt as _;

    use super::*;

    /// A marker that says whether the demo is enabled.
    struct FakeMarker(bool);

    impl DemoMarker for FakeMarker {
        fn read(&self) -> Option<ServerId> {
            self.0.then_some(ServerId(1))
        }

        fn write(&self, _: Option<ServerId>) -> io::Result<()> {
            Ok(())
        }
    }

    async fn status(is_on: bool, bound: &str, peer: Option<&str>) -> u16 {
        let request = Request::get("/demo/books").body(Body::empty()).unwrap();
        status_of(request, is_on, bound, peer).await
    }

    async fn status_of(mut request: Request, is_on: bool, bound: &str, peer: Option<&str>) -> u16 {
        let demo = Demo::new(String::new(), Value::Null, Box::new(FakeMarker(is_on)));
        if let Some(peer) = peer {
            request.extensions_mut().insert(PeerAddr(peer.parse().unwrap()));
        }
        let proxies = TrustedProxies::new(vec!["127.0.0.1/32".parse().unwrap()]);
        let routes = routes(Arc::new(demo), bound.parse().unwrap(), proxies).unwrap();
        routes.oneshot(request).await.unwrap().status().as_u16()
    }

    #[tokio::test]
    async fn a_body_must_be_strict_json() {
        assert_eq!(read_json(Body::from(r#"{"a":1}"#)).await.ok(), Some(serde_json::json!({"a": 1})));
        for text in ["{", r#"{"a":1,"a":2}"#, r#"{"a":{"$serde_json::private::RawValue":"1"}}"#] {
            assert!(read_json(Body::from(text)).await.is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn a_client_of_a_trusted_proxy_on_this_machine_is_not_served() {
        for (client, expected) in [("203.0.113.9", 404), ("127.0.0.1", 200)] {
            let request = Request::get("/demo/books").header("x-forwarded-for", client).body(Body::empty()).unwrap();
            assert_eq!(status_of(request, true, "127.0.0.1:80", Some("127.0.0.1:5000")).await, expected);
        }
    }

    #[tokio::test]
    async fn only_this_machine_is_served_and_only_while_the_demo_is_on() {
        for (is_on, bound, peer, expected) in [
            (true, "127.0.0.1:80", Some("127.0.0.1:5000"), 200),
            (true, "[::]:80", Some("[::1]:5000"), 200),
            (true, "[::]:80", Some("[::ffff:127.0.0.1]:5000"), 200),
            (true, "192.0.2.7:80", Some("192.0.2.7:5000"), 200),
            (true, "192.0.2.7:80", Some("192.0.2.8:5000"), 404),
            (true, "0.0.0.0:80", Some("192.0.2.8:5000"), 404),
            (true, "127.0.0.1:80", None, 404),
            (false, "127.0.0.1:80", Some("127.0.0.1:5000"), 404),
        ] {
            assert_eq!(status(is_on, bound, peer).await, expected, "{bound} {peer:?}");
        }
    }
}
