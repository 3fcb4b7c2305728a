//! What senders change on their status page. Each action carries the secret of the link.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::entity::{Field, Kind as FieldKind};
use festival_core::site::Site;
use festival_core::submissions::{Changed, Submissions};
use festival_core::{Error, FieldError, Result};
use rocket::http::ContentType;
use serde_json::json;

use super::changes;
use super::links::{self, FIELD, FILE, KEY, Opened, PATH};
use super::page::{Allowed, WITHDRAWN, page};
use crate::decision;

/// Who changed something, in the history of a submission.
const SENDER: &str = "the sender";
/// Why an action is refused that the page does not offer any more.
const TOO_LATE: &str = "This cannot be changed here any more. Please write to us, and quote your reference.";

/// A request of a sender: the secret, what it opens, and what may be changed.
struct Sender {
    request: AdminRequest,
    key: String,
    opened: Opened,
    allowed: Allowed,
}

impl Sender {
    async fn new(request: AdminRequest) -> Result<Self> {
        let key = request.form.get(KEY).to_owned();
        let opened = links::open(&request, &key).await?;
        let decision = opened.decision(&mut *request.read().await?).await?;
        let allowed = Allowed::of(&request, &opened, decision.as_ref());
        Ok(Self { request, key, opened, allowed })
    }

    fn submissions(&self) -> Result<&dyn Submissions<Site>> {
        self.opened.kind.submissions(&self.request.site)
    }

    /// The field that the form names.
    fn field(&self) -> Result<&'static Field> {
        let field = self.submissions()?.entity().field(self.request.form.get(FIELD));
        field.ok_or_else(|| Error::BadRequest("There is no such field.".into()))
    }

    /// An entry of the audit log about the submission.
    fn entry(&self, action: &'static str) -> Entry {
        Entry::new(action, self.opened.kind.table).id(self.opened.submitted.id)
    }
}

/// Handles `POST` of a form of the page: a file, a text, an answer, or the withdrawal.
pub(super) async fn act(request: AdminRequest) -> Result<Reply> {
    let mut sender = Sender::new(request).await?;
    let (path, answer) = (sender.request.path.clone(), sender.request.form.get("answer").to_owned());
    let allowed = &sender.allowed;
    // Whether it is offered, the second question before it with its button, the message after it.
    let (is_offered, question, message) = match (path.as_str(), answer.as_str()) {
        ("/status/file", _) => (true, None, "The file has arrived. The former one stays with us, too."),
        ("/status/text", _) => (true, None, "We have received your correction, and look at it."),
        ("/status/answer", "confirmed") => (allowed.answer, None, "Thank you. Your film takes part."),
        ("/status/answer", "declined") => (
            allowed.answer,
            Some(("Decline the selection?", "Decline")),
            "You have declined. The place goes to another film.",
        ),
        ("/status/withdraw", _) => {
            (allowed.withdrawal, Some(("Withdraw the film?", "Withdraw")), "The film is withdrawn.")
        }
        _ => return Err(Error::BadRequest("Confirm or decline.".into())),
    };
    let is_sure = sender.request.form.get("sure") == "yes";
    if let Some((question, button)) = question.filter(|_| is_offered && !is_sure) {
        return Ok(Reply::page("status-sure", question)
            .with("key", sender.key)
            .with("title", &sender.opened.submitted.title)
            .with("reference", &sender.opened.submitted.reference)
            .with("action", path)
            .with("answer", answer)
            .with("button", button)
            .into());
    }
    let stored = match path.as_str() {
        _ if !is_offered => Err(Error::Conflict(TOO_LATE.into())),
        "/status/file" => store_file(&mut sender).await,
        "/status/text" => store_proposal(&sender).await,
        "/status/withdraw" => store_answer(&sender, WITHDRAWN).await,
        _ => store_answer(&sender, &answer).await,
    };
    match stored {
        Ok(()) => Ok(Reply::redirect(format!("{PATH}?key={}", sender.key)).done(message).into()),
        Err(error) => Ok(page(&sender.request, &sender.key, &sender.opened).await?.refused(error)?.into()),
    }
}

