//! Tests of all special ranges of both address families, all notations of an address, all forms of the rule.

use super::*;

fn rule(text: &str) -> EgressRule {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn check(rule_text: &str, address: &str) -> Result<(), Blocked> {
    rule(rule_text).check_address("upstream.example", address.parse().unwrap(), 443)
}

fn check_url(rule_text: &str, url: &str) -> Result<(), Blocked> {
    rule(rule_text).check_url(&Url::parse(url).unwrap_or_else(|error| panic!("{url}: {error}")))
}

/// The range of a refused address, and whether no rule can allow it.
fn refused_range(result: &Result<(), Blocked>) -> Option<(AddressRange, bool)> {
    match result {
        Err(Blocked::NotAllowed { range, .. }) => Some((*range, false)),
        Err(Blocked::Never { range, .. }) => Some((*range, true)),
        _ => None,
    }
}

/// The first and last address of each range.
const SPECIAL_RANGES: [(&str, &str, AddressRange); 33] = [
    ("127.0.0.0", "127.255.255.255", AddressRange::Loopback),
    ("::1", "::1", AddressRange::Loopback),
    ("10.0.0.0", "10.255.255.255", AddressRange::Private),
    ("172.16.0.0", "172.31.255.255", AddressRange::Private),
    ("192.168.0.0", "192.168.255.255", AddressRange::Private),
    ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Private),
    ("100.64.0.0", "100.127.255.255", AddressRange::Shared),
    ("192.0.0.0", "192.0.0.255", AddressRange::Reserved),
    ("192.0.2.0", "192.0.2.255", AddressRange::Reserved),
    ("192.31.196.0", "192.31.196.255", AddressRange::Reserved),
    ("192.52.193.0", "192.52.193.255", AddressRange::Reserved),
    ("192.88.99.0", "192.88.99.255", AddressRange::Reserved),
    ("192.175.48.0", "192.175.48.255", AddressRange::Reserved),
    ("198.18.0.0", "198.19.255.255", AddressRange::Reserved),
    ("198.51.100.0", "198.51.100.255", AddressRange::Reserved),
    ("203.0.113.0", "203.0.113.255", AddressRange::Reserved),
    ("240.0.0.0", "255.255.255.254", AddressRange::Reserved),
    ("64:ff9b:2::", "64:ffff::", AddressRange::Reserved),
    ("100::", "100::ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2001:1::1", "2001:1::3", AddressRange::Reserved),
    ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2001:30::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("4000::", "fbff::", AddressRange::Reserved),
    ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
    ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Reserved),
];

/// Pairs of addresses that no rule can allow, such as the first and last address of a range.
const NEVER_ALLOWED: [(&str, &str, AddressRange); 17] = [
    ("0.0.0.0", "0.255.255.255", AddressRange::Unspecified),
    ("::", "::", AddressRange::Unspecified),
    ("169.254.0.0", "169.254.255.255", AddressRange::LinkLocal),
    ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::LinkLocal),
    ("224.0.0.0", "239.255.255.255", AddressRange::Multicast),
    ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Multicast),
    ("255.255.255.255", "::ffff:255.255.255.255", AddressRange::Broadcast),
    ("169.254.169.254", "::ffff:169.254.169.254", AddressRange::Metadata),
    ("::169.254.169.254", "64:ff9b::169.254.169.254", AddressRange::Metadata),
    ("2002:a9fe:a9fe::1", "100.100.100.200", AddressRange::Metadata),
    ("168.63.129.16", "192.0.0.192", AddressRange::Metadata),
    ("fd00:ec2::254", "fd20:ce::254", AddressRange::Metadata),
    ("fd00:c1::a9fe:a9fe", "fd00:42::42", AddressRange::Metadata),
    ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", AddressRange::Tunnel),
    ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", AddressRange::Tunnel),
    ("::2", "::0.255.255.255", AddressRange::Unspecified),
    ("2002::", "64:ff9b::", AddressRange::Unspecified),
];

#[test]
fn special_ranges_are_refused_unless_a_network_of_the_rule_covers_them() {
    for (first, last, expected) in SPECIAL_RANGES {
        for address in [first, last] {
            assert_eq!(refused_range(&check("", address)), Some((expected, false)), "{address}");
            assert_eq!(check("0.0.0.0/0,::/0", address), Ok(()), "{address}");
        }
    }
}

#[test]
fn some_ranges_are_refused_regardless_of_the_rule() {
    for (first, last, expected) in NEVER_ALLOWED {
        for address in [first, last] {
            assert_eq!(refused_range(&check("", address)), Some((expected, true)), "{address}");
            let widest = format!("loopback private 0.0.0.0/0 ::/0 upstream.example [{address}]:443");
            assert_eq!(refused_range(&check(&widest, address)), Some((expected, true)), "{address}");
        }
    }
}

