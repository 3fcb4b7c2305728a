//! The texts of mails: the list of all mails, and the page of each, with its variables and a preview.

use std::collections::BTreeMap;
use std::sync::Arc;

use rocket::http::Method;
use serde_json::{Value, json};

use super::settings::history;
use crate::back_office::{AdminRequest, Screen};
use crate::browser_settings::{self, FormValue, GroupState, change, current, latest, parse, revision};
use crate::identity::permission::Permission::To;
use crate::identity::role::{Action, Personal, Resource, SETTINGS};
use crate::mail_text::{DeclaredMail, PreviewCase, PreviewContext};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::error::{Error, FieldError, Result};
use festival_base::settings::Settings;
use festival_base::time_text;
use festival_mail::template::{Texts, fill};
use festival_mail::{Template, Variable};
use festival_records::editing::Action as RevisionAction;
use festival_web::pattern::Pattern;

/// Path of the list.
pub(crate) const HOME: &str = "/admin/settings/mails";
/// Its label on screens.
pub(crate) const LABEL: &str = "Texts of mails";

/// Previews of mails with real submissions. Owners only, as settings are.
const PREVIEWS: Resource =
    Resource { key: "mail-previews", label: "Previews of mails", grants: &[], personal: Personal::InParts };

/// Returns the screens of a mail.
pub(crate) fn screens(mail: &Arc<DeclaredMail>) -> Vec<Screen> {
    let (view, edit) = (To(&SETTINGS, Action::View), To(&SETTINGS, Action::Edit));
    let preview = To(&PREVIEWS, Action::Edit);
    let home = mail.group.path();
    let at = |rest: &'static str| Pattern::below(&home, rest);
    let (shown, saved, restored, group) = (mail.clone(), mail.clone(), mail.clone(), mail.group);
    let mut screens = vec![Screen::new(Method::Get, at(""), view, move |request| show(request, shown.clone()))];
    if mail.template.fixed.is_none() {
        let save = Screen::new(Method::Post, at(""), preview, move |request| save(request, saved.clone()));
        screens.push(save.with_long_texts());
        screens.push(Screen::new(Method::Get, at("history"), view, move |request| history::show(request, group)));
        screens.push(Screen::new(Method::Post, at("history/{id}/restore"), edit, move |request| {
            restore(request, restored.clone())
        }));
    }
    screens
}

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let settings = request.site.in_force().await?;
    let latest = latest(&mut *request.read().await?).await?;
    let row = |mail: &Arc<DeclaredMail>| {
        let (template, wanted) = (mail.template, mail.template.wanted(&settings));
        let is_changed = wanted != template.original();
        let last = latest.iter().find(|(key, _, _)| key == mail.group.key).filter(|_| is_changed);
        json!({
            "href": mail.group.path(),
            "name": template.name,
            "when": template.when,
            "to": template.to,
            "subject": wanted.subject,
            "fixed": template.fixed.is_some(),
            "changed": is_changed,
            "broken": is_changed && !template.check(&wanted).is_empty(),
            "last": last.map(|(_, who, at)| format!("{who}, {}", time_text::short(at, &request.site.time_zone))),
        })
    };
    let rows: Vec<Value> = request.admin.contents.mails.iter().map(row).collect();
    Ok(Reply::page("mail-texts", LABEL).crumb("Settings", browser_settings::HOME).with("rows", rows).into())
}

async fn show(request: AdminRequest, mail: Arc<DeclaredMail>) -> Result<Reply> {
    let state = current(&request.site, &mut *request.read().await?, mail.group).await?;
    let texts = stored(&mail, &state);
    Ok(page(&request, &mail, &state, &texts).into())
}

/// Subject and text as stored, or else the original ones, even if they cannot be sent.
fn stored(mail: &DeclaredMail, state: &GroupState) -> Texts {
    let original = mail.template.original();
    let of = |path: &str, original: String| match state.values.get(path).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ => original,
    };
    Texts { subject: of(mail.subject().path(), original.subject), text: of(mail.text().path(), original.text) }
}

