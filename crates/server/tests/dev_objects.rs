//! While these tests are written: a target of their own.

#[cfg(test)]
mod it {
    mod objects;
}
