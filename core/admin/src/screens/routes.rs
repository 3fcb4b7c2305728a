//! The addresses of core's screens, and what else core itself contributes to the back office.

use std::sync::Arc;

use super::{
    accounts, audit_log, confirm, editions, forgotten, handbook, invited, mail_texts, mails, own_account, pictures,
    privacy, second_factor, settings, sign_in,
};
use crate::back_office::{BackOfficeContents, Screen};
use crate::browser_settings;
use crate::collections;
use crate::dashboard;
use crate::entities;
use crate::identity::account::SECOND_FACTORS;
use crate::identity::invitation;
use crate::identity::permission::Permission::{Public, SignedIn, To};
use crate::identity::role::{ACCOUNTS, AUDIT, Action, CONTENT, MAIL, PRIVACY, SETTINGS};
use crate::identity::scope;
use crate::search;
use crate::widget::Widget;

/// Returns what core itself contributes to the back office.
pub fn own() -> BackOfficeContents {
    let mut contents = BackOfficeContents::default();
    for group in browser_settings::GROUPS {
        contents.settings_group(group);
    }
    contents
        .screen(Screen::get("/admin/", SignedIn, dashboard::show))
        .screen(Screen::get(search::HOME, SignedIn, search::show))
        .screen(Screen::get(handbook::HOME, SignedIn, handbook::index))
        .screen(Screen::get("/admin/handbook/{chapter}", SignedIn, handbook::show))
        .screen(Screen::get("/admin/edit", To(&CONTENT, Action::View), entities::on_page::show))
        .screen(Screen::get("/admin/sign-in", Public, sign_in::show))
        .screen(Screen::post("/admin/sign-in", Public, sign_in::sign_in))
        .screen(Screen::get("/admin/sign-in/code", Public, sign_in::show_code))
        .screen(Screen::post("/admin/sign-in/code", Public, sign_in::enter_code))
        .screen(Screen::get(forgotten::PATH, Public, forgotten::show))
        .screen(Screen::post(forgotten::PATH, Public, forgotten::send))
        .screen(Screen::get("/admin/invitation", Public, invited::show))
        .screen(Screen::post("/admin/invitation", Public, invited::accept))
        .screen(Screen::post("/admin/sign-out", SignedIn, sign_in::sign_out).before_second_factor())
        .screen(Screen::get("/admin/confirm", SignedIn, confirm::show).before_second_factor())
        .screen(Screen::post("/admin/confirm", SignedIn, confirm::confirm).before_second_factor());
    register_own(&mut contents);
    contents.screen(Screen::post(collections::PATH, SignedIn, collections::save));
    register_accounts(&mut contents);
    register_mails(&mut contents);
    register_privacy(&mut contents);
    let settings = Screen::get(browser_settings::HOME, To(&CONTENT, Action::View), settings::index::show);
    contents
        .screen(settings.in_menu("site", "Settings"))
        .screen(Screen::get(mail_texts::HOME, To(&SETTINGS, Action::View), mail_texts::list))
        .mail(&invitation::INVITATION, None)
        .mail(&invitation::FORGOTTEN, None);
    contents.limits.push(Arc::new(scope::editions()));
    register_pictures(&mut contents);
    register_editions(&mut contents);
    contents.secrets.push(&SECOND_FACTORS);
    contents.searches.push(Arc::new(Widget::new(To(&ACCOUNTS, Action::View), search::accounts)));
    contents
}

fn register_own(contents: &mut BackOfficeContents) {
    contents
        .screen(Screen::get("/admin/account", SignedIn, own_account::show))
        .screen(Screen::post("/admin/account/password", SignedIn, own_account::change_password))
        .screen(Screen::post("/admin/account/sessions/end", SignedIn, own_account::end_sessions))
        .screen(
            Screen::get("/admin/account/second-factor", SignedIn, second_factor::show).fresh().before_second_factor(),
        )
        .screen(
            Screen::post("/admin/account/second-factor", SignedIn, second_factor::set).fresh().before_second_factor(),
        )
        .screen(Screen::post("/admin/account/second-factor/codes", SignedIn, second_factor::renew_codes).fresh())
        .screen(Screen::get("/admin/account/second-factor/remove", SignedIn, second_factor::ask_remove).fresh())
        .screen(Screen::post("/admin/account/second-factor/remove", SignedIn, second_factor::remove).fresh());
}

