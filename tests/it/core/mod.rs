//! What belongs to no module.

mod api;
mod backup;
mod cache;
mod cards;
mod commands;
mod cors;
mod deploy;
mod discover;
mod editing;
mod escaping;
mod files;
mod front;
mod handlers;
mod headers;
mod health;
mod http;
mod https;
mod identity;
mod importing;
mod log;
mod mail;
mod metrics;
mod migrate;
mod pages;
mod seed;
mod settings;