#[test]
fn public_addresses_next_to_special_ranges_pass() {
    let public = [
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.0.3.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "203.0.112.255",
        "223.255.255.255",
        "2000::",
        "2001:200::",
        "2001:db7::",
        "2001:db9::",
        "2606:4700::1111",
        "3fff:1000::",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
        "::8.8.8.8",
    ];
    for address in public {
        assert_eq!(check("", address), Ok(()), "{address}");
    }
}

#[test]
fn mapped_ipv4_is_classified_and_allowed_as_ipv4() {
    assert_eq!(refused_range(&check("loopback", "::ffff:10.0.0.1")), Some((AddressRange::Private, false)));
    for text in ["private", "10.0.0.0/8", "10.0.0.1", "::ffff:10.0.0.1", "::ffff:10.0.0.0/104", "upstream.example"] {
        assert_eq!(check(text, "::ffff:10.0.0.1"), Ok(()), "{text}");
    }
}

/// Addresses that embed 127.0.0.1 or 10.0.0.1 but are dialled as IPv6, and a network that contains each.
const EMBEDDED_IPV4: [(&str, &str, AddressRange); 8] = [
    ("64:ff9b::127.0.0.1", "64:ff9b::/96", AddressRange::Loopback),
    ("2002:7f00:1::", "2002:7f00:1::/48", AddressRange::Loopback),
    ("2002:7f00:1:1234::9", "2002:7f00:1:1234::/64", AddressRange::Loopback),
    ("::127.0.0.1", "::127.0.0.0/104", AddressRange::Loopback),
    ("64:ff9b::10.0.0.1", "64:ff9b::10.0.0.0/104", AddressRange::Private),
    ("2002:a00:1::", "2002::/16", AddressRange::Private),
    ("2002:a00:1:1234::9", "2002:a00:1::/48", AddressRange::Private),
    ("::10.0.0.1", "::/96", AddressRange::Private),
];

#[test]
fn an_ipv6_address_that_embeds_an_ipv4_address_is_not_allowed_by_items_for_the_latter() {
    let ipv4_items = "loopback private 127.0.0.1 10.0.0.1 127.0.0.0/8 10.0.0.0/8 0.0.0.0/0 ::1 ::ffff:127.0.0.1 \
                ::ffff:0.0.0.0/96 upstream.example";
    for (address, _, expected) in EMBEDDED_IPV4 {
        for text in ipv4_items.split_whitespace().chain(["", ipv4_items]) {
            assert_eq!(refused_range(&check(text, address)), Some((expected, false)), "{text} for {address}");
            let url = format!("http://[{address}]/");
            assert_eq!(refused_range(&check_url(text, &url)), Some((expected, false)), "{text} for {url}");
        }
    }
}

#[test]
fn an_ipv6_address_that_embeds_an_ipv4_address_is_allowed_by_an_ipv6_network() {
    for (address, net, expected) in EMBEDDED_IPV4 {
        for text in [net, address, "::/0"] {
            assert_eq!(check(text, address), Ok(()), "{text} for {address}");
        }
        assert_eq!(check(&format!("[{net}]:443"), address), Ok(()), "{net} for {address}");
        for text in [format!("[{net}]:80"), "fd00::/8".to_owned()] {
            assert_eq!(refused_range(&check(&text, address)), Some((expected, false)), "{text} for {address}");
        }
    }
    assert!(check("64:ff9b::127.0.0.1", "127.0.0.1").is_err(), "the item does not allow the IPv4 address");
    let never = check("64:ff9b::/96", "64:ff9b::169.254.169.254");
    assert_eq!(refused_range(&never), Some((AddressRange::Metadata, true)));
}

#[test]
fn keywords_allow_only_their_range() {
    assert_eq!(check("loopback", "127.0.0.2"), Ok(()));
    assert_eq!(check("loopback", "::1"), Ok(()));
    assert!(check("loopback", "10.0.0.1").is_err());
    assert_eq!(check("private", "fd12::1"), Ok(()));
    assert!(check("private", "127.0.0.1").is_err());
    assert!(check("private", "100.64.0.1").is_err());
}

#[test]
fn a_port_restricts_an_item() {
    let rule = rule("loopback:8080 10.0.0.0/8:443 [fd00::/8]:80 db.internal:5432");
    let check = |host, address: &str, port| rule.check_address(host, address.parse().unwrap(), port).is_ok();
    assert!(check("x", "127.0.0.1", 8080) && !check("x", "127.0.0.1", 80));
    assert!(check("x", "10.1.2.3", 443) && !check("x", "10.1.2.3", 80));
    assert!(check("x", "fd00::1", 80) && !check("x", "fd00::1", 443));
    assert!(check("db.internal", "10.0.0.1", 5432) && !check("db.internal", "10.0.0.1", 80));
}

