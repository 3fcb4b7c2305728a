//! `GET /site/`: names, dates, menus and other facts that every page shows, with those that modules add.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::downloads::{self, PlacedDocument, SiteDocument};
use crate::site::Page;
use crate::site::RequestContext;
use crate::site::Site;
use crate::site::added_facts::names;
use festival_base::error::Result;
use festival_base::settings::{self, Link, Settings};
use festival_base::time_text;
use festival_records::edition::{self, Edition};

/// Days before its first one from which on an edition is near.
const NEAR_DAYS: i64 = 60;

/// The site's facts: what every page needs to know.
#[derive(Serialize, JsonSchema, TS)]
#[schemars(rename = "Site")]
#[ts(rename = "Site")]
pub(super) struct SiteFacts {
    /// What the festival is called.
    product: Product,
    /// The current edition; null before the first is seeded.
    edition: Option<SiteEdition>,
    /// Modules by name: on or off.
    modules: BTreeMap<String, bool>,
    /// Menus; entries of switched-off modules are left out.
    menu: SiteMenu,
    /// How to reach the organisers.
    contact: SiteContact,
    /// Links to the festival elsewhere.
    social: Vec<SiteLink>,
    /// What modules add.
    #[serde(flatten)]
    #[schemars(skip)]
    #[ts(skip)]
    added: Map<String, Value>,
    /// Documents by the path of the page that shows them.
    documents: BTreeMap<String, Vec<SiteDocument>>,
    /// The analytics page; null where nothing is set.
    analytics: SiteAnalytics,
    /// Address of the logo to download.
    logo: Option<String>,
    /// The file name for downloads of the logo: "festival-logo.png".
    logo_name: Option<String>,
}

/// What the festival is called.
#[derive(Serialize, JsonSchema, TS)]
struct Product {
    name: String,
    slug: String,
    full_name: String,
    native_name: String,
    city: String,
    region: String,
    country: String,
    tagline: String,
}

/// The current edition.
#[derive(Serialize, JsonSchema, TS)]
struct SiteEdition {
    year: i64,
    ordinal: i64,
    ordinal_text: String,
    name: String,
    starts_on: String,
    ends_on: String,
    dates_text: String,
    /// Whether it runs or begins within 60 days.
    is_near: bool,
    submission_deadline: Option<String>,
    submission_deadline_text: Option<String>,
    /// The deadline as the page of the submissions writes it: "September 1, 2025".
    submission_deadline_american_text: Option<String>,
    /// The end of the countdown in the visitor's local time, without offset. Null once it has passed everywhere.
    countdown_at: Option<String>,
    /// What the countdown is called: "Countdown to the festival". Null without a countdown.
    countdown_text: Option<String>,
    /// The countdown's end, for people: "3 September 2025, 10:00 PM". Null without a countdown.
    countdown_at_text: Option<String>,
}

/// The menus.
#[derive(Serialize, JsonSchema, TS)]
struct SiteMenu {
    header: Vec<SiteMenuItem>,
    actions: Vec<SiteLink>,
    footer: Vec<SiteLink>,
}

/// A link or a group of links.
#[derive(Serialize, JsonSchema, TS)]
struct SiteMenuItem {
    label: String,
    href: Option<String>,
    items: Vec<SiteLink>,
}

/// A link with its text.
#[derive(Clone, Serialize, JsonSchema, TS)]
struct SiteLink {
    label: String,
    href: String,
}

/// How to reach the organisers.
#[derive(Serialize, JsonSchema, TS)]
struct SiteContact {
    email: Option<String>,
    phone: Option<String>,
    /// The number to call, "tel:+914840000000".
    phone_href: Option<String>,
    address: Option<String>,
}

/// The analytics page.
#[derive(Serialize, JsonSchema, TS)]
struct SiteAnalytics {
    frame: Option<String>,
    link: Option<String>,
}

/// The names of the facts of core.
pub fn fact_names() -> Vec<String> {
    names(&schema_for!(SiteFacts).to_value())
}

