//! Metadata documents of clients: fetched after sign-in, checked and kept.
