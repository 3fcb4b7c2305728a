//! The module `festivals` as visitors and programs see it.

mod api;
mod calendar;
mod pages;