/// `GET /site/`
pub(super) async fn find_site(request: RequestContext) -> Result<SiteFacts> {
    let mut connection = request.read().await?;
    let edition = request.site.edition(&mut connection).await?;
    let documents =
        downloads::list(&request, &mut connection, edition.as_ref().map_or(0, |edition| edition.id)).await?;
    let logo_key = edition.as_ref().and_then(|edition| edition.logo.clone());
    let logo_ending = logo_key.as_deref().and_then(|key| Some(key.rsplit_once('.')?.1.to_owned()));
    let logo = request.media_url(logo_key);
    drop(connection);
    let settings = &*request.site.in_force().await?;
    let product = &settings.product;
    let mut added = Map::new();
    for facts in &request.site.contents.facts {
        added.extend(facts.values(settings)?);
    }
    Ok(SiteFacts {
        product: Product {
            name: product.name.clone(),
            slug: product.slug.clone(),
            full_name: product.full_name.clone(),
            native_name: product.native_name.clone(),
            city: product.city.clone(),
            region: product.region.clone(),
            country: product.country.clone(),
            tagline: product.tagline.clone(),
        },
        edition: edition.map(|edition| site_edition(&request, edition)),
        logo,
        logo_name: logo_ending.map(|ending| format!("{}-logo.{ending}", product.slug)),
        modules: request.site.modules.iter().map(|(name, on)| ((*name).to_owned(), *on)).collect(),
        menu: menu(&request.site, settings, &documents, &empty_pages(&request).await?),
        contact: SiteContact {
            email: filled(&settings.contact.email),
            phone: filled(&settings.contact.phone),
            phone_href: call_link(&settings.contact.phone),
            address: filled(&settings.contact.address),
        },
        social: settings.social.iter().map(|link| site_link(settings, link)).collect(),
        added,
        documents: downloads::group_by_page(&documents),
        analytics: SiteAnalytics { frame: filled(&settings.analytics.frame), link: filled(&settings.analytics.link) },
    })
}

/// Returns an edition with its dates as texts.
fn site_edition(request: &RequestContext, edition: Edition) -> SiteEdition {
    let countdown_at = countdown(request, &edition);
    SiteEdition {
        is_near: is_near(request, &edition),
        countdown_text: countdown_at.as_ref().map(|_| edition.countdown_text().to_owned()),
        countdown_at_text: countdown_at.as_deref().and_then(time_text::long_local),
        countdown_at,
        dates_text: edition::dates_text(&edition.starts_on, &edition.ends_on),
        submission_deadline_text: edition.submission_deadline.as_deref().map(edition::day_text),
        submission_deadline_american_text: edition.submission_deadline.as_deref().map(edition::american_day_text),
        ordinal_text: edition::ordinal_text(edition.ordinal),
        year: edition.year,
        ordinal: edition.ordinal,
        name: edition.name,
        starts_on: edition.starts_on,
        ends_on: edition.ends_on,
        submission_deadline: edition.submission_deadline,
    }
}

/// Whether an edition runs or begins soon, by the date in the festival's time zone.
fn is_near(request: &RequestContext, edition: &Edition) -> bool {
    let now = request.site.clock.now().to_zoned(request.time_zone().clone());
    if let Ok(midnight) = now.tomorrow().and_then(|day| day.start_of_day()) {
        request.expire_at(midnight.timestamp());
    }
    let (Ok(first), Ok(last)) = (edition.starts_on.parse::<Date>(), edition.ends_on.parse::<Date>()) else {
        return false;
    };
    now.date() <= last && now.date().checked_add(NEAR_DAYS.days()).is_ok_and(|horizon| first <= horizon)
}

/// Returns the end of the countdown; none once it has passed in every time zone, and in the archive, where nothing is
/// upcoming.
fn countdown(request: &RequestContext, edition: &Edition) -> Option<String> {
    if request.site.archive.is_some() {
        return None;
    }
    let over_at = edition.countdown_ends_at()?;
    if over_at <= request.site.clock.now() {
        return None;
    }
    request.expire_at(over_at);
    edition.countdown_at.clone()
}

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the `tel:` link of a phone number: its digits, after a leading plus.
fn call_link(phone: &str) -> Option<String> {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let plus = if phone.trim_start().starts_with('+') { "+" } else { "" };
    (!digits.is_empty()).then(|| format!("tel:{plus}{digits}"))
}

