//! Call records for tests.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use toolgate_domain::call::{CallCredential, CallOrigin, CallRecord, CapturedPayload, FailureReason, ResultTokens};
use toolgate_domain::ids::{EndpointKeyId, ServerId, SubjectId, ToolId, UserId};
use toolgate_domain::time::Timestamp;

/// A record with a request id that contains `number`.
pub(crate) fn record(number: usize) -> CallRecord {
    CallRecord {
        at: Timestamp::from_millis(1_790_000_000_000 + i64::try_from(number).unwrap()),
        client_name: Some("claude-ai".to_owned()),
        protocol_version: Some("2025-11-25".into()),
        failure: None,
        upstream_status: Some(200),
        duration_us: 12_345,
        upstream_us: 11_000,
        request_bytes: 120,
        response_bytes: 4096,
        request_id: format!("request-{number}"),
        origin: CallOrigin {
            credential: CallCredential::EndpointKey(EndpointKeyId(5)),
            client_address: Some(std::net::Ipv4Addr::new(203, 0, 113, 9).into()),
        },
        ..CallRecord::new(UserId(1), ServerId(7), ToolId(42), "claude-desktop".to_owned())
    }
}

/// The records `0`, `1`, …
pub(crate) fn records(count: usize) -> Vec<CallRecord> {
    (0..count).map(record).collect()
}

/// Arbitrary records.
pub(crate) fn any_record() -> impl Strategy<Value = CallRecord> {
    let failure = prop::sample::select(FailureReason::NAMES).prop_map(|name| FailureReason::parse(name).unwrap());
    let captured = (".{0,40}", ".{0,40}").prop_map(|(arguments, response)| CapturedPayload { arguments, response });
    let tokens = option::of((any::<u64>(), any::<u64>()).prop_map(|(out, saved)| ResultTokens { out, saved }));
    let numbers = (vec(any::<i64>(), 4), vec(any::<u64>(), 4), option::of(any::<u16>()), any::<bool>(), tokens);
    let words = ("[a-z-]{0,20}", option::of(".{0,20}"), option::of("[0-9-]{10}"), "[0-9a-f]{32}");
    let texts = (words, option::of(failure), option::of(captured));
    (numbers, texts, any_origin()).prop_map(|(numbers, (words, failure, captured), origin)| {
        let (ids, amounts, upstream_status, cache_hit, tokens) = numbers;
        CallRecord {
            at: Timestamp::from_millis(ids[0]),
            user_id: UserId(ids[1]),
            server_id: ServerId(ids[2]),
            tool_id: ToolId(ids[3]),
            client_type: words.0,
            client_name: words.1,
            protocol_version: words.2.map(Into::into),
            failure,
            upstream_status,
            duration_us: amounts[0],
            upstream_us: amounts[1],
            request_bytes: amounts[2],
            response_bytes: amounts[3],
            cache_hit,
            tokens,
            request_id: words.3,
            origin,
            captured,
        }
    })
}

fn any_origin() -> impl Strategy<Value = CallOrigin> {
    let credential = prop_oneof![
        Just(CallCredential::None),
        any::<i64>().prop_map(|id| CallCredential::EndpointKey(EndpointKeyId(id))),
        any::<i64>().prop_map(|id| CallCredential::User(UserId(id))),
        any::<i64>().prop_map(|id| CallCredential::Subject(SubjectId(id))),
    ];
    (credential, any::<Option<std::net::IpAddr>>())
        .prop_map(|(credential, client_address)| CallOrigin { credential, client_address })
}
