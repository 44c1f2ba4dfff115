//! HTML pages: sign-in, consent, errors.
