//! How long calls took, as counts in buckets whose width grows with the time: sixteen to each doubling, so that a
//! percentile is right within a thirtieth however many calls there were.

use std::{iter, mem};

/// Buckets to each doubling, as a power of two.
const BITS: u32 = 4;
/// Times below this many microseconds have a bucket each.
const EXACT: u64 = 2 << BITS;
/// The bucket of everything that takes longer than any call may.
const LAST: u16 = 511;

/// Counts by bucket, in the order of buckets; empty ones are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latencies(Vec<(u16, u64)>);

impl Latencies {
    /// Counts a call that took so many microseconds.
    pub fn add(&mut self, us: u64) {
        let bucket = bucket(us);
        match self.0.binary_search_by_key(&bucket, |(bucket, _)| *bucket) {
            Ok(place) => self.0[place].1 += 1,
            Err(place) => self.0.insert(place, (bucket, 1)),
        }
    }

    /// Counts what others counted.
    pub fn merge(&mut self, other: &Self) {
        let mut counts = mem::take(&mut self.0);
        counts.extend_from_slice(&other.0);
        *self = Self::of(counts);
    }

    /// Counts of which some may be of the same bucket. The sort takes runs that are in order as they are, and mostly
    /// there are one or two of them.
    fn of(mut counts: Vec<(u16, u64)>) -> Self {
        counts.sort_by_key(|(bucket, _)| *bucket);
        counts.dedup_by(|(next, more), (bucket, count)| {
            let is_same = next == bucket;
            *count += if is_same { *more } else { 0 };
            is_same
        });
        Self(counts)
    }

    /// The time, in microseconds, that this share of the calls (0 to 1) took at most; none without calls.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rank among counts: it lies between 1 and their sum"
    )]
    pub fn percentile(&self, share: f64) -> Option<u64> {
        let all: u64 = self.0.iter().map(|(_, count)| count).sum();
        let rank = ((all as f64 * share).ceil() as u64).clamp(1, all.max(1));
        let mut below = 0;
        let found = self.0.iter().find(|(_, count)| {
            below += *count;
            below >= rank
        });
        found.map(|(bucket, _)| middle(*bucket))
    }

    /// As bytes, to store: bucket and count in turn, each in groups of seven bits, the lowest first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * 4);
        for (bucket, count) in &self.0 {
            write(u64::from(*bucket), &mut bytes);
            write(*count, &mut bytes);
        }
        bytes
    }

    /// From stored bytes; what is no such thing counts nothing.
    pub fn from_bytes(mut bytes: &[u8]) -> Self {
        let counts = iter::from_fn(|| read(&mut bytes).zip(read(&mut bytes)));
        Self::of(counts.map(|(bucket, count)| (u16::try_from(bucket).unwrap_or(LAST).min(LAST), count)).collect())
    }
}

/// The bucket of a time.
fn bucket(us: u64) -> u16 {
    let doublings = us.max(1).ilog2().saturating_sub(BITS);
    let number = u64::from(doublings) * (1 << BITS) + (us >> doublings);
    u16::try_from(number).unwrap_or(LAST).min(LAST)
}

/// A time in the middle of a bucket.
fn middle(bucket: u16) -> u64 {
    let bucket = u64::from(bucket);
    if bucket < EXACT {
        return bucket;
    }
    let doublings = (bucket >> BITS) - 1;
    let first = bucket - (doublings << BITS);
    (first << doublings) + (1 << doublings) / 2
}

fn write(mut number: u64, bytes: &mut Vec<u8>) {
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

fn read(bytes: &mut &[u8]) -> Option<u64> {
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

    fn of(times: impl IntoIterator<Item = u64>) -> Latencies {
        let mut latencies = Latencies::default();
        times.into_iter().for_each(|us| latencies.add(us));
        latencies
    }

    #[test]
    fn every_time_is_near_the_middle_of_its_bucket() {
        let mut last = 0;
        for us in (0..2000).chain((2000..400_000_000).step_by(9973)) {
            let (number, middle) = (bucket(us), middle(bucket(us)));
            assert!(number >= last, "buckets rise with time");
            assert!(middle.abs_diff(us) * 30 <= us, "{us} is told as {middle}");
            last = number;
        }
        assert!(last < LAST, "300 seconds have a bucket of their own");
        assert_eq!(bucket(u64::MAX), LAST);
    }

    #[test]
    fn percentiles_count_calls() {
        assert_eq!(Latencies::default().percentile(0.5), None);
        let hundred = of((1..=100).map(|n| n * 1000));
        for (share, expected) in [(0.0, 1000), (0.5, 50_000), (0.95, 95_000), (0.99, 99_000), (1.0, 100_000)] {
            let told = hundred.percentile(share).unwrap();
            assert!(told.abs_diff(expected) * 30 <= expected, "{share}: {told}");
        }
        assert_eq!(of([7]).percentile(0.99), Some(7));
    }

    #[test]
    fn merging_is_counting_together_and_bytes_keep_it() {
        let (a, b) = (of((0..500).map(|n| n * 37)), of((0..70_000).map(|n| n * n)));
        let mut merged = a.clone();
        merged.merge(&b);
        assert_eq!(merged, of((0..500).map(|n| n * 37).chain((0..70_000).map(|n| n * n))));
        assert_eq!(Latencies::from_bytes(&merged.to_bytes()), merged);
        assert_eq!(Latencies::from_bytes(&[]), Latencies::default());
        assert_eq!(Latencies::from_bytes(&[0xff; 40]), Latencies::default());
    }

    #[test]
    fn a_bucket_that_does_not_exist_is_the_last_one() {
        for number in [u64::from(LAST) + 1, u64::from(u16::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write(number, &mut bytes);
            write(1, &mut bytes);
            let read = Latencies::from_bytes(&bytes);
            assert_eq!(read, of([u64::MAX]), "{number}");
            assert_eq!(read.percentile(0.5), Some(middle(LAST)));
        }
    }
}
