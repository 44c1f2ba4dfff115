//! List results, serialised once. Bare callers get only the keys that the product's specification names.

use bytes::Bytes;

use crate::era::{Era, Revision};

/// The result of a list method for callers of each [`Era`], the protocol generation that they speak. Equal results
/// share their bytes.
#[derive(Clone, Debug)]
pub(crate) struct ListsByEra {
    bare: Bytes,
    legacy: Bytes,
    modern: Bytes,
}

impl ListsByEra {
    /// `{"<key>":[…]}` for each era; `write_item` writes one item.
    pub(super) fn new<T>(key: &str, items: &[T], write_item: impl Fn(&T, Era, &mut Vec<u8>)) -> Self {
        let write = |era| {
            let mut out = b"{".to_vec();
            write_array(key, items, |item, out| write_item(item, era, out), &mut out);
            out.push(b'}');
            out.shrink_to_fit();
            Bytes::from(out)
        };
        let bare = write(Era::Bare);
        let legacy = share_equal(write(Era::Legacy(Revision::NEWEST_LEGACY)), &[&bare]);
        let modern = share_equal(write(Era::Modern), &[&bare, &legacy]);
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

/// Writes `"<key>":[…]`; `write_item` writes one item.
pub(super) fn write_array<T>(key: &str, items: &[T], write_item: impl Fn(&T, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\"{key}\":[").as_bytes());
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_item(item, out);
    }
    out.push(b']');
}

/// The list in `written` that equals `list`, so that both share their bytes; else `list` itself.
fn share_equal(list: Bytes, written: &[&Bytes]) -> Bytes {
    let same = written.iter().find(|other| ***other == list).map(|other| Bytes::clone(other));
    same.unwrap_or(list)
}

/// Writes `,"<key>":"<text>"`.
pub(super) fn write_text_member(key: &str, text: &str, out: &mut Vec<u8>) {
    write_raw_member(key, "", out);
    toolgate_execution::content::write_json_string(text, out);
}

/// Writes `,"<key>":<json>`.
pub(super) fn write_raw_member(key: &str, json: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    out.extend_from_slice(json.as_bytes());
}
