//! Features of core, which belong to no module.

mod api;
mod backup;
mod cache;
mod cards;
mod commands;
mod connections;
mod cors;
mod deploy;
mod discover;
mod editing;
mod escaping;
mod files;
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
