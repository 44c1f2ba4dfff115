//! Writes metric families through the encoder of `prometheus-client`.

use std::fmt;

use prometheus_client::encoding::{
    DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, EncodeMetric as _, MetricEncoder, NoLabelSet,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::info::Info;
use toolgate_domain::counters::{BUCKET_BOUNDS_US, HistogramSnapshot};

/// The labels of a sample.
type Labels<'a, const N: usize> = [(&'a str, &'a str); N];

/// Microseconds of a second.
const MICROS_PER_SECOND: f64 = 1_000_000.0;

/// A duration in microseconds, as seconds.
#[expect(clippy::cast_precision_loss, reason = "a sum of microseconds is exact up to 285 years")]
pub(super) fn seconds_from_us(duration_us: u64) -> f64 {
    duration_us as f64 / MICROS_PER_SECOND
}

pub(super) struct FamilyWriter<'a>(DescriptorEncoder<'a>);

impl<'a> FamilyWriter<'a> {
    pub(super) fn new(encoder: DescriptorEncoder<'a>) -> Self {
        Self(encoder)
    }

    /// A counter without labels; its name gets the suffix `_total`.
    pub(super) fn counter(&mut self, name: &str, help: &str, value: impl EncodeCounterValue + Copy) -> fmt::Result {
        write_counter(&mut self.0.encode_descriptor(name, help, None, MetricType::Counter)?, &value)
    }

    /// A counter for each set of labels.
    pub(super) fn counters<'l, V: EncodeCounterValue, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'l, N>, V)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        samples.into_iter().try_for_each(|(labels, value)| write_counter(&mut family.encode_family(&labels)?, &value))
    }

    /// A gauge without labels.
    pub(super) fn gauge(&mut self, name: &str, help: &str, value: impl EncodeGaugeValue + Copy) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)
    }

    /// A gauge that is 1 or 0.
    pub(super) fn flag(&mut self, name: &str, help: &str, value: bool) -> fmt::Result {
        self.gauge(name, help, u64::from(value))
    }

    /// A gauge for each set of labels.
    pub(super) fn gauges<'l, V: EncodeGaugeValue, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'l, N>, V)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        samples.into_iter().try_for_each(|(labels, value)| family.encode_family(&labels)?.encode_gauge(&value))
    }

    /// A histogram of durations without labels.
    pub(super) fn histogram(&mut self, name: &str, help: &str, snapshot: &HistogramSnapshot) -> fmt::Result {
        write_histogram(&mut self.0.encode_descriptor(name, help, None, MetricType::Histogram)?, snapshot)
    }

    /// A histogram of durations for each set of labels.
    pub(super) fn histograms<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'l, N>, HistogramSnapshot)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        samples
            .into_iter()
            .try_for_each(|(labels, snapshot)| write_histogram(&mut family.encode_family(&labels)?, &snapshot))
    }

    /// A metric that is always 1, for its labels; its name gets the suffix `_info`.
    pub(super) fn info<const N: usize>(&mut self, name: &str, help: &str, labels: Labels<'_, N>) -> fmt::Result {
        let labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned()));
        Info::new(labels).encode(self.0.encode_descriptor(name, help, None, MetricType::Info)?)
    }
}

fn write_counter(encoder: &mut MetricEncoder<'_>, value: &impl EncodeCounterValue) -> fmt::Result {
    encoder.encode_counter::<NoLabelSet, _, u64>(value, None)
}

fn write_histogram(encoder: &mut MetricEncoder<'_>, snapshot: &HistogramSnapshot) -> fmt::Result {
    let bounds = BUCKET_BOUNDS_US.iter().map(|bound| seconds_from_us(*bound)).chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(snapshot.buckets).collect();
    let count = snapshot.buckets.iter().sum();
    encoder.encode_histogram::<NoLabelSet>(seconds_from_us(snapshot.sum_us), count, &buckets, None)
}
