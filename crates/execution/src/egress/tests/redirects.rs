//! Tests of which redirects are followed, and which parts of the request are sent again.

use super::super::bad_redirect::BadRedirect;
use super::super::guard::Blocked;
use super::super::hop::Hop;
use super::upstream::EgressCanary;
use super::*;
use http::StatusCode;
use http::header::LOCATION;

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

fn redirect(status: u16, to: &str) -> String {
    format!("HTTP/1.1 {status} Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

/// The next hop of `request` after a redirect, computed without sending anything.
fn next_hop(
    request: &OutboundRequest,
    status: u16,
    location: &[u8],
) -> Result<Option<(Method, String, usize)>, EgressError> {
    let mut headers = HeaderMap::new();
    headers.insert(LOCATION, HeaderValue::from_bytes(location).unwrap());
    let next = Hop::first(request)?.next(StatusCode::from_u16(status).unwrap(), &headers)?;
    Ok(next.map(|hop| (hop.method, hop.uri.to_string(), hop.headers.len())))
}

/// Follows a redirect from one origin to another. Returns the response and the requests that the two origins received.
async fn redirect_across_origins(
    status: u16,
    make_request: impl FnOnce(&str) -> OutboundRequest,
) -> (UpstreamResponse, String, String) {
    let (first, second) = (ScriptedUpstream::new(), ScriptedUpstream::new());
    let reply = redirect(status, &second.url("/there?x=1#fragment"));
    let (client, request, deadline) = (client("loopback"), make_request(&first.url("/here")), generous_deadline());
    let (response, first_request, second_request) =
        tokio::join!(client.send(&request, deadline), first.serve_once(&reply), second.serve_once(OK));
    (response.unwrap(), first_request, second_request)
}

fn with_credentials(request: OutboundRequest) -> OutboundRequest {
    let headers =
        [("x-api-key", "sesame"), ("authorization", "sesame"), ("cookie", "sesame"), ("user-agent", "sesame")];
    headers.into_iter().fold(request, |request, (name, value)| with_header(request, name, value))
}

#[tokio::test]
async fn no_header_of_the_request_reaches_another_origin() {
    for (status, method) in [(301, Method::GET), (302, Method::HEAD), (307, Method::GET), (308, Method::GET)] {
        let (response, first, second) =
            redirect_across_origins(status, |url| with_credentials(request(method.clone(), url))).await;
        assert_eq!(response.status, 200);
        assert_eq!(first.matches("sesame").count(), 4);
        assert!(second.starts_with(&format!("{method} /there?x=1 HTTP/1.1\r\n")), "{second}");
        assert!(!second.contains("sesame"), "{second}");
    }
}

#[tokio::test]
async fn a_post_that_becomes_a_get_may_go_to_another_origin() {
    for status in [301, 302, 303] {
        let (response, first, second) =
            redirect_across_origins(status, |url| with_credentials(post(url, "sesame"))).await;
        assert_eq!(response.body, "ok");
        assert_eq!(first.matches("sesame").count(), 5);
        assert!(
            second.starts_with("GET /there") && !second.contains("sesame") && !second.contains("content-"),
            "{second}"
        );
    }
}

#[tokio::test]
async fn a_body_never_goes_to_another_origin() {
    for (status, method) in [(307, Method::POST), (308, Method::PUT), (302, Method::DELETE), (307, Method::GET)] {
        let (canary, upstream) = (EgressCanary::at("127.0.0.1"), ScriptedUpstream::new());
        let reply = redirect(status, &format!("http://127.0.0.1:{}/", canary.port()));
        let request = OutboundRequest { method: method.clone(), ..post(&upstream.url("/"), "body") };
        let (client, deadline) = (client("loopback"), generous_deadline());
        let (response, _) = tokio::join!(client.send(&request, deadline), upstream.serve_once(&reply));
        assert_eq!(response.unwrap_err(), BadRedirect::OtherOrigin.into());
        canary.assert_unvisited(method.as_str());
    }
}

#[tokio::test]
async fn dropped_headers_stay_dropped_when_a_redirect_returns_to_the_first_origin() {
    let (first, second) = (ScriptedUpstream::new(), ScriptedUpstream::new());
    let (there, back) = (redirect(302, &second.url("/")), redirect(302, &first.url("/back")));
    let (client, request, deadline) = (client("loopback"), with_credentials(get(&first.url("/"))), generous_deadline());
    let (response, (), _) = tokio::join!(
        client.send(&request, deadline),
        async {
            assert!(first.serve_once(&there).await.contains("sesame"));
            assert!(!first.serve_once(OK).await.contains("sesame"));
        },
        second.serve_once(&back),
    );
    assert_eq!(response.unwrap().body, "ok");
}

#[tokio::test]
async fn within_an_origin_headers_and_body_are_sent_again() {
    for status in [307, 308] {
        let upstream = ScriptedUpstream::new();
        let (client, request, deadline) =
            (client("loopback"), with_credentials(post(&upstream.url("/"), "body")), generous_deadline());
        let (response, second) = tokio::join!(client.send(&request, deadline), async {
            upstream.serve_once(&redirect(status, "/moved")).await;
            upstream.serve_once(OK).await
        });
        assert_eq!(response.unwrap().body, "ok");
        assert!(second.starts_with("POST /moved HTTP/1.1\r\n") && second.ends_with("\r\n\r\nbody"), "{second}");
        assert!(second.contains("x-api-key: sesame") && second.contains("content-type: text/plain"), "{second}");
    }
}

#[test]
fn methods_change_as_the_status_requires() {
    // Four credential headers and Content-Type.
    let request_with = |method: Method| OutboundRequest { method, ..with_credentials(post("http://a.test/", "x")) };
    let after = |method, status| {
        next_hop(&request_with(method), status, b"/b").unwrap().map(|(method, _, headers)| (method, headers))
    };
    for status in [301, 302, 303] {
        assert_eq!(after(Method::POST, status), Some((Method::GET, 4)), "Content-Type is removed");
    }
    for method in [Method::PUT, Method::PATCH, Method::DELETE, Method::QUERY] {
        assert_eq!(after(method.clone(), 302), Some((method.clone(), 5)));
        assert_eq!(after(method, 303), Some((Method::GET, 4)));
    }
    assert_eq!(after(Method::HEAD, 303), Some((Method::HEAD, 5)));
    assert_eq!(after(Method::GET, 304), None);
    assert_eq!(after(Method::GET, 300), None);
}

#[test]
fn locations_are_resolved_relative_to_the_request_url() {
    let locations: [(&[u8], &str); 8] = [
        (b"/x?y#z", "http://a.test/x?y"),
        (b"other", "http://a.test/dir/other"),
        (b"../up", "http://a.test/up"),
        (b"?q=1", "http://a.test/dir/page?q=1"),
        (b"//b.test:81/", "http://b.test:81/"),
        (b"https://a.test", "https://a.test/"),
        (b"HTTP://A.test:80/", "http://a.test/"),
        ("/ä b".as_bytes(), "http://a.test/%C3%A4%20b"),
    ];
    for (location, expected) in locations {
        let (_, target, headers) =
            next_hop(&with_credentials(get("http://a.test/dir/page")), 302, location).unwrap().unwrap();
        assert_eq!(target, expected);
        assert_eq!(headers, if target.starts_with("http://a.test/") { 4 } else { 0 }, "{target}");
    }
}

#[test]
fn locations_that_are_invalid_or_not_http_are_not_followed() {
    let redirect_error = |location| next_hop(&get("http://a.test/"), 302, location).unwrap_err();
    for location in [&b"ftp://a.test/"[..], b"file:///etc/passwd", b"javascript:1", b"data:,x"] {
        assert_eq!(redirect_error(location), BadRedirect::NotHttp.into());
    }
    for location in [&b"http://"[..], b"http://a.test:99999/", b"http://[::1/", b"\xff\xfe", b"http://256.1.1.1/"] {
        assert_eq!(redirect_error(location), BadRedirect::BadLocation.into());
    }
    assert_eq!(redirect_error(b"http://key@a.test/"), Blocked::UserInfo.into());
}

#[tokio::test]
async fn a_redirect_loop_ends_after_five_redirects() {
    let upstream = ScriptedUpstream::new();
    let (client, request, deadline) = (client("loopback"), get(&upstream.url("/")), generous_deadline());
    let (response, ()) = tokio::join!(client.send(&request, deadline), async {
        for _ in 0..6 {
            upstream.serve_once(&redirect(302, "/")).await;
        }
    });
    assert_eq!(response.unwrap_err(), BadRedirect::TooMany.into());
}

#[tokio::test]
async fn a_redirect_without_a_location_is_returned() {
    let found = response_to(b"HTTP/1.1 302 Found\r\ncontent-length: 4\r\n\r\nhere").await.unwrap();
    assert_eq!((found.status.as_u16(), &found.body[..]), (302, &b"here"[..]));
}