fn page(request: &AdminRequest, mail: &DeclaredMail, state: &GroupState, texts: &Texts) -> Page {
    let template = mail.template;
    let (original, stored) = (template.original(), stored(mail, state));
    let problems: Vec<String> = template.check(&stored).into_iter().map(|problem| problem.message).collect();
    let may_edit = template.fixed.is_none() && request.may(&SETTINGS, Action::Edit);
    Reply::page("mail-text", template.name)
        .shows_nobody()
        .crumb("Settings", browser_settings::HOME)
        .crumb(LABEL, HOME)
        .inputs([
            Input::hidden("version", &state.version),
            Input { name: "subject".to_owned(), ..Input::of(&mail.subject().field, &texts.subject) }.required(),
            Input { name: "text".to_owned(), ..Input::of(&mail.text().field, &texts.text) }.required(),
        ])
        .with("when", template.when)
        .with("to", template.to)
        .with("fixed", template.fixed)
        .with("action", mail.group.path())
        .with("home", HOME)
        .with("subject", &stored.subject)
        .with("text", &stored.text)
        .with("changed", stored != original)
        .with("original", json!({ "subject": original.subject, "text": original.text }))
        .with("broken", if stored == original { Vec::new() } else { problems })
        .with("variables", template.variables().map(variable).collect::<Vec<_>>())
        .with("preview", Value::Null)
        .with("differences", Vec::<Value>::new())
        .with("taken", "")
        .with("may_edit", may_edit)
}

fn variable(variable: &Variable) -> Value {
    json!({
        "written": variable.written(),
        "meaning": variable.meaning,
        "example": variable.example,
        "required": variable.is_required,
        "block": variable.is_block,
    })
}

async fn save(request: AdminRequest, mail: Arc<DeclaredMail>) -> Result<Reply> {
    let original = mail.template.original();
    let action = request.form.get("then");
    let done = match action {
        "original" => write(&request, &mail, &original).await.map(|_| "The original text is used again.".to_owned()),
        _ => match read(&request, &mail) {
            Ok(texts) if action == "preview" => return preview(&request, &mail, &texts).await,
            Ok(texts) => write(&request, &mail, &texts).await.map(|is_changed| match is_changed {
                true => format!("{} saved.", mail.template.name),
                false => "No changes to save.".to_owned(),
            }),
            Err(error) => Err(error),
        },
    };
    match done {
        Ok(message) => Ok(Reply::redirect(mail.group.path()).done(message).into()),
        Err(error) => refused(&request, &mail, error).await,
    }
}

/// Subject and text of the form, unchecked.
fn input_of(request: &AdminRequest) -> Texts {
    let text = |name: &str| request.form.get(name).replace("\r\n", "\n");
    Texts { subject: text("subject"), text: text("text") }
}

/// Subject and text of the form.
///
/// # Errors
/// [`Error::Invalid`] with their errors.
fn read(request: &AdminRequest, mail: &DeclaredMail) -> Result<Texts> {
    let mut errors: Vec<FieldError> = Vec::new();
    let mut parsed = |item, name: &str, text: String| match parse(item, &FormValue::Text(text), &request.site.time_zone)
    {
        Ok(value) => value.as_str().unwrap_or_default().to_owned(),
        Err(wrong) => {
            errors.extend(wrong.into_iter().map(|error| FieldError::new(name, error.message)));
            String::new()
        }
    };
    let input = input_of(request);
    let subject = parsed(mail.subject(), "subject", input.subject);
    let texts = Texts { subject, text: parsed(mail.text(), "text", input.text) };
    if errors.is_empty() {
        errors = mail.template.check(&texts);
    }
    if errors.is_empty() { Ok(texts) } else { Err(Error::Invalid(errors)) }
}

