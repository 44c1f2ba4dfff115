//! The samples of a scrape.

use std::collections::BTreeMap;

/// The values of all samples by name and labels, as they are written: `name{label="value"}`.
pub(super) struct Samples(BTreeMap<String, String>);

impl Samples {
    /// Parses the text format of Prometheus. Fails for a sample that appears twice.
    pub(super) fn parse(text: &str) -> Self {
        let mut samples = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (series, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("not a sample: {line:?}"));
            assert!(value.parse::<f64>().is_ok(), "not a value: {line:?}");
            assert_eq!(samples.insert(series.to_owned(), value.to_owned()), None, "{series} appears twice");
        }
        Self(samples)
    }

    /// The value of a series.
    #[track_caller]
    pub(super) fn get(&self, series: &str) -> f64 {
        self.text(series).parse().unwrap()
    }

    /// The value of a series that is a whole number.
    #[track_caller]
    pub(super) fn count(&self, series: &str) -> u64 {
        let text = self.text(series);
        text.parse().unwrap_or_else(|_| panic!("{series} is {text}"))
    }

    #[track_caller]
    fn text(&self, series: &str) -> &str {
        self.0.get(series).unwrap_or_else(|| panic!("{series} is missing in {:#?}", self.0))
    }

    pub(super) fn contains(&self, series: &str) -> bool {
        self.0.contains_key(series)
    }

    /// The names and labels of all series.
    pub(super) fn series(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// How much a series has grown since an earlier scrape.
    #[track_caller]
    pub(super) fn growth(&self, earlier: &Self, series: &str) -> u64 {
        self.count(series) - earlier.count(series)
    }
}
