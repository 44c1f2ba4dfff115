use std::sync::Arc;

use toolgate_domain::call::{CallId, CallRecord, CapturedPayload, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};

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
        request_id: format!("0123456789abcdef-{n:x}\0"),
        captured: (n % 9 == 0).then(CapturedPayload::default),
        ..CallRecord::new(UserId(n % 2), ServerId(n % 3), ToolId(n % 5), String::new())
    };
    IncomingCall { id, client_type: Arc::from(format!("type {}", n % 6)), record }
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
