//! The fields of an entry that become fields of its film, all of them public once the film is published, and the setting by
//! which organisers take some out.

use festival_core::Result;
use festival_core::admin::role::CONTENT;
use festival_core::browser_settings::{Group, Item, ItemKind};
use festival_core::entity::{Field, Kind};
use festival_core::settings::Section;
use festival_core::site::Site;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const SUBTITLES: &str = "subtitles";
pub(crate) const POSTER: &str = "film_poster";
pub(crate) const PORTRAIT: &str = "director_photo";

/// What is always taken over: a film needs a title.
const TITLE: (&str, &str) = ("title_english", "name");

/// The fields to choose from: the field of the entry, that of the film, and a label. Nothing else of an entry reaches the
/// film.
const FIELDS: [(&str, &str, &str); 12] = [
    ("title_original", "original_title", "Original title"),
    ("director_name", "director_name", "Director"),
    ("producer_name", "producer_name", "Producer"),
    ("cast_and_crew", "crew_details", "Cast and crew"),
    ("synopsis_long", "synopsis", "Long synopsis"),
    ("country_of_origin", "country", "Country"),
    ("film_language", "language", "Language"),
    (SUBTITLES, "subtitle_language", "Subtitles"),
    ("duration_minutes", "duration_minutes", "Running time"),
    ("year_of_production", "year", "Year"),
    (POSTER, "poster", "Poster"),
    (PORTRAIT, "Pictures, with an alternative text", "Photo of the director"),
];

/// The same as choices of a form.
const CHOICES: &[(&str, &str)] = &{
    let mut choices = [("", ""); FIELDS.len()];
    let mut index = 0;
    while index < FIELDS.len() {
        choices[index] = (FIELDS[index].0, FIELDS[index].2);
        index += 1;
    }
    choices
};

/// The settings of the module.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SelectionSettings {
    /// What the draft of a film takes over from its entry, beside title and reference number. Nothing else can be added.
    film_fields: Vec<String>,
}

impl Default for SelectionSettings {
    fn default() -> Self {
        Self { film_fields: FIELDS.iter().map(|(from, ..)| (*from).to_owned()).collect() }
    }
}

impl Section for SelectionSettings {
    fn problems(&self) -> Vec<String> {
        let unknown = self.film_fields.iter().filter(|name| !FIELDS.iter().any(|(from, ..)| from == name));
        unknown.map(|name| format!("film_fields: \"{name}\" is no field that films take over")).collect()
    }
}

/// The form in which organisers choose.
pub(crate) const GROUP: Group = Group {
    key: "film-drafts",
    label: "Films of selected entries",
    lead: "What the film of a selected entry takes over from it. All of it is public once the film is published. Films that were made already stay as they are.",
    resource: &CONTENT,
    confirmation: None,
    items: &[Item {
        field: Field::new("modules.selection.film_fields", "Taken over", Kind::Choice(CHOICES)).hint(
            "Title and reference number always are. Contact details, payments, proofs and the screener never are.",
        ),
        kind: ItemKind::Lines,
    }],
};

/// Returns what is taken over at present: the field of the entry and that of the film.
pub(crate) async fn taken(site: &Site) -> Result<Vec<(&'static str, &'static str)>> {
    let settings: SelectionSettings = site.in_force().await?.section("selection");
    let is_chosen = |from: &str| settings.film_fields.iter().any(|name| name == from);
    let chosen = FIELDS.iter().filter(|(from, ..)| is_chosen(from)).map(|(from, to, _)| (*from, *to));
    Ok([TITLE].into_iter().chain(chosen).collect())
}