/// Replaces the placeholders `{product}`, `{slug}` and `{city}` in a text of the settings.
pub fn fill_placeholders(settings: &Settings, text: &str) -> String {
    let product = &settings.product;
    text.replace("{product}", &product.name).replace("{slug}", &product.slug).replace("{city}", &product.city)
}

fn site_link(settings: &Settings, link: &Link) -> SiteLink {
    SiteLink { label: fill_placeholders(settings, &link.label), href: fill_placeholders(settings, &link.href) }
}

/// Returns the pages that menus leave out because they list no address yet.
async fn empty_pages(request: &RequestContext) -> Result<Vec<&Page>> {
    let mut empty = Vec::new();
    for page in request.site.contents.pages.iter().filter(|page| page.is_linked_once_listed) {
        if let Some(list) = &page.listed
            && list.call(request.clone()).await?.is_empty()
        {
            empty.push(&**page);
        }
    }
    Ok(empty)
}

/// Returns the menus, without links to documents that do not exist and to pages that do not exist or are `empty`, and
/// without groups that became empty.
fn menu(site: &Site, settings: &Settings, documents: &[PlacedDocument], empty: &[&Page]) -> SiteMenu {
    let site_link = |settings: &Settings, link: &Link| -> SiteLink {
        let link = site_link(settings, link);
        let Some(name) = link.href.strip_prefix(settings::DOCUMENT_LINK) else { return link };
        let target = documents.iter().find(|placed| placed.document.key == name);
        SiteLink { href: target.map_or(link.href.clone(), |placed| placed.document.href.clone()), ..link }
    };
    let exists = |link: &SiteLink| -> bool {
        if link.href.starts_with(settings::DOCUMENT_LINK) {
            return false;
        }
        let path = path_of(&link.href);
        let is_empty = |page: &Page| empty.iter().any(|empty| empty.path == page.path);
        !path.starts_with('/') || site.contents.page_at(path).is_some_and(|(page, _)| !is_empty(page))
    };
    let links = |links: &[Link]| -> Vec<SiteLink> {
        links.iter().map(|link| site_link(settings, link)).filter(&exists).collect()
    };
    let header = settings.menu.header.iter().filter_map(|item| {
        let label = fill_placeholders(settings, &item.label);
        match &item.href {
            Some(href) => {
                let link = site_link(settings, &Link { label, href: href.clone() });
                exists(&link).then(|| SiteMenuItem { label: link.label, href: Some(link.href), items: Vec::new() })
            }
            None => {
                let items = links(&item.items);
                (!items.is_empty()).then_some(SiteMenuItem { label, href: None, items })
            }
        }
    });
    // In the archive there is nothing left for visitors to do.
    let actions = if site.archive.is_some() { &[][..] } else { &settings.menu.actions };
    SiteMenu { header: header.collect(), actions: links(actions), footer: links(&settings.menu.footer) }
}

/// Returns those of `addresses`, written as in the settings, that menus leave out because no page or document is there.
///
/// # Errors
/// If the database cannot be read.
pub async fn left_out_of_menus(site: &Site, addresses: Vec<String>) -> Result<Vec<String>> {
    let documents = downloads::names(site).await?;
    let settings = &*site.in_force().await?;
    let is_left_out = |address: &String| {
        let address = fill_placeholders(settings, address);
        match address.strip_prefix(settings::DOCUMENT_LINK) {
            Some(name) => !documents.iter().any(|document| document == name),
            None => address.starts_with('/') && site.contents.page_at(path_of(&address)).is_none(),
        }
    };
    Ok(addresses.into_iter().filter(is_left_out).collect())
}

fn path_of(address: &str) -> &str {
    address.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::call_link;

    #[test]
    fn call_links_hold_digits_only() {
        assert_eq!(call_link(" +91 (484) 000-0000").as_deref(), Some("tel:+914840000000"));
        assert_eq!(call_link("0484 000 0000").as_deref(), Some("tel:04840000000"));
        assert_eq!(call_link("soon"), None);
    }
}
