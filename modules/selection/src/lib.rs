//! Selection: from submitted films to a programme. Reviewers score the entries that were assigned to them, the chair
//! decides, and a release tells every film-maker.

mod assign;
mod assigning;
mod book;
mod chair_entry;
mod decision;
mod demonstrate;
mod entities;
mod film_draft;
mod letters;
mod list;
mod names;
mod outline;
mod pile;
mod pile_entry;
mod prepare;
mod privacy;
mod progress;
mod public_fields;
mod release;
mod reminders;
mod review;
mod role;
mod round;
mod score;
mod status;

use std::time::Duration;

use festival_core::admin::Permission::To;
use festival_core::admin::collections;
use festival_core::admin::search::{SearchContext, SearchGroup};
use festival_core::admin::{Action, Screen};
use festival_core::{Module, Registry, Result, edition, migration, templates};

pub use entities::{ASSIGNMENT, CRITERION, JUROR, ROUND};
pub use reminders::send_reminders;
pub use role::{CHAIR, JUROR_ROLE};

use crate::list::EntryList;
use crate::role::{ASSIGNMENTS, PILE, SELECTION, WHOLE_SELECTION};

/// Heading of the screens in the menu.
const GROUP: &str = "selection";

/// The module.
pub struct SelectionModule;

impl Module for SelectionModule {
    fn name(&self) -> &'static str {
        "selection"
    }

    fn register(&self, registry: &mut Registry) {
        registry
            .migrations([
                migration!("selection", "0801", "selection").works_with((0, 1, 0)),
                migration!("selection", "0802", "status").works_with((0, 1, 0)),
                migration!("selection", "0803", "progress").works_with((0, 1, 0)),
                migration!("selection", "0804", "reminders").works_with((0, 1, 0)),
            ])
            .role(&role::CHAIR)
            .role(&role::JUROR_ROLE)
            .menu(GROUP, 1)
            .templates(templates![
                "entry-facts",
                "pile",
                "pile-entry",
                "pile-item",
                "selection-book",
                "selection-entry",
                "selection-progress",
                "selection-release",
                "selection-review",
            ]);
        screens(registry);
        letters::register(registry);
        registry
            .search(To(&SELECTION, Action::View), search)
            .command(demonstrate::Demonstrate)
            .every(Duration::from_secs(10 * 60), "reminders of selected films", |app| async move {
                send_reminders(&app).await.map(drop)
            })
            .personal_data(privacy::TextsAboutSubmissions)
            .pending_task(To(&PILE, Action::Review), pile::pending)
            .pending_task(To(&WHOLE_SELECTION, Action::View), progress::pending)
            .entity(&ROUND)
            .entity(&CRITERION)
            .entity(&JUROR)
            .entity_of(&ASSIGNMENTS, &ASSIGNMENT);
        status::register(registry);
        film_draft::register(registry);
    }
}

fn screens(registry: &mut Registry) {
    let (view, edit) = (To(&SELECTION, Action::View), To(&SELECTION, Action::Edit));
    let (view_all, edit_all) = (To(&WHOLE_SELECTION, Action::View), To(&WHOLE_SELECTION, Action::Edit));
    let (read, review) = (To(&PILE, Action::View), To(&PILE, Action::Review));
    registry
        .screen(Screen::get(pile::PILE, read, pile::show).in_menu(GROUP, "My entries"))
        .screen(Screen::get("/admin/pile/{id}", read, pile_entry::show))
        .screen(Screen::post("/admin/pile/{id}", review, pile_entry::save))
        .screen(Screen::post("/admin/pile/{id}/open", review, pile_entry::open))
        .screen(Screen::post("/admin/pile/{id}/conflict", review, pile_entry::declare_conflict))
        .screen(Screen::get("/admin/pile/{id}/files/{field}", read, pile_entry::send_file).hidden())
        .screen(Screen::get(list::HOME, view, list::show).in_menu(GROUP, "Entries"))
        .screen(Screen::post("/admin/selection/file", To(&SELECTION, Action::Export), list::download))
        .screen(Screen::post("/admin/selection/selected", edit, prepare::submit))
        .screen(Screen::get("/admin/selection/{id}", view, chair_entry::show))
        .screen(Screen::post("/admin/selection/{id}", edit, chair_entry::decide))
        .screen(Screen::get(progress::PROGRESS, view_all, progress::show).in_menu(GROUP, "Progress"))
        .screen(Screen::post(progress::ASSIGN, edit_all, progress::submit))
        .screen(Screen::get(release::RELEASE, view_all, release::show).in_menu(GROUP, "Release"))
        .screen(Screen::post(release::RELEASE, edit_all, release::submit))
        .screen(Screen::get(book::BOOK, view, book::show));
}

/// The entries of the current edition with these words.
async fn search(context: SearchContext) -> Result<Vec<SearchGroup>> {
    let edition = edition::find_current(&mut *context.site.db.read().await?).await?.map(|edition| edition.id);
    Ok(vec![collections::find(&context, &EntryList::default(), edition).await?])
}
