//! Settings of traces.

use crate::toolgate;

#[tokio::test]
async fn invalid_settings_are_refused_with_a_remedy_and_without_secrets() {
    for (name, value, expected) in [
        ("TOOLGATE_OTLP_ENDPOINT", "collector:4318", "http://127.0.0.1:4318"),
        ("TOOLGATE_OTLP_ENDPOINT", "http://u:hidden@h:4318", "TOOLGATE_OTLP_HEADERS"),
        ("TOOLGATE_OTLP_ENDPOINT", "http://h:4318/v1/traces", "leave out /v1/traces"),
        ("TOOLGATE_OTLP_HEADERS", "hidden", "a name, `=` and a value"),
        ("TOOLGATE_OTLP_LOGS", "yes", "possible values"),
        ("TOOLGATE_TRACE_SAMPLE", "1%", "from 0 to 1"),
        ("TOOLGATE_TRACE_PARENT_RATE", "-1", "from 0 to 100000"),
    ] {
        let error = toolgate().env(name, value).try_start().unwrap_err();
        assert_eq!(error.exit.and_then(|exit| exit.code()), Some(2), "{name}={value}");
        assert!(error.stderr.contains(expected), "{name}={value}: {}", error.stderr);
        assert!(!error.stderr.contains("hidden"), "{name}: {}", error.stderr);
    }
}

#[tokio::test]
async fn headers_and_log_records_need_a_collector() {
    for (name, value) in [("TOOLGATE_OTLP_HEADERS", "x-key=hidden"), ("TOOLGATE_OTLP_LOGS", "on")] {
        let error = toolgate().env(name, value).try_start().unwrap_err();
        assert_eq!(error.exit.and_then(|exit| exit.code()), Some(2));
        assert!(error.stderr.contains("--otlp-endpoint"), "{}", error.stderr);
        assert!(!error.stderr.contains("hidden"), "{}", error.stderr);
    }
}
