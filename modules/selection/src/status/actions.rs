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
use super::decision::{self, Decision};
use super::links::{self, FIELD, FILE, KEY, Opened, PATH};
use super::page::{Allowed, WITHDRAWN, page};

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
        let decision = Decision::find(&mut *request.read().await?, &opened).await?;
        let allowed = Allowed::of(&request, &opened, decision.as_ref());
        Ok(Self { request, key, opened, allowed })
    }

    fn submissions(&self) -> Result<&dyn Submissions<Site>> {
        let found = self.request.site.contents.submissions_in(self.opened.kind.table);
        found.ok_or_else(|| Error::internal("a link to submissions that are switched off"))
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

    /// The page again: with a message, or with the error.
    async fn reply(self, done: Result<&str>) -> Result<Reply> {
        match done {
            Ok(message) => Ok(Reply::redirect(format!("{PATH}?key={}", self.key)).done(message).into()),
            Err(error) => Ok(page(&self.request, &self.key, &self.opened).await?.refused(error)?.into()),
        }
    }

    /// The second question before an action, whose form is sent to `action` with these further fields.
    fn ask(self, question: &str, button: &str, action: &str, answer: &str) -> Reply {
        Reply::page("status-sure", question)
            .with("key", self.key)
            .with("title", &self.opened.submitted.title)
            .with("reference", &self.opened.submitted.reference)
            .with("action", action)
            .with("answer", answer)
            .with("button", button)
            .into()
    }

    fn is_sure(&self) -> bool {
        self.request.form.get("sure") == "yes"
    }
}

/// Returns an error about a field of a form.
fn refused<T>(field: &str, message: impl Into<String>) -> Result<T> {
    Err(Error::Invalid(vec![FieldError::new(field, message)]))
}

/// Handles `POST /status/file`: another file in place of one that was sent, which is kept.
pub(super) async fn replace_file(request: AdminRequest) -> Result<Reply> {
    let mut sender = Sender::new(request).await?;
    let replaced = store_file(&mut sender).await;
    sender.reply(replaced.map(|()| "The file has arrived. The former one stays with us, too.")).await
}

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

/// Handles `POST /status/text`: a text that the desk is asked to take over.
pub(super) async fn propose(request: AdminRequest) -> Result<Reply> {
    let sender = Sender::new(request).await?;
    let proposed = store_proposal(&sender).await;
    sender.reply(proposed.map(|()| "We have received your correction, and look at it.")).await
}

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

/// Handles `POST /status/answer`: the film takes part, or it does not.
pub(super) async fn answer(request: AdminRequest) -> Result<Reply> {
    let sender = Sender::new(request).await?;
    if !sender.allowed.answer {
        return sender.reply(Err(Error::Conflict(TOO_LATE.into()))).await;
    }
    let (answer, message) = match sender.request.form.get("answer") {
        "confirmed" => ("confirmed", "Thank you. Your film takes part."),
        "declined" if !sender.is_sure() => {
            return Ok(sender.ask("Decline the selection?", "Decline", "/status/answer", "declined"));
        }
        "declined" => ("declined", "You have declined. The place goes to another film."),
        _ => return Err(Error::BadRequest("Confirm or decline.".into())),
    };
    let answered = async {
        let (request, id) = (&sender.request, sender.opened.submitted.id);
        let mut write = request.write_private().await?;
        if !decision::answer(&mut write, request.now(), id, answer).await? {
            return Err(Error::Conflict(TOO_LATE.into()));
        }
        request.commit(write, sender.entry("answer decision").after(json!({ "answer": answer }))).await
    };
    let answered = answered.await;
    sender.reply(answered.map(|()| message)).await
}

/// Handles `POST /status/withdraw`, which asks a second time.
pub(super) async fn withdraw(request: AdminRequest) -> Result<Reply> {
    let sender = Sender::new(request).await?;
    if !sender.allowed.withdrawal {
        return sender.reply(Err(Error::Conflict(TOO_LATE.into()))).await;
    }
    if !sender.is_sure() {
        return Ok(sender.ask("Withdraw the film?", "Withdraw", "/status/withdraw", ""));
    }
    let withdrawn = async {
        let (request, id) = (&sender.request, sender.opened.submitted.id);
        let mut write = request.write_private().await?;
        decision::answer(&mut write, request.now(), id, WITHDRAWN).await?;
        let change = Changed::Status(WITHDRAWN);
        sender.submissions()?.change(&request.site, &mut write, id, change, SENDER).await?;
        request.commit(write, sender.entry("withdraw")).await
    };
    let withdrawn = withdrawn.await;
    sender.reply(withdrawn.map(|()| "The film is withdrawn.")).await
}

/// Handles `GET /status/sent`: everything that was sent, as an archive.
pub(super) async fn download(request: AdminRequest) -> Result<Reply> {
    let opened = links::open(&request, request.query.get(KEY)).await?;
    let submissions = request.site.contents.submissions_in(opened.kind.table);
    let submissions = submissions.ok_or_else(|| Error::internal("a link to submissions that are switched off"))?;
    let file = submissions.archive(&request.site, opened.submitted.id).await?;
    Reply::written(format!("{}.zip", opened.submitted.reference), ContentType::ZIP, file)
}
