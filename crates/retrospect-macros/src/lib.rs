//! The macros of retrospect.
