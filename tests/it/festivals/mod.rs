//! The public pages and API of the module `festivals`.

mod api;
mod calendar;
mod pages;
