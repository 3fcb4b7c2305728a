//! The public pages, API and commands of the module `films`.

mod api;
mod discover;
mod export;
mod import;
mod index;
mod pages;
mod parts;
