//! The module `content` as visitors and programs see it.

mod api;
mod feed;
mod pages;
