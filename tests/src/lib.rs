//! Holds the tests only.
