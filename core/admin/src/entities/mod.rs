//! Every entity in the back office, made from its description: lists, forms, history, the bin, files of rows.
//!
//! No entity is named here. What the rules of a field are, [`Entity::parse`] knows; how rows are written and what
//! they were before, [`festival_records::editing`].

mod bulk;
mod export;
mod files;
mod form;
mod history;
pub(super) mod import;
mod list;
mod order;
mod plan;
mod preview;
mod remove;
mod save;
mod shown;
mod words;

use rocket::http::Method;

use super::frame::capital;
use super::role::{Action, CONTENT};
use super::screen::Permission::To;
use super::screen::Screen;
use festival_base::error::Result;
use festival_records::editing::Editor;
use festival_records::entity::Entity;
use festival_web::pattern::Pattern;

use super::visit::Visit;

/// Where the rows of an entity are: `/admin/upcoming-events`.
fn home(entity: &Entity) -> String {
    format!("/admin/{}", entity.slug())
}

/// The page of one row.
fn row_path(entity: &Entity, id: i64) -> String {
    format!("{}/{id}", home(entity))
}

/// Who is at work.
fn editor(visit: &Visit) -> Result<Editor> {
    let account = visit.account()?;
    Ok(Editor { account: Some(account.id), name: account.name.clone() })
}

/// The screens of an entity, in the navigation under `group`.
pub fn screens(entity: &'static Entity, group: &'static str) -> Vec<Screen> {
    let home = home(entity);
    let (view, edit) = (To(&CONTENT, Action::View), To(&CONTENT, Action::Edit));
    let (delete, take) = (To(&CONTENT, Action::Delete), To(&CONTENT, Action::Export));
    let at = |rest: &'static str| Pattern::below(&home, rest);
    let (get, post) = (Method::Get, Method::Post);
    let mut screens = vec![
        Screen::new(get, at(""), view, move |visit| list::show(visit, entity)).in_menu(group, entity.plural),
        Screen::new(get, at("new"), edit, move |visit| form::show_new(visit, entity)),
        files::taking(Screen::new(post, at("new"), edit, move |visit| save::create(visit, entity)), entity),
        Screen::new(post, at("file"), take, move |visit| export::download(visit, entity)),
        Screen::new(get, at("import"), edit, move |visit| import::show(visit, entity)),
        import::taking_a_table(Screen::new(post, at("import"), edit, move |visit| import::take(visit, entity))),
        Screen::new(post, at("import/now"), edit, move |visit| import::carry_out(visit, entity)),
        Screen::new(get, at("bin"), view, move |visit| remove::show_bin(visit, entity)),
        Screen::new(post, at("selected"), edit, move |visit| bulk::act(visit, entity)),
        Screen::new(get, at("{id}"), view, move |visit| form::show(visit, entity)),
        files::taking(Screen::new(post, at("{id}"), edit, move |visit| save::change(visit, entity)), entity),
        Screen::new(get, at("{id}/delete"), delete, move |visit| remove::ask(visit, entity)),
        Screen::new(post, at("{id}/delete"), delete, move |visit| remove::delete(visit, entity)),
        Screen::new(get, at("{id}/history"), view, move |visit| history::show(visit, entity)),
        Screen::new(post, at("history/{id}/restore"), edit, move |visit| history::restore(visit, entity)),
    ];
    for path in ["preview", "{id}/preview"] {
        let screen = Screen::new(post, at(path), edit, move |visit| preview::show(visit, entity));
        screens.push(files::taking(screen, entity));
    }
    if entity.field("position").is_some() {
        screens.push(Screen::new(get, at("order"), edit, move |visit| order::show(visit, entity)));
        screens.push(Screen::new(post, at("order"), edit, move |visit| order::change(visit, entity)));
    }
    screens
}