/// Returns an error about a field of a form.
fn refused<T>(field: &str, message: impl Into<String>) -> Result<T> {
    Err(Error::Invalid(vec![FieldError::new(field, message)]))
}

/// Stores another file in place of one that was sent, which is kept.
async fn store_file(sender: &mut Sender) -> Result<()> {
    let field = sender.field()?;
    let FieldKind::File { pdf } = field.kind else { return refused("", "There is no such file.") };
    if !sender.allowed.file(field.name) {
        return Err(Error::Conflict(TOO_LATE.into()));
    }
    if let Some(error) = sender.request.field_errors.first() {
        return refused(field.name, error.message.clone());
    }
    let Some(mut file) = sender.request.files.remove(FILE) else { return refused(field.name, "Choose a file first.") };
    if file.mime == "application/pdf" && !pdf {
        return refused(field.name, "This has to be a picture: JPEG, PNG or WebP.");
    }
    let (submissions, media) = (sender.submissions()?, &sender.request.site.media);
    let key = media.commit_private(&submissions.entity().slug(), &mut file).await?;
    let change = Changed::File(field, &key, &file);
    let stored = async {
        let (request, id) = (&sender.request, sender.opened.submitted.id);
        let mut write = request.write_private().await?;
        submissions.change(&request.site, &mut write, id, change, SENDER).await?;
        request.commit(write, sender.entry("replace file").after(json!({ "file": field.name }))).await
    };
    if let Err(error) = stored.await {
        // What cannot be deleted now is removed by the next sweep.
        let _ = media.delete_private(&key).await;
        return Err(error);
    }
    Ok(())
}

/// Stores a text that the desk is asked to take over.
async fn store_proposal(sender: &Sender) -> Result<()> {
    let (field, request) = (sender.field()?, &sender.request);
    let value = sender.opened.submitted.values.iter().find(|value| value.field.name == field.name);
    let Some(value) = value.filter(|value| value.may_change) else {
        return refused("", "This cannot be changed here.");
    };
    if !sender.allowed.texts {
        return Err(Error::Conflict(TOO_LATE.into()));
    }
    let text = request.form.get("text").replace("\r\n", "\n").trim().to_owned();
    let max = match field.kind {
        FieldKind::Text { max } | FieldKind::Lines { max } => max,
        _ => 0,
    };
    if text.is_empty() || text.chars().count() > max {
        return refused(field.name, format!("Write a text of at most {max} characters."));
    }
    if text == value.text {
        return refused(field.name, "This is the text that we have.");
    }
    let mut write = request.write_private().await?;
    changes::propose(&mut write, request.now(), &sender.opened, (field.name, &value.text, &text)).await?;
    request.commit(write, sender.entry("propose correction").after(json!({ "field": field.name }))).await
}

/// Stores that the film takes part, that it does not, or that it is withdrawn.
async fn store_answer(sender: &Sender, answer: &str) -> Result<()> {
    let (request, id) = (&sender.request, sender.opened.submitted.id);
    let mut write = request.write_private().await?;
    let is_stored = decision::answer(&mut write, request.now(), id, answer).await?;
    let entry = if answer == WITHDRAWN {
        let change = Changed::Status(WITHDRAWN);
        sender.submissions()?.change(&request.site, &mut write, id, change, SENDER).await?;
        sender.entry("withdraw")
    } else if is_stored {
        sender.entry("answer decision").after(json!({ "answer": answer }))
    } else {
        return Err(Error::Conflict(TOO_LATE.into()));
    };
    request.commit(write, entry).await
}

/// Handles `GET /status/sent`: everything that was sent, as an archive.
pub(super) async fn download(request: AdminRequest) -> Result<Reply> {
    let opened = links::open(&request, request.query.get(KEY)).await?;
    let file = opened.kind.submissions(&request.site)?.archive(&request.site, opened.submitted.id).await?;
    Reply::written(format!("{}.zip", opened.submitted.reference), ContentType::ZIP, file)
}
