//! Values of variables that all mails share.

use festival_core::edition::Edition;
use festival_core::mail::Values;
use festival_core::settings::Settings;

/// Returns the values about the festival for every mail.
pub(super) fn festival_values(settings: &Settings, edition: &Edition) -> Values {
    let contact = &settings.contact;
    Values::from([
        ("festival", edition.name.clone()),
        ("short_name", settings.product.name.clone()),
        ("year", edition.year.to_string()),
        ("signature", lines([settings.product.full_name.clone(), contact.email.clone(), contact.phone.clone()])),
    ])
}

/// Returns "label: value"; "" without a value.
pub(super) fn labelled(label: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!("{label}: {value}") }
}

/// Joins the texts that are not empty, a line each.
pub(super) fn lines(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}
