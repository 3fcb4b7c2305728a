//! The changes of the programme as an Atom feed.

use festival_core::atom::{self, Feed};
use festival_core::xml::escape;
use festival_core::{RequestContext, Result};
use jiff::Zoned;

use crate::api;
use crate::changes::LoggedChange;
use crate::document::{ChangeKind, Programme, Slot};
use crate::release;

/// Maximum number of entries in the feed. Feed readers keep older ones.
const MAX_ENTRIES: usize = 100;

/// `GET /programme/changes.xml`
pub(crate) async fn feed(request: RequestContext) -> Result<String> {
    let programme = api::load(&request).await?;
    let edition = request.edition_id().await?;
    let (_, mut changes) = release::changes_since(&mut *request.read().await?, edition, 1).await?;
    changes.truncate(MAX_ENTRIES);
    let product = &request.site.settings.product;
    let base = escape(&request.base_url);
    let feed = Feed {
        path: "/programme/changes.xml",
        page: "/programme",
        title: format!("{} programme: changes", product.name),
        subtitle: "",
        updated: programme.released_at.as_deref(),
    };
    let mut entries = String::new();
    for change in &changes {
        let entry = atom::id(&request, &format!("/programme?screening={}#{}", change.screening, change.version));
        entries.push_str(&format!(
            "<entry>\n<id>{}</id>\n<title>{}</title>\n\
             <link rel=\"alternate\" type=\"text/html\" href=\"{base}/programme?screening={id}\"/>\n\
             <updated>{}</updated>\n<summary>{}</summary>\n</entry>\n",
            escape(&entry),
            escape(&title(change)),
            escape(&change.at),
            escape(&sentence(&programme, change)),
            id = change.screening,
        ));
    }
    Ok(feed.document(&request, &entries))
}

fn title(change: &LoggedChange) -> String {
    let what = match change.kind {
        ChangeKind::New => "New",
        ChangeKind::Moved => "Moved",
        ChangeKind::Cancelled => "Cancelled",
        ChangeKind::Changed => "Changed",
    };
    format!("{what}: {}", change.title)
}

/// A change for people: "Moved from Hall 1, Friday 12 December, 18:30 to Hall 2, Saturday 13 December, 11:00."
pub(crate) fn sentence(programme: &Programme, change: &LoggedChange) -> String {
    let slot = |slot: &Option<Slot>| slot.as_ref().map_or(String::new(), |slot| slot_text(programme, slot));
    match change.kind {
        ChangeKind::New => format!("New: {}.", slot(&change.now)),
        ChangeKind::Moved => format!("Moved from {} to {}.", slot(&change.was), slot(&change.now)),
        ChangeKind::Cancelled => format!("Cancelled: {}.", slot(&change.was)),
        ChangeKind::Changed => format!("Title, films, guests or languages changed: {}.", slot(&change.now)),
    }
}

/// "Hall 1, Friday 12 December, 18:30"
fn slot_text(programme: &Programme, slot: &Slot) -> String {
    let hall = programme.halls.iter().find(|hall| hall.id == slot.hall).map_or("", |hall| &hall.name);
    let zone = &programme.time_zone;
    let time = slot.starts_at.parse::<Zoned>().or_else(|_| format!("{}[{zone}]", slot.starts_at).parse());
    let time = time.map_or_else(|_| slot.starts_at.clone(), |time| time.strftime("%A %-d %B, %H:%M").to_string());
    if hall.is_empty() { time } else { format!("{hall}, {time}") }
}
