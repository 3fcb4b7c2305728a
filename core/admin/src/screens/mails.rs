//! The outbox: lists mails by state, and lets organisers read, correct, hold, release and retry them.

use serde_json::{Value, json};

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::collections::Pager;
use crate::identity::role::{Action, MAIL, SETTINGS};
use crate::serving::frame::capitalized;
use crate::serving::input::Input;
use crate::serving::reply::{Page, Redirect, Reply};
use crate::serving::request::nothing_here;
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_mail::{self as mail, ActionOutcome, Correction, FILTERS, StoredMail, Summary};
use festival_records::entity::trim;

/// Rows per page.
const PAGE_SIZE: usize = 50;
const HOME: &str = "/admin/mail";

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let part = FILTERS.into_iter().find(|name| *name == request.query.get("part")).unwrap_or(FILTERS[0]);
    let pager = Pager::new(&request, PAGE_SIZE);
    let mut connection = request.read().await?;
    let mut mails = mail::newest(&mut connection, request.now(), part, pager.before, pager.limit()).await?;
    let counts = mail::counts(&mut connection).await?;
    let links = pager.paginate(&request, &mut mails, |mail| mail.id);
    let tab = |known| {
        json!({
            "label": capitalized(known),
            "count": counts.get(known).copied().unwrap_or_default(),
            "href": format!("{HOME}?part={known}"),
            "current": known == part,
        })
    };
    Ok(Reply::page("mails", "Mails")
        .with("tabs", FILTERS.map(tab))
        .with("rows", mails.iter().map(|mail| template_row(&request, mail)).collect::<Vec<_>>())
        .with("part", part)
        .paged(links)
        .with("to_files", request.site.settings.mail.host.is_empty())
        .with("may_edit", request.may(&MAIL, Action::Edit))
        .with("may_see_texts", request.may(&SETTINGS, Action::View))
        .lists_people("outbox", mails.len(), json!({ "part": part, "before": pager.before }))
        .into())
}

fn template_row(request: &AdminRequest, mail: &Summary) -> Value {
    json!({
        "href": format!("{HOME}/{}", mail.id),
        "id": mail.id,
        "kind": mail.kind.replace('-', " "),
        "to": mail.to,
        "state": mail.state,
        "tone": match &*mail.state { "sent" => "good", "refused" => "bad", _ => "" },
        "attempts": mail.attempts,
        "error": mail.last_error,
        "written": time_text::short(&mail.created_at, &request.site.time_zone),
    })
}

/// Finds the mail of the path parameter `id`.
async fn mail_of_path(request: &AdminRequest) -> Result<StoredMail> {
    let id = request.id()?;
    mail::find(&mut *request.read().await?, id).await?.ok_or_else(nothing_here)
}

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let mail = mail_of_path(&request).await?;
    let correction = Correction {
        to_name: mail.to_name.clone(),
        to_address: mail.to_address.clone(),
        subject: mail.subject.clone(),
        body: mail.body_text.clone(),
    };
    Ok(page(&request, &mail, &correction).into())
}

fn page(request: &AdminRequest, mail: &StoredMail, correction: &Correction) -> Page {
    let at = |stored: &str| time_text::short(stored, &request.site.time_zone);
    let open = mail.sent_at.is_none() && request.may(&MAIL, Action::Edit);
    let changeable = open && mail.is_changeable();
    Reply::page("mail", mail.subject.as_str())
        .shows_people(Entry::new("view", "outbox").id(mail.id))
        .crumb("Mails", HOME)
        .with("id", mail.id)
        .with("kind", mail.kind.replace('-', " "))
        .with("to", format!("{} <{}>", mail.to_name, mail.to_address))
        .with("reply_to", &mail.reply_to_address)
        .with("written", at(&mail.created_at))
        .with("sent", mail.sent_at.as_deref().map(at))
        .with("held", mail.is_held == 1)
        .with("attempts", mail.attempts)
        .with("next", at(&mail.not_before))
        .with("error", &mail.last_error)
        .with("body", &mail.body_text)
        .with("open", open)
        .with("changeable", changeable)
        .inputs([
            Input::hidden("version", mail.version()),
            Input::new("email", "to_address", "To").value(&correction.to_address).required(),
            Input::text("to_name", "Name of the recipient").value(&correction.to_name),
            Input::text("subject", "Subject").value(&correction.subject).required(),
            Input::new("lines", "body", "Text").value(&correction.body).required(),
        ])
}

