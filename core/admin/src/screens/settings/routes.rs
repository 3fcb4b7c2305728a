//! The screens of a settings group: their addresses, and who may use them.

use rocket::http::Method;

use super::{form, history};
use crate::back_office::Screen;
use crate::browser_settings::Group;
use crate::identity::permission::Permission::To;
use crate::identity::role::Action;
use festival_web::pattern::Pattern;

/// Returns the screens of a group.
pub(crate) fn screens(group: &'static Group) -> Vec<Screen> {
    let (view, edit) = (To(group.resource, Action::View), To(group.resource, Action::Edit));
    let home = group.path();
    let at = |rest: &'static str| Pattern::below(&home, rest);
    let form = [
        guarded(group, Screen::new(Method::Get, at(""), view, move |request| form::show(request, group))),
        guarded(group, Screen::new(Method::Post, at(""), edit, move |request| form::save(request, group)))
            .with_long_texts(),
    ];
    form.into_iter().chain(history_screens(group)).collect()
}

/// Returns the screens of a group's history.
pub(crate) fn history_screens(group: &'static Group) -> Vec<Screen> {
    let (view, edit) = (To(group.resource, Action::View), To(group.resource, Action::Edit));
    let home = group.path();
    let at = |rest: &'static str| Pattern::below(&home, rest);
    let restore = at("history/{id}/restore");
    vec![
        Screen::new(Method::Get, at("history"), view, move |request| history::show(request, group)),
        guarded(group, Screen::new(Method::Post, restore, edit, move |request| history::restore(request, group))),
    ]
}

/// If changes have to be confirmed, the password is asked for before the form opens: asking on saving would lose the
/// input.
fn guarded(group: &Group, screen: Screen) -> Screen {
    if group.confirmation.is_some() { screen.fresh() } else { screen }
}
