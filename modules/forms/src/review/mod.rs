//! Back office screens for submissions: lists, pages, decisions, quarantine, exports.
//!
//! Every list, page, file or export that shows people is written to the audit log.

mod answer;
mod bulk;
mod bulk_action;
mod correct;
mod dashboard;
mod decide;
pub(crate) mod decision;
mod download;
pub(crate) mod events;
mod fee;
mod files;
mod list;
mod money;
mod money_table;
mod payment;
pub(crate) mod payment_check;
mod printed;
mod quarantine;
mod show;
mod view;

use festival_core::admin::Permission::To;
use festival_core::admin::{Action, Screen};
use festival_core::pattern::Pattern;
use festival_core::{Registry, templates};
use rocket::http::Method;

pub(crate) use self::list::rank;
pub(crate) use self::money::category_label;
use crate::submissions::{KINDS, SubmissionKind};
use crate::{role, scope};

/// Heading of the screens in the menu.
pub(crate) const GROUP: &str = "What people sent";

/// Registers the screens, the widgets of the dashboard and the scope.
pub(crate) fn register(registry: &mut Registry) {
    registry.templates(templates![
        "submissions-export",
        "submission",
        "submission-file",
        "door-list",
        "jury-list",
        "quarantine",
        "money",
        "partials/totals",
        "partials/totals-row",
    ]);
    for kind in &KINDS {
        for screen in screens(kind) {
            registry.screen(screen);
        }
        registry.search(To(kind.resource, Action::View), move |context| list::find(context, kind));
    }
    registry.role(&role::REVIEWER).role(&role::DESK);
    dashboard::register(registry);
    scope::register(registry);
    let permission = To(&role::PEOPLE, Action::Edit);
    let money = To(&role::PEOPLE, Action::View);
    registry.screen(Screen::get("/admin/money", money, money::show).first_in_menu(GROUP, "Money"));
    registry.screen(Screen::post("/admin/money/table", To(&role::PEOPLE, Action::Export), money_table::download));
    registry.screen(Screen::get("/admin/quarantine", permission, quarantine::list).first_in_menu(GROUP, "Quarantine"));
}

fn screens(kind: &'static SubmissionKind) -> Vec<Screen> {
    let list = kind.list_path();
    let to = |action| To(kind.resource, action);
    let at = |path: &'static str| Pattern::below(&list, path);
    let (get, post) = (Method::Get, Method::Post);
    let label = match kind.name {
        "film" => "Film submissions",
        "delegate" => "Delegates",
        _ => "Messages",
    };
    let mut screens = vec![
        Screen::new(get, at(""), to(Action::View), move |request| list::show(request, kind))
            .first_in_menu(GROUP, label),
        Screen::new(get, at("{id}"), to(Action::View), move |request| show::show(request, kind)),
        // Which parts of the form other than a note are permitted depends on the account.
        Screen::new(post, at("{id}"), to(Action::Review), move |request| decide::save(request, kind)),
        Screen::new(get, at("{id}/correct"), to(Action::Edit), move |request| correct::show(request, kind)),
        Screen::new(post, at("{id}/correct"), to(Action::Edit), move |request| correct::save(request, kind)),
        Screen::new(post, at("{id}/quarantine"), to(Action::Edit), move |request| quarantine::decide(request, kind)),
        Screen::new(post, at("selected"), to(Action::Edit), move |request| bulk::submit(request, kind)),
        Screen::new(get, at("export"), to(Action::Export), move |request| download::confirm(request, kind)).fresh(),
        Screen::new(post, at("export"), to(Action::Export), move |request| download::create(request, kind)).fresh(),
    ];
    if kind.can_be_answered() {
        screens
            .push(Screen::new(post, at("{id}/answer"), to(Action::Edit), move |request| answer::send(request, kind)));
    }
    if kind.printed_list().is_some() {
        screens.push(Screen::new(get, at("print"), to(Action::View), move |request| printed::show(request, kind)));
    }
    if kind.has_files() {
        let (view, download) = (at("{id}/files/{field}/view"), at("{id}/files/{field}"));
        let page = at("{id}/files/{field}/pages/{page}");
        screens.push(Screen::new(get, view, to(Action::View), move |request| files::show_file(request, kind)));
        screens.push(Screen::new(get, page, to(Action::View), move |request| files::send_page(request, kind)).hidden());
        screens.push(Screen::new(get, download, to(Action::View), move |request| files::send(request, kind)).hidden());
    }
    screens
}