/// Stores the texts; those that equal the original are not stored. Returns whether anything changed.
async fn write(request: &AdminRequest, mail: &DeclaredMail, texts: &Texts) -> Result<bool> {
    let original = mail.template.original();
    let value = |text: &str, original: &str| json!(if text == original { "" } else { text });
    let values = [
        (mail.subject().path(), value(&texts.subject, &original.subject)),
        (mail.text().path(), value(&texts.text, &original.text)),
    ];
    let mut write = request.write().await?;
    let seen = Some(request.form.get("version"));
    let differences = change(request, &mut write, mail.group, (seen, &values.into()), RevisionAction::Changed).await?;
    write.commit().await?;
    Ok(!differences.is_empty())
}

/// Shows the form with the submitted texts, and the mail that they would produce for the latest real case.
async fn preview(request: &AdminRequest, mail: &DeclaredMail, texts: &Texts) -> Result<Reply> {
    let template: &Template = mail.template;
    let case = match &mail.latest {
        Some(latest) => latest.call(PreviewContext::new(request.site.clone(), request.account()?.clone())).await?,
        None => None,
    };
    let settings: Arc<Settings> = request.site.in_force().await?;
    let (label, values, disclosure) = match case {
        Some(PreviewCase { label, values, disclosure }) => (Some(label), values, Some(disclosure)),
        None => {
            let mut values = template.examples();
            values.insert("short_name", settings.product.name.clone());
            (None, values, None)
        }
    };
    let filled = fill(texts, &values).map_err(Error::internal)?;
    let state = current(&request.site, &mut *request.read().await?, mail.group).await?;
    // Only the form is shown again: the version stays the one that the user has seen.
    let seen = GroupState { version: request.form.get("version").to_owned(), ..state };
    let shown = json!({
        "case": label,
        "to": template.to,
        "reply_to": Value::Null,
        "subject": filled.subject,
        "body": filled.text,
    });
    let page = page(request, mail, &seen, texts).with("preview", shown);
    Ok(match disclosure {
        Some(disclosure) => page.shows_people(disclosure).into(),
        None => page.into(),
    })
}

/// Shows the form again with its errors, or, after a conflict, with the texts that somebody else saved in the meantime.
async fn refused(request: &AdminRequest, mail: &DeclaredMail, error: Error) -> Result<Reply> {
    let state = current(&request.site, &mut *request.read().await?, mail.group).await?;
    let (mine, theirs) = (input_of(request), stored(mail, &state));
    let is_conflict = matches!(error, Error::Conflict(_));
    let rows: Vec<Value> =
        [("subject", "Subject", &theirs.subject, &mine.subject), ("text", "Text", &theirs.text, &mine.text)]
            .into_iter()
            .filter(|(_, _, theirs, mine)| is_conflict && theirs != mine)
            .map(|(name, label, theirs, mine)| json!({ "name": name, "label": label, "theirs": theirs, "mine": mine }))
            .collect();
    // After a conflict, saving again overwrites what the page then shows.
    let version = if is_conflict { state.version.clone() } else { request.form.get("version").to_owned() };
    let page = page(request, mail, &GroupState { version, ..state }, &mine).with("differences", rows);
    Ok(page.refused(error)?.into())
}

/// Restores a revision that can still be sent: variables may have gone since it was written.
async fn restore(request: AdminRequest, mail: Arc<DeclaredMail>) -> Result<Reply> {
    let revision = revision(&mut *request.read().await?, mail.group, request.id()?).await?;
    let state = GroupState { values: revision.record, file: BTreeMap::new(), version: String::new() };
    let texts = stored(&mail, &state);
    if let Some(problem) = mail.template.check(&texts).into_iter().next() {
        let message = format!("This version cannot be restored. {}", problem.message);
        return Ok(Reply::redirect(format!("{}/history", mail.group.path())).problem(message).into());
    }
    history::restore(request, mail.group).await
}
