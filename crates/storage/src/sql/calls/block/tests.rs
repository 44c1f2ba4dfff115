//! Packing and unpacking of blocks, also of earlier and later versions.

use std::sync::Arc;

use toolgate_domain::call::{
    CallCredential, CallId, CallOrigin, CallRecord, CapturedPayload, FailureReason, ResultTokens,
};
use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId, UserId};

use super::*;
use crate::sql::calls::incoming_call::IncomingCall;

/// A call that differs from its neighbours in every field.
fn call(n: i64) -> IncomingCall {
    let number = n.unsigned_abs();
    // The squares make the differences between the ids distinct.
    let id = CallId(1_835_008_000_125_952 + n * n);
    let record = CallRecord {
        at: id.time(),
        client_name: (n % 4 > 0).then(|| format!("client {}", n % 4)),
        protocol_version: (n % 2 > 0).then(|| "2025-11-25".into()),
        failure: FailureReason::from_number(u8::try_from(n % 17).unwrap()),
        upstream_status: (n % 3 > 0).then_some(200),
        duration_us: number * 1000,
        upstream_us: number * 999,
        request_bytes: number,
        response_bytes: number << 20,
        cache_hit: n % 7 == 0,
        tokens: (n % 5 == 0).then_some(ResultTokens { out: number * 3, saved: number << 30 }),
        request_id: format!("0123456789abcdef-{n:x}\0"),
        origin: origin(n),
        captured: (n % 9 == 0).then(CapturedPayload::default),
        ..CallRecord::new(UserId(n % 2), ServerId(n % 3), ToolId(n % 5), String::new())
    };
    IncomingCall { id, client_type: Arc::from(format!("type {}", n % 6)), record }
}

/// One of three credentials and four addresses.
fn origin(n: i64) -> CallOrigin {
    let credentials = [
        CallCredential::None,
        CallCredential::EndpointKey(EndpointKeyId(1 << 40)),
        CallCredential::User(UserId(n % 2)),
    ];
    let addresses = [None, Some("203.0.113.9"), Some("2001:db8::1"), Some("::")];
    let index = usize::try_from(n).unwrap();
    let client_address = addresses[index % 4].map(|address| address.parse().unwrap());
    CallOrigin { credential: credentials[index % 3], client_address }
}

fn unpacked(packed: &[u8]) -> Vec<(CallId, CallRecord, bool)> {
    let block = CallBlock::open(packed).unwrap();
    let unpack = |call: PackedCall<'_>| {
        let (record, is_captured) = block.unpack(&call).unwrap();
        (call.id, record, is_captured)
    };
    block.calls().map(unpack).collect()
}

#[test]
fn unpacked_calls_equal_the_packed_calls() {
    for count in [1, 2, 500] {
        let calls: Vec<IncomingCall> = (0..count).map(call).collect();
        let packed = pack(&calls).unwrap();
        let expected: Vec<_> = calls
            .iter()
            .map(|call| {
                let client_type = call.client_type.to_string();
                let record = CallRecord { client_type, captured: None, ..call.record.clone() };
                (call.id, record, call.record.captured.is_some())
            })
            .collect();
        assert_eq!(unpacked(&packed), expected);
        assert_eq!(ids(&packed).unwrap(), calls.iter().map(|call| call.id.0).collect::<Vec<_>>());
    }
}

#[test]
fn a_packed_call_takes_less_than_60_bytes() {
    let calls: Vec<IncomingCall> = (0..500).map(call).collect();
    let bytes_per_call = pack(&calls).unwrap().len() / 500;
    assert!(bytes_per_call < 60, "a call takes {bytes_per_call} bytes");
}

#[test]
fn a_block_of_the_first_version_has_calls_without_origin() {
    // The call number 1, as the first version packed it.
    let packed = b"\x01\x01\x82\xb0\x8f\x80\xc3\xbb\xc2\x06\x01\x02\x02\x02\x01\x06type 1\x01\x08client 1\x01\x0a2025-11-25\x01\x00\x00\x01!\
                   \x01\xc8\x01\xe8\x07\xe7\x07\x01\x80\x80@\x00\x00\x130123456789abcdef-1\x00";
    let IncomingCall { id, client_type, record } = call(1);
    let record = CallRecord { client_type: client_type.to_string(), origin: CallOrigin::default(), ..record };
    assert_eq!(unpacked(packed), [(id, record, false)]);
    assert_eq!(ids(packed).unwrap(), [id.0]);
    assert_eq!(pack(&[call(1)]).unwrap()[0], 2);
}

#[test]
fn truncated_blocks_and_unknown_versions_are_errors() {
    let packed = pack(&[call(1), call(2)]).unwrap();
    for end in 0..packed.len() {
        let truncated = &packed[..end];
        let is_readable =
            CallBlock::open(truncated).is_ok_and(|block| block.calls().all(|call| block.unpack(&call).is_ok()));
        assert!(!is_readable, "a block truncated at {end} is readable");
    }
    assert!(CallBlock::open(&[VERSION + 1]).is_err());
}

/// The credentials that a later version may store.
#[derive(Serialize)]
enum LaterCredential {
    #[expect(dead_code, reason = "the variants that this version knows come first")]
    None,
    #[expect(dead_code, reason = "the variants that this version knows come first")]
    EndpointKey(i64),
    User(i64),
    #[expect(dead_code, reason = "the variants that this version knows come first")]
    Subject(i64),
    Other(i64),
}

#[test]
fn a_credential_of_a_later_version_reads_as_none() {
    let address: std::net::IpAddr = "203.0.113.9".parse().unwrap();
    let origins = [(LaterCredential::Other(1 << 40), Some(address)), (LaterCredential::User(3), None)];
    let bytes = postcard::to_extend(&origins, Vec::new()).unwrap();
    let expected = [
        CallOrigin { credential: CallCredential::None, client_address: Some(address) },
        CallOrigin { credential: CallCredential::User(UserId(3)), client_address: None },
    ];
    assert_eq!(postcard::from_bytes::<[CallOrigin; 2]>(&bytes).unwrap(), expected);
    let [_, known] = expected;
    assert!(bytes.ends_with(&postcard::to_extend(&known, Vec::new()).unwrap()), "the stored form does not change");
}
