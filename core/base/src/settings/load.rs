//! Reading the settings: embedded defaults < config/festival.toml < what a seed brought < config/local.toml < FESTIVAL_*.
//! What is changed in the browser lies over all of them: see [`super::InForce`].

use std::path::{Path, PathBuf};

use figment::providers::{Env, Format as _, Toml};
use figment::{Figment, error::Kind};

use super::Settings;
use super::seeded::SEEDED;

/// A setting that cannot be used, in words that name the file, the key and what was expected.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

/// Reads the settings for a program that runs in `directory`; `defaults` is the embedded `config/festival.toml`.
pub fn load(directory: &Path, defaults: &str) -> Result<Settings, SettingsError> {
    extract(&figment(directory, defaults))
}

/// Every place that settings come from, the later over the earlier.
pub(super) fn figment(directory: &Path, defaults: &str) -> Figment {
    let with_file = |figment: Figment, path: PathBuf| {
        if path.exists() { figment.merge(Toml::file_exact(path)) } else { figment }
    };
    let base = with_file(Figment::from(Toml::string(defaults)), directory.join("config/festival.toml"));
    let own = |figment: Figment| {
        let figment = with_file(figment, directory.join("config/local.toml"));
        // FESTIVAL_TEST_* belong to the tests.
        figment.merge(Env::prefixed("FESTIVAL_").split("__").filter(|key| !key.starts_with("test_")))
    };
    let data_dir: Option<PathBuf> = own(base.clone()).extract_inner("data_dir").ok();
    match data_dir {
        Some(data_dir) => own(with_file(base, directory.join(data_dir).join(SEEDED))),
        None => own(base),
    }
}

/// The settings where only `over` is set, a text like `config/local.toml`, whatever the environment says.
pub fn defaults_with(defaults: &str, over: &str) -> Result<Settings, SettingsError> {
    extract(&Figment::from(Toml::string(defaults)).merge(Toml::string(over)))
}

/// The settings where nothing is set: `defaults` alone, whatever the environment says.
pub fn defaults_only(defaults: &str) -> Result<Settings, SettingsError> {
    extract(&Figment::from(Toml::string(defaults)))
}

fn extract(figment: &Figment) -> Result<Settings, SettingsError> {
    let settings: Settings = figment.extract().map_err(|error| describe(&error))?;
    check(&settings)?;
    Ok(settings)
}

/// Puts every complaint of figment on a line: where it stands, which key, what is wrong, what was expected.
fn describe(error: &figment::Error) -> SettingsError {
    let lines: Vec<String> = error
        .clone()
        .into_iter()
        .map(|error| {
            let place = match error.metadata.as_ref() {
                Some(metadata) => match metadata.source.as_ref() {
                    Some(source) => format!("{source}"),
                    None if metadata.name.contains("environment") => "environment (FESTIVAL_...)".to_owned(),
                    None => "built-in settings".to_owned(),
                },
                None => "settings".to_owned(),
            };
            let mut key = error.path.clone();
            if let Kind::UnknownField(name, _) = &error.kind
                && key.last() != Some(name)
            {
                key.push(name.clone());
            }
            let what = match &error.kind {
                Kind::UnknownField(name, known) => match did_you_mean(name, known.iter().copied()) {
                    Some(near) => format!("unknown setting; did you mean \"{near}\"?"),
                    None => format!("unknown setting; known here: {}", known.join(", ")),
                },
                // Figures alone are a number in the environment, and would lose the zeros that an account begins with.
                Kind::InvalidType(found, expected) if expected == "a string" && place.starts_with("environment") => {
                    format!("expected {expected}, found {found}; put it into double quotes inside the value: '\"...\"'")
                }
                Kind::InvalidType(found, expected) => format!("expected {expected}, found {found}"),
                Kind::MissingField(name) => format!("\"{name}\" is missing"),
                other => other.to_string(),
            };
            format!("{place}: {}: {what}", key.join("."))
        })
        .collect();
    SettingsError(lines.join("\n"))
}

/// The known word that is nearest to a mistyped one, if one is near.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// What types cannot say.
fn check(settings: &Settings) -> Result<(), SettingsError> {
    let wrong = problems(settings);
    if wrong.is_empty() { Ok(()) } else { Err(SettingsError(wrong.join("\n"))) }
}

/// Everything that is wrong with these settings, beyond what types can say: "key: what is wrong".
pub fn problems(settings: &Settings) -> Vec<String> {
    let mut wrong = Vec::new();
    let slug = &settings.product.slug;
    if slug.is_empty() || !slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        wrong.push(format!("product.slug: \"{slug}\" may hold small letters, digits and hyphens only"));
    }
    if !settings.api.mount.starts_with('/') {
        wrong.push(format!("api.mount: \"{}\" must begin with /", settings.api.mount));
    }
    if settings.api_prefix().is_empty() && settings.frontend.enabled {
        wrong.push("api.mount: \"/\" needs frontend.enabled = false, pages and API cannot share one path".to_owned());
    }
    let url = &settings.public_url;
    if !(url.is_empty() || url.starts_with("https://") || url.starts_with("http://")) {
        wrong.push(format!("public_url: \"{url}\" must begin with https:// or http://"));
    }
    let contact = &settings.security_contact;
    if !(contact.is_empty() || contact.starts_with("mailto:") || contact.starts_with("https://"))
        || contact.contains(char::is_whitespace)
    {
        wrong.push(format!("security_contact: \"{contact}\" must begin with mailto: or https://"));
    }
    let colour = &settings.frontend.theme_color;
    if colour.len() != 7 || !colour.starts_with('#') || !colour[1..].bytes().all(|c| c.is_ascii_hexdigit()) {
        wrong.push(format!("frontend.theme_color: \"{colour}\" is no colour; write one like #0b0a0c"));
    }
    if jiff::tz::TimeZone::get(&settings.time_zone).is_err() {
        wrong.push(format!("time_zone: \"{}\" is no time zone; write one like Asia/Kolkata", settings.time_zone));
    }
    for proxy in settings.trusted_proxies.iter().filter(|proxy| crate::network::parse_network(proxy).is_none()) {
        wrong.push(format!("trusted_proxies: \"{proxy}\" is no network; write one like 10.0.0.0/8"));
    }
    for host in settings.frontend.frame_hosts.iter().filter(|host| !is_frame_host(host)) {
        wrong.push(format!("frontend.frame_hosts: \"{host}\" is no host; write one like https://dashboard.example"));
    }
    super::admin::check(settings, &mut wrong);
    super::mail::check(settings, &mut wrong);
    super::metrics::check(settings, &mut wrong);
    super::scanner::check(settings, &mut wrong);
    super::money::check(settings, &mut wrong);
    super::links::check(settings, &mut wrong);
    super::requests::check(settings, &mut wrong);
    wrong
}

/// Whether `host` may stand in the content security policy: https:// and a name, nothing that ends its rule.
fn is_frame_host(host: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    host.strip_prefix("https://").is_some_and(|name| !name.is_empty() && name.chars().all(plain))
}