pub(super) async fn correct(request: AdminRequest) -> Result<Reply> {
    let text = |name: &str| trim(request.form.get(name)).to_owned();
    let correction = Correction {
        to_name: text("to_name"),
        to_address: text("to_address"),
        subject: text("subject"),
        body: request.form.get("body").to_owned(),
    };
    match save(&request, &correction).await {
        Ok(redirect) => Ok(redirect.into()),
        Err(error) => {
            let mail = mail_of_path(&request).await?;
            // Without the form, the mail's own page has no place for the message.
            if !mail.is_changeable() {
                return Err(error);
            }
            Ok(page(&request, &mail, &correction).refused(error)?.into())
        }
    }
}

async fn save(request: &AdminRequest, correction: &Correction) -> Result<Redirect> {
    let id = request.id()?;
    let mut write = request.write_private().await?;
    let before = mail::find(&mut write, id).await?.ok_or_else(nothing_here)?;
    let done = mail::correct(&mut write, request.now(), (id, request.form.get("version")), correction).await?;
    if done == ActionOutcome::Done {
        let after = mail::find(&mut write, id).await?.ok_or_else(nothing_here)?;
        request.commit(write, corrected(&before, &after)).await?;
    }
    redirect_after(id, done, "Mail saved.")
}

/// Returns the audit entry of a correction: masked recipients and the names of changed fields. Rows of the log are
/// never deleted, so it contains no texts.
fn corrected(before: &StoredMail, after: &StoredMail) -> Entry {
    let parts = [
        ("to_name", &before.to_name, &after.to_name),
        ("subject", &before.subject, &after.subject),
        ("body", &before.body_text, &after.body_text),
    ];
    let changed: Vec<&str> =
        parts.into_iter().filter(|(_, before, after)| before != after).map(|(name, _, _)| name).collect();
    Entry::new("correct", "outbox")
        .id(after.id)
        .before(json!({ "to_address": mail::mask(&before.to_address) }))
        .after(json!({ "to_address": mail::mask(&after.to_address), "changed": changed }))
}

/// `POST /admin/mail/{id}/state`: holds, releases or retries a mail.
pub(super) async fn act(request: AdminRequest) -> Result<Reply> {
    let id = request.id()?;
    let mut write = request.write_private().await?;
    let (done, action, message) = match request.form.get("action") {
        "hold" => (mail::hold(&mut write, request.now(), id).await?, "hold", "Mail on hold until you release it."),
        "release" => (mail::make_due(&mut write, request.now(), id).await?, "release", "Mail released. Sending now."),
        "retry" => {
            (mail::make_due(&mut write, request.now(), id).await?, "retry", "Trying to send the mail again now.")
        }
        _ => return Err(Error::BadRequest("Choose an action.".into())),
    };
    if done == ActionOutcome::Done {
        request.commit(write, Entry::new(action, "outbox").id(id)).await?;
    }
    Ok(redirect_after(id, done, message)?.into())
}

pub(super) async fn retry_all(request: AdminRequest) -> Result<Reply> {
    let mut write = request.write_private().await?;
    let count = mail::make_all_due(&mut write, request.now()).await?;
    request.commit(write, Entry::new("retry", "outbox").after(json!({ "mails": count }))).await?;
    let mails = if count == 1 { "mail" } else { "mails" };
    Ok(Reply::redirect(HOME).done(format!("Trying to send {count} {mails} again now.")).into())
}

/// Redirects to the mail with a message about the outcome of an action.
fn redirect_after(id: i64, done: ActionOutcome, message: &str) -> Result<Redirect> {
    let redirect = Reply::redirect(format!("{HOME}/{id}"));
    match done {
        ActionOutcome::Done => Ok(redirect.done(message)),
        ActionOutcome::AlreadySent => Ok(redirect.problem("The mail has already been sent.")),
        ActionOutcome::Sending => Ok(redirect.problem("The mail is being sent right now. Check again in a minute.")),
        ActionOutcome::NotFound => Err(nothing_here()),
    }
}
