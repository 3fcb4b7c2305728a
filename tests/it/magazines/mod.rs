//! The module `magazines` as visitors and programs see it.

mod api;
mod pages;
