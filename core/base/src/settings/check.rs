//! Validation of what the types of the settings do not rule out.

use super::{SectionInfo, Settings};
use crate::network::parse_network;

/// Validates the settings and returns all problems that the types do not rule out: "key: what is wrong".
pub fn problems(settings: &Settings) -> Vec<String> {
    let mut problems = Vec::new();
    let slug = &settings.product.slug;
    if slug.is_empty() || !slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        problems.push(format!("product.slug: \"{slug}\" may hold small letters, digits and hyphens only"));
    }
    if !settings.api.mount.starts_with('/') {
        problems.push(format!("api.mount: \"{}\" must begin with /", settings.api.mount));
    }
    if settings.api_prefix().is_empty() && settings.frontend.enabled {
        problems
            .push("api.mount: \"/\" needs frontend.enabled = false, pages and API cannot share one path".to_owned());
    }
    let url = &settings.public_url;
    if !(url.is_empty() || url.starts_with("https://") || url.starts_with("http://")) {
        problems.push(format!("public_url: \"{url}\" must begin with https:// or http://"));
    }
    let contact = &settings.security_contact;
    if !(contact.is_empty() || contact.starts_with("mailto:") || contact.starts_with("https://"))
        || contact.contains(char::is_whitespace)
    {
        problems.push(format!("security_contact: \"{contact}\" must begin with mailto: or https://"));
    }
    let colour = &settings.frontend.theme_color;
    if colour.len() != 7 || !colour.starts_with('#') || !colour[1..].bytes().all(|c| c.is_ascii_hexdigit()) {
        problems.push(format!("frontend.theme_color: \"{colour}\" is not a colour; write one like #0b0a0c"));
    }
    if jiff::tz::TimeZone::get(&settings.time_zone).is_err() {
        problems.push(format!("time_zone: \"{}\" is not a time zone; write one like Asia/Kolkata", settings.time_zone));
    }
    for proxy in settings.trusted_proxies.iter().filter(|proxy| parse_network(proxy).is_none()) {
        problems.push(format!("trusted_proxies: \"{proxy}\" is not a network; write one like 10.0.0.0/8"));
    }
    for host in settings.frontend.frame_hosts.iter().filter(|host| !is_frame_host(host)) {
        problems
            .push(format!("frontend.frame_hosts: \"{host}\" is not a host; write one like https://dashboard.example"));
    }
    super::admin::check(&settings.admin, &mut problems);
    super::mail::check(&settings.mail, &settings.contact.email, &mut problems);
    super::metrics::check(&settings.metrics_address, &settings.metrics_token, &mut problems);
    super::limits::check_scanner(&settings.uploads.scanner, &mut problems);
    super::s3::check(&settings.s3, &mut problems);
    super::menu::check(&settings.menu, &settings.social, &mut problems);
    super::limits::check_requests(&settings.requests, &mut problems);
    problems
}

/// Whether `host` may be used in the content security policy: https:// and a name, nothing that ends the directive.
fn is_frame_host(host: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    host.strip_prefix("https://").is_some_and(|name| !name.is_empty() && name.chars().all(plain))
}

/// Validates the values of `settings` in `sections` and returns all problems: "path.key: what is wrong".
pub(super) fn section_problems<'a>(
    settings: &Settings,
    sections: impl IntoIterator<Item = &'a SectionInfo>,
) -> Vec<String> {
    let problems = |section: &SectionInfo| {
        let problems = settings.own_values(&section.path).and_then(|own| (section.values)(own).err());
        problems.into_iter().flatten().map(|problem| format!("{}.{problem}", section.path)).collect::<Vec<_>>()
    };
    sections.into_iter().flat_map(problems).collect()
}
