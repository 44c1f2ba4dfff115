//! A histogram of call durations with buckets of growing width: 16 per doubling, so that the relative error of a
//! percentile is at most 1/30 for any number of calls.

use std::{iter, mem};

/// Binary logarithm of the number of buckets per doubling.
const BUCKET_BITS: u32 = 4;
/// Durations below this many microseconds have one bucket each.
const EXACT_MAX: u64 = 2 << BUCKET_BITS;
/// The bucket for all durations above nine hours, which is far more than the longest timeout.
const LAST_BUCKET: u16 = 511;

/// Counts by bucket, sorted by bucket; empty buckets are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latencies(Vec<(u16, u64)>);

impl Latencies {
    /// Adds a call with a duration in microseconds.
    pub fn add(&mut self, us: u64) {
        let bucket = bucket(us);
        match self.0.binary_search_by_key(&bucket, |(bucket, _)| *bucket) {
            Ok(index) => self.0[index].1 += 1,
            Err(index) => self.0.insert(index, (bucket, 1)),
        }
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        let mut counts = mem::take(&mut self.0);
        counts.extend_from_slice(&other.0);
        *self = Self::from_counts(counts);
    }

    /// Subtracts the counts of a histogram that is part of this one.
    pub fn subtract(&mut self, part: &Self) {
        for (bucket, count) in &part.0 {
            if let Ok(index) = self.0.binary_search_by_key(bucket, |(bucket, _)| *bucket) {
                self.0[index].1 = self.0[index].1.saturating_sub(*count);
            }
        }
        self.0.retain(|(_, count)| *count > 0);
    }

    /// From counts in which a bucket may occur repeatedly.
    fn from_counts(mut counts: Vec<(u16, u64)>) -> Self {
        // The stable sort merges runs that are already in order; usually there are only one or two.
        counts.sort_by_key(|(bucket, _)| *bucket);
        counts.dedup_by(|(next, more), (bucket, count)| {
            let is_same = next == bucket;
            *count += if is_same { *more } else { 0 };
            is_same
        });
        Self(counts)
    }

    /// The duration, in microseconds, that this share of the calls (0 to 1) did not exceed; `None` without calls.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rank among counts: it lies between 1 and their sum"
    )]
    pub fn percentile(&self, share: f64) -> Option<u64> {
        let total: u64 = self.0.iter().map(|(_, count)| count).sum();
        let rank = ((total as f64 * share).ceil() as u64).clamp(1, total.max(1));
        let mut cumulative = 0;
        let entry = self.0.iter().find(|(_, count)| {
            cumulative += *count;
            cumulative >= rank
        });
        entry.map(|(bucket, _)| bucket_middle(*bucket))
    }

    /// The stored form: bucket and count alternately, each as a LEB128 variable-length integer.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * 4);
        for (bucket, count) in &self.0 {
            write_varint(u64::from(*bucket), &mut bytes);
            write_varint(*count, &mut bytes);
        }
        bytes
    }

    /// From the stored form; bytes from the first invalid number on are ignored.
    pub fn from_bytes(mut bytes: &[u8]) -> Self {
        let counts = iter::from_fn(|| read_varint(&mut bytes).zip(read_varint(&mut bytes)));
        Self::from_counts(
            counts
                .map(|(bucket, count)| (u16::try_from(bucket).unwrap_or(LAST_BUCKET).min(LAST_BUCKET), count))
                .collect(),
        )
    }
}

/// The bucket for a duration.
fn bucket(us: u64) -> u16 {
    let doublings = us.max(1).ilog2().saturating_sub(BUCKET_BITS);
    let number = u64::from(doublings) * (1 << BUCKET_BITS) + (us >> doublings);
    u16::try_from(number).unwrap_or(LAST_BUCKET).min(LAST_BUCKET)
}

/// The duration in the middle of a bucket.
fn bucket_middle(bucket: u16) -> u64 {
    let bucket = u64::from(bucket);
    if bucket < EXACT_MAX {
        return bucket;
    }
    let doublings = (bucket >> BUCKET_BITS) - 1;
    let first = bucket - (doublings << BUCKET_BITS);
    (first << doublings) + (1 << doublings) / 2
}

fn write_varint(mut number: u64, bytes: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or_default();
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f).checked_shl(shift)?;
        if first & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latencies(times: impl IntoIterator<Item = u64>) -> Latencies {
        let mut histogram = Latencies::default();
        times.into_iter().for_each(|us| histogram.add(us));
        histogram
    }

    #[test]
    fn every_duration_is_near_the_middle_of_its_bucket() {
        let mut last = 0;
        for us in (0..2000).chain((2000..400_000_000).step_by(9973)) {
            let (number, middle) = (bucket(us), bucket_middle(bucket(us)));
            assert!(number >= last, "the bucket of {us} is lower than that of a shorter duration");
            assert!(middle.abs_diff(us) * 30 <= us, "{us} is reported as {middle}");
            last = number;
        }
        assert!(last < LAST_BUCKET, "300 seconds are below the last bucket");
        assert_eq!(bucket(u64::MAX), LAST_BUCKET);
    }

    #[test]
    fn percentiles_are_accurate_to_one_thirtieth() {
        assert_eq!(Latencies::default().percentile(0.5), None);
        let hundred = latencies((1..=100).map(|n| n * 1000));
        for (share, expected) in [(0.0, 1000), (0.5, 50_000), (0.95, 95_000), (0.99, 99_000), (1.0, 100_000)] {
            let reported = hundred.percentile(share).unwrap();
            assert!(reported.abs_diff(expected) * 30 <= expected, "{share}: {reported}");
        }
        assert_eq!(latencies([7]).percentile(0.99), Some(7));
    }

    #[test]
    fn a_merged_histogram_equals_one_of_all_calls_and_survives_storage() {
        let (a, b) = (latencies((0..500).map(|n| n * 37)), latencies((0..70_000).map(|n| n * n)));
        let mut merged = a.clone();
        merged.merge(&b);
        assert_eq!(merged, latencies((0..500).map(|n| n * 37).chain((0..70_000).map(|n| n * n))));
        assert_eq!(Latencies::from_bytes(&merged.to_bytes()), merged);
        let mut rest = merged.clone();
        rest.subtract(&b);
        assert_eq!(rest, a);
        assert_eq!(Latencies::from_bytes(&[]), Latencies::default());
        assert_eq!(Latencies::from_bytes(&[0xff; 40]), Latencies::default());
    }

    #[test]
    fn an_invalid_bucket_reads_as_the_last_one() {
        for number in [u64::from(LAST_BUCKET) + 1, u64::from(u16::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write_varint(number, &mut bytes);
            write_varint(1, &mut bytes);
            let read = Latencies::from_bytes(&bytes);
            assert_eq!(read, latencies([u64::MAX]), "{number}");
            assert_eq!(read.percentile(0.5), Some(bucket_middle(LAST_BUCKET)));
        }
    }
}
