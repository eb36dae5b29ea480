//! Property-based testing in which every generator can be read backwards.
