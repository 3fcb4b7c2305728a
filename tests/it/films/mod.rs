//! The module `films` as visitors and programs see it.

mod api;
mod discover;
mod export;
mod import;
mod index;
mod pages;
mod parts;
