//! Screens of the back office: the plan of a day with its conflicts, and the release.

mod conflicts;
mod paths;
mod placing;
mod plan;
mod prints;
mod release;

use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, Permission, Screen};
use festival_core::{Registry, templates};

use self::paths::{ADD, COPY, HOME, MOVE, RELEASE};

pub(crate) fn register(registry: &mut Registry) {
    let (view, edit) = (Permission::To(&CONTENT, Action::View), Permission::To(&CONTENT, Action::Edit));
    registry
        .templates(templates!["programme", "programme-release", "programme-prints", "partials/programme-conflicts"])
        .screen(Screen::get(HOME, view, plan::show).in_menu("Programme", "Plan of a day"))
        .screen(Screen::post(MOVE, edit, placing::move_screening))
        .screen(Screen::post(ADD, edit, placing::add_screening))
        .screen(Screen::post(COPY, edit, placing::copy_day))
        .screen(Screen::get(RELEASE, view, release::show).in_menu("Programme", "Releases"))
        .screen(Screen::post(RELEASE, edit, release::store))
        .screen(Screen::get(prints::HOME, edit, prints::show).in_menu("Programme", "Prints from files"))
        .screen(prints::accepting_files(Screen::post(prints::HOME, edit, prints::receive)))
        .screen(Screen::post(prints::NOW, edit, prints::store));
}