fn register_pictures(contents: &mut BackOfficeContents) {
    let edit = To(&CONTENT, Action::Edit);
    contents
        .screen(Screen::get(pictures::HOME, To(&CONTENT, Action::View), pictures::list).in_menu("Content", "Pictures"))
        .screen(pictures::accepting_picture(Screen::post(pictures::HOME, edit, pictures::add)))
        .screen(Screen::post("/admin/pictures/words", edit, pictures::describe));
}

fn register_editions(contents: &mut BackOfficeContents) {
    let edit = To(&CONTENT, Action::Edit);
    contents
        .screen(
            Screen::get(editions::HOME, To(&CONTENT, Action::View), editions::show).in_menu("Site", "Current edition"),
        )
        .screen(Screen::get(editions::MAKE_CURRENT, edit, editions::ask_to_activate))
        .screen(Screen::post(editions::HOME, edit, editions::activate))
        .screen(Screen::get(editions::NEXT, edit, editions::show_next))
        .screen(Screen::post(editions::NEXT, edit, editions::start))
        .screen(Screen::post(editions::ARCHIVE, edit, editions::archive));
}

fn register_accounts(contents: &mut BackOfficeContents) {
    let view = To(&ACCOUNTS, Action::View);
    let edit = To(&ACCOUNTS, Action::Edit);
    contents
        .screen(Screen::get("/admin/accounts", view, accounts::list).in_menu("People and records", "Accounts"))
        .screen(Screen::get("/admin/accounts/new", edit, accounts::show_new).fresh())
        .screen(Screen::post("/admin/accounts/new", edit, accounts::add).fresh())
        .screen(Screen::get("/admin/accounts/{id}", edit, accounts::show))
        .screen(Screen::post("/admin/accounts/{id}", edit, accounts::change).fresh())
        .screen(Screen::get("/admin/accounts/{id}/disable", edit, accounts::ask_disable).fresh())
        .screen(Screen::post("/admin/accounts/{id}/disable", edit, accounts::disable).fresh())
        .screen(Screen::post("/admin/accounts/{id}/enable", edit, accounts::enable).fresh())
        .screen(Screen::get("/admin/accounts/{id}/reset", edit, accounts::ask_reset).fresh())
        .screen(Screen::post("/admin/accounts/{id}/reset", edit, accounts::reset).fresh())
        .screen(
            Screen::get("/admin/audit", To(&AUDIT, Action::View), audit_log::list)
                .in_menu("People and records", "Audit log"),
        );
}

fn register_privacy(contents: &mut BackOfficeContents) {
    let (export, delete) = (To(&PRIVACY, Action::Export), To(&PRIVACY, Action::Delete));
    contents
        .screen(
            Screen::get(privacy::HOME, To(&PRIVACY, Action::View), privacy::show)
                .fresh()
                .in_menu("People and records", "Personal data"),
        )
        .screen(Screen::post("/admin/privacy/person", To(&PRIVACY, Action::View), privacy::find).fresh())
        .screen(Screen::post("/admin/privacy/export", export, privacy::export).fresh())
        .screen(Screen::post("/admin/privacy/erase/ask", delete, privacy::ask_erase).fresh())
        .screen(Screen::post("/admin/privacy/erase", delete, privacy::erase).fresh());
}

fn register_mails(contents: &mut BackOfficeContents) {
    let (view, edit) = (To(&MAIL, Action::View), To(&MAIL, Action::Edit));
    contents
        .screen(Screen::get("/admin/mail", view, mails::list).in_menu("People and records", "Mails"))
        .screen(Screen::post("/admin/mail/retry", edit, mails::retry_all))
        .screen(Screen::get("/admin/mail/{id}", view, mails::show))
        .screen(Screen::post("/admin/mail/{id}", edit, mails::correct))
        .screen(Screen::post("/admin/mail/{id}/state", edit, mails::act));
}
