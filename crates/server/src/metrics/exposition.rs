//! The two text formats that Prometheus reads. `prometheus-client` writes OpenMetrics 1.0; the older format differs
//! only in the lines that describe a family.

use http::HeaderMap;
use http::header::ACCEPT;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text;
use prometheus_client::registry::Registry;

const OPEN_METRICS: &str = "application/openmetrics-text";

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpositionFormat {
    /// Prometheus text 0.0.4, which every scraper reads.
    Prometheus,
    /// OpenMetrics 1.0.
    OpenMetrics,
}

impl ExpositionFormat {
    /// The format that the client prefers. OpenMetrics is chosen only by its name: `*/*` or no header means the older
    /// one.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges: Vec<(&str, f32)> = accepted.flat_map(|value| value.split(',')).filter_map(parse_range).collect();
        let quality = |media_types: &[&str]| {
            let matching = ranges.iter().filter(|(media_type, _)| media_types.contains(media_type));
            matching.map(|(_, quality)| *quality).fold(0.0, f32::max)
        };
        let open_metrics = quality(&[OPEN_METRICS]);
        let is_preferred = open_metrics > 0.0 && open_metrics >= quality(&["text/plain"]);
        if is_preferred { Self::OpenMetrics } else { Self::Prometheus }
    }

    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }

    /// All metrics of a collector.
    pub(super) fn encode(self, collector: impl Collector) -> String {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(collector));
        let mut encoded = String::new();
        // Writing to a string does not fail.
        let _ = text::encode(&mut encoded, &registry);
        match self {
            Self::OpenMetrics => encoded,
            Self::Prometheus => to_prometheus(&encoded),
        }
    }
}

/// A media range of version 1 (or without a version) and its quality.
fn parse_range(range: &str) -> Option<(&str, f32)> {
    let mut parts = range.split(';').map(str::trim);
    let media_type = parts.next()?;
    let mut quality = 1.0;
    for part in parts {
        match part.split_once('=') {
            Some(("q", value)) => quality = value.parse().ok()?,
            // A newer version of OpenMetrics may differ from ours.
            Some(("version", value)) if media_type == OPEN_METRICS && !matches!(value, "1.0.0" | "0.0.1") => {
                return None;
            }
            _ => {}
        }
    }
    Some((media_type, quality))
}

/// Rewrites the lines that describe a family: the older format names counters with their suffix, has no type `info`,
/// and no lines for units and the end.
fn to_prometheus(open_metrics: &str) -> String {
    let mut out = String::with_capacity(open_metrics.len());
    let mut help = "";
    for line in open_metrics.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            // Written with the type, which is in the next line and decides the suffix of the name.
            help = rest.split_once(' ').map_or("", |(_, help)| help);
        } else if let Some((name, metric_type)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' ')) {
            let (suffix, metric_type) = match metric_type {
                "counter" => ("_total", "counter"),
                "info" => ("_info", "gauge"),
                other => ("", other),
            };
            out.extend(["# HELP ", name, suffix, " ", help, "\n# TYPE ", name, suffix, " ", metric_type, "\n"]);
        } else if !line.starts_with("# ") {
            out.extend([line, "\n"]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negotiate(accept: &str) -> ExpositionFormat {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, accept.parse().unwrap());
        ExpositionFormat::from_headers(&headers)
    }

    #[test]
    fn a_client_gets_open_metrics_only_if_it_names_it_and_prefers_it() {
        use ExpositionFormat::{OpenMetrics, Prometheus};
        // The headers of Prometheus 2.42 and 3.
        let prometheus_2 = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        let prometheus_3 = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
        for (accept, format) in [
            (prometheus_2, OpenMetrics),
            (prometheus_3, OpenMetrics),
            ("application/openmetrics-text", OpenMetrics),
            ("*/*", Prometheus),
            ("text/plain", Prometheus),
            ("text/html,*/*;q=0.8", Prometheus),
            ("application/openmetrics-text; q=0", Prometheus),
            ("application/openmetrics-text; q=0.2, text/plain", Prometheus),
            ("application/openmetrics-text; version=2.0.0", Prometheus),
            ("application/openmetrics-text; q=x", Prometheus),
        ] {
            assert_eq!(negotiate(accept), format, "{accept}");
        }
        assert_eq!(ExpositionFormat::from_headers(&HeaderMap::new()), Prometheus);
    }

    #[test]
    fn the_older_format_names_counters_and_infos_with_their_suffix() {
        let open_metrics = "# HELP a_calls Calls with \"x\" # y.\n# TYPE a_calls counter\na_calls_total{l=\"# TYPE \\n\"} 1\n\
             # HELP b B.\n# TYPE b info\nb_info{v=\"1\"} 1\n# HELP c C.\n# TYPE c gauge\nc 2\n# EOF\n";
        let expected = "# HELP a_calls_total Calls with \"x\" # y.\n# TYPE a_calls_total counter\na_calls_total{l=\"# TYPE \\n\"} 1\n\
             # HELP b_info B.\n# TYPE b_info gauge\nb_info{v=\"1\"} 1\n# HELP c C.\n# TYPE c gauge\nc 2\n";
        assert_eq!(to_prometheus(open_metrics), expected);
    }
}