#[test]
fn an_allowed_name_may_resolve_to_any_address_that_a_rule_can_allow() {
    let rule = rule("API.Internal.");
    let check = |host, address: &str| rule.check_address(host, address.parse().unwrap(), 80).is_ok();
    assert!(check("api.internal", "10.0.0.1") && check("api.internal.", "127.0.0.1") && check("API.INTERNAL", "::1"));
    assert!(!check("api.internal", "169.254.169.254"));
    assert!(!check("other.internal", "10.0.0.1") && !check("x.api.internal", "10.0.0.1"));
}

#[test]
fn every_notation_of_a_loopback_url_is_recognised() {
    let urls = [
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://127.1/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://0x7f000001/",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
        "http://%31%32%37.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://localhost/",
        "http://LOCALHOST:9/",
        "http://localhost./",
        "http://a.b.localhost/",
        "http://a.localhost./",
        "http://ｌocalhost/",
    ];
    for url in urls {
        assert_eq!(refused_range(&check_url("", url)), Some((AddressRange::Loopback, false)), "{url}");
        assert_eq!(check_url("loopback", url), Ok(()), "{url}");
    }
}

#[test]
fn localhost_is_allowed_by_name_and_by_either_address_family() {
    for text in ["localhost", "127.0.0.1", "::1", "loopback:8080"] {
        assert_eq!(check_url(text, "http://localhost:8080/"), Ok(()), "{text}");
    }
    assert!(check_url("loopback:8080", "http://localhost/").is_err());
}

#[test]
fn urls_need_a_web_scheme_a_host_and_no_credentials() {
    assert_eq!(check_url("", "https://api.example.com/x"), Ok(()));
    for url in ["ftp://h/", "file:///etc/passwd", "gopher://h/", "data:,x", "ws://h/"] {
        assert!(matches!(check_url("", url), Err(Blocked::Scheme { .. })), "{url}");
    }
    for url in ["http://u@h/", "http://u:p@h/", "http://:p@h/", "http://public.example@127.0.0.1/"] {
        assert_eq!(check_url("", url), Err(Blocked::UserInfo), "{url}");
    }
}

#[test]
fn refusals_contain_the_reason_and_the_fix() {
    let private = check("", "10.0.0.1").unwrap_err();
    assert_eq!(private.to_string(), "destination not allowed: it is a private address");
    assert!(private.advice().ends_with("allow it with TOOLGATE_UPSTREAM_ALLOW."));
    let metadata = check("", "169.254.169.254").unwrap_err();
    assert_eq!(
        metadata.to_string(),
        "destination not allowed: it is a cloud metadata address, which tools may never call"
    );
    assert!(metadata.advice().contains("no setting can allow"));
    assert!(check_url("", "ftp://h/").unwrap_err().to_string().starts_with("destination not allowed: "));
}

#[test]
fn rules_are_printed_normalised_and_read_back() {
    let cases = [
        ("", ""),
        (" Loopback,\tPRIVATE loopback ", "loopback,private"),
        ("10.1.2.3/8 192.168.1.1 192.168.1.1/32", "10.0.0.0/8,192.168.1.1"),
        ("FD00::1/8,[fd00::1]:80,[::1]", "fd00::/8,[fd00::1]:80,::1"),
        ("DB.Internal.:5432 my_host bücher.example", "db.internal:5432,my_host,xn--bcher-kva.example"),
        ("10.0.0.0/8:443 ::ffff:10.0.0.0/104", "10.0.0.0/8:443,10.0.0.0/8"),
    ];
    for (text, expected) in cases {
        assert_eq!(rule(text).to_string(), expected);
        assert_eq!(rule(expected), rule(text));
    }
    assert_eq!(rule(""), EgressRule::none());
}

#[test]
fn the_error_names_the_invalid_item_of_a_rule() {
    let cases = [
        ("loopback,10.0.0.0/33", "10.0.0.0/33", BadRuleItem::Network),
        ("internal/8", "internal/8", BadRuleItem::Network),
        ("host:0", "host:0", BadRuleItem::Port),
        ("host:70000", "host:70000", BadRuleItem::Port),
        ("host:", "host:", BadRuleItem::Port),
        ("http://host", "http://host", BadRuleItem::Port),
        ("[::1]x", "[::1]x", BadRuleItem::Unknown),
        ("*.internal", "*.internal", BadRuleItem::Unknown),
        (".", ".", BadRuleItem::Unknown),
        (".:8080", ".:8080", BadRuleItem::Unknown),
        ("a;b", "a;b", BadRuleItem::Unknown),
        ("0x7f.1", "0x7f.1", BadRuleItem::UnusualNotation),
        ("::1::2", "::1::2", BadRuleItem::Unknown),
    ];
    for (text, item, problem) in cases {
        let expected = EgressRuleError { item: item.to_owned(), problem };
        assert_eq!(text.parse::<EgressRule>(), Err(expected), "{text}");
    }
    let message = "x 10.0.0.0/99".parse::<EgressRule>().unwrap_err().to_string();
    assert!(message.starts_with("TOOLGATE_UPSTREAM_ALLOW: \"10.0.0.0/99\" is not a network"), "{message}");
}
