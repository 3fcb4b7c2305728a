//! The screens of an entity: their addresses, and who may use them.

use rocket::http::Method;

use super::paths::home;
use super::{bulk, files, form, history, import, list, order, preview, remove, save};
use crate::back_office::Screen;
use crate::identity::permission::Permission::To;
use crate::identity::role::{Action, Resource};
use festival_records::entity::Entity;
use festival_web::pattern::Pattern;

/// Returns the screens of an entity of this resource, listed in the navigation under `group`.
pub fn screens(entity: &'static Entity, resource: &'static Resource, group: &'static str) -> Vec<Screen> {
    let home = home(entity);
    let (view, edit) = (To(resource, Action::View), To(resource, Action::Edit));
    let (delete, export) = (To(resource, Action::Delete), To(resource, Action::Export));
    let at = |rest: &'static str| Pattern::below(&home, rest);
    let (get, post) = (Method::Get, Method::Post);
    let mut screens = vec![
        Screen::new(get, at(""), view, move |request| list::show(request, entity)).in_menu(group, entity.plural),
        Screen::new(get, at("new"), edit, move |request| form::show_new(request, entity)),
        files::accepting_form(Screen::new(post, at("new"), edit, move |request| save::create(request, entity)), entity),
        Screen::new(post, at("file"), export, move |request| list::download(request, entity)),
        Screen::new(get, at("import"), edit, move |request| import::show(request, entity)),
        import::accepting_table(Screen::new(post, at("import"), edit, move |request| import::receive(request, entity))),
        Screen::new(post, at("import/now"), edit, move |request| import::import(request, entity)),
        Screen::new(get, at("imports"), view, move |request| import::past::list(request, entity)),
        Screen::new(post, at("imports/mappings"), edit, move |request| import::past::change_mapping(request, entity)),
        Screen::new(get, at("imports/{id}/undo"), delete, move |request| import::past::ask(request, entity)),
        Screen::new(post, at("imports/{id}/undo"), delete, move |request| import::past::undo(request, entity)),
        Screen::new(get, at("bin"), view, move |request| remove::list_deleted(request, entity)),
        Screen::new(post, at("selected"), edit, move |request| bulk::submit(request, entity)),
        Screen::new(get, at("{id}"), view, move |request| form::show(request, entity)),
        files::accepting_form(
            Screen::new(post, at("{id}"), edit, move |request| save::change(request, entity)),
            entity,
        ),
        Screen::new(get, at("{id}/delete"), delete, move |request| remove::ask(request, entity)),
        Screen::new(post, at("{id}/delete"), delete, move |request| remove::delete(request, entity)),
        Screen::new(get, at("{id}/history"), view, move |request| history::show(request, entity)),
        Screen::new(post, at("history/{id}/restore"), edit, move |request| history::restore(request, entity)),
    ];
    for path in ["preview", "{id}/preview"] {
        let screen = Screen::new(post, at(path), edit, move |request| preview::show(request, entity));
        screens.push(files::accepting_form(screen, entity));
    }
    if entity.field("position").is_some() {
        screens.push(Screen::new(get, at("order"), edit, move |request| order::show(request, entity)));
        screens.push(Screen::new(post, at("order"), edit, move |request| order::change(request, entity)));
    }
    screens
}
