//! What belongs to no module.

mod api;
mod backup;
mod cache;
mod cards;
mod commands;
mod cors;
mod discover;
mod editing;
mod files;
mod front;
mod headers;
mod health;
mod http;
mod https;
mod identity;
mod log;
mod mail;
mod migrate;
mod pages;
mod seed;
mod settings;
