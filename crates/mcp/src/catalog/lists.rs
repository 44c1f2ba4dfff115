//! List results, serialised once. Bare callers get only the keys of the product's specification.

use bytes::Bytes;

use crate::era::Era;

/// One list result per era; equal ones share their bytes.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    bare: Bytes,
    legacy: Bytes,
    modern: Bytes,
}

impl Lists {
    /// `{"<key>":[…]}` for each era; `item` writes one item.
    pub(super) fn new<T>(key: &str, items: &[T], item: impl Fn(&T, ListVariant, &mut Vec<u8>)) -> Self {
        let bare = list(key, items, |value, out| item(value, ListVariant::Bare, out));
        let legacy = shared(list(key, items, |value, out| item(value, ListVariant::Legacy, out)), &[&bare]);
        let modern = shared(list(key, items, |value, out| item(value, ListVariant::Modern, out)), &[&bare, &legacy]);
        Self { bare, legacy, modern }
    }

    /// The list for callers of an era.
    pub(crate) fn for_era(&self, era: Era) -> &Bytes {
        match era {
            Era::Bare => &self.bare,
            Era::Legacy(_) => &self.legacy,
            Era::Modern => &self.modern,
        }
    }
}

/// The era for which a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListVariant {
    Bare,
    Legacy,
    Modern,
}

fn list<T>(key: &str, items: &[T], item: impl Fn(&T, &mut Vec<u8>)) -> Bytes {
    let mut out = format!("{{\"{key}\":[").into_bytes();
    for (index, value) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        item(value, &mut out);
    }
    out.extend_from_slice(b"]}");
    out.shrink_to_fit();
    out.into()
}

fn shared(list: Bytes, known: &[&Bytes]) -> Bytes {
    let same = known.iter().find(|other| ***other == list).map(|other| Bytes::clone(other));
    same.unwrap_or(list)
}

/// Writes `,"<key>":"<text>"`.
pub(super) fn text_member(key: &str, text: &str, out: &mut Vec<u8>) {
    raw_member(key, "", out);
    toolgate_execution::content::write_json_string(text, out);
}

/// Writes `,"<key>":<json>`.
pub(super) fn raw_member(key: &str, json: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    out.extend_from_slice(json.as_bytes());
}
