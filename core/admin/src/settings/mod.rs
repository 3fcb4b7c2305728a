//! Settings in the browser: a page for each group, its history, the way back.

mod form;
mod history;
mod index;
mod read;
mod upi;

use rocket::http::Method;

use super::contents::BackOfficeContents;
use super::role::{Action, CONTENT};
use super::screen::Permission::To;
use super::screen::Screen;
use crate::browser_settings::Group;
use festival_web::pattern::Pattern;

/// Where the groups are listed.
const HOME: &str = "/admin/settings";

/// The page of a group.
fn path_of(group: &Group) -> String {
    format!("{HOME}/{}", group.key)
}

/// The page that lists the groups.
pub(super) fn register(contents: &mut BackOfficeContents) {
    let view = To(&CONTENT, Action::View);
    contents.screen(Screen::get(HOME, view, index::show).in_menu("site", "Settings"));
}

/// The screens of a group.
pub(super) fn screens(group: &'static Group) -> Vec<Screen> {
    let (view, edit) = (To(group.resource, Action::View), To(group.resource, Action::Edit));
    let home = path_of(group);
    let at = |rest: &'static str| Pattern::below(&home, rest);
    // The password is asked for before the form, so that nothing typed is lost to the question.
    let guarded = |screen: Screen| if group.is_payment { screen.fresh() } else { screen };
    vec![
        guarded(Screen::new(Method::Get, at(""), view, move |request| form::show(request, group))),
        guarded(Screen::new(Method::Post, at(""), edit, move |request| form::save(request, group))).with_long_texts(),
        Screen::new(Method::Get, at("history"), view, move |request| history::show(request, group)),
        guarded(Screen::new(Method::Post, at("history/{id}/restore"), edit, move |request| {
            history::restore(request, group)
        })),
    ]
}
