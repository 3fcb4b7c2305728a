//! The mails about a new submission: a receipt to the sender and a note to the organisers.

use festival_core::Result;
use festival_core::db::Write;
use festival_core::edition::Edition;
use festival_core::entity::{Datum, Field};
use festival_core::mail::{self, Mailbox, Values};
use festival_core::money_text::rupees;
use festival_core::settings::Settings;
use festival_core::site::Site;
use jiff::{SignedDuration, Timestamp};

use super::strangers::without_links;
use super::templates::FormMails;
use super::values::{festival_values, labelled, lines};
use crate::description::{Form, SENDER, short_label};
use crate::settings::FormsSettings;
use crate::size_text::size_text;
use crate::submissions::{Submission, UNCLASSIFIED};
use crate::submit::NewSubmission;
use crate::timestamps;

/// A file as a mail lists it.
pub(crate) struct MailedFile {
    label: &'static str,
    name: String,
    size: String,
    /// What the sender should know about it; "" for most.
    remark: &'static str,
}

impl MailedFile {
    /// Describes a file of `size` bytes.
    pub(crate) fn new(field: &Field, name: &str, size: u64, remark: &'static str) -> Self {
        Self { label: short_label(field), name: name.to_owned(), size: size_text(size), remark }
    }

    fn for_sender(&self) -> String {
        format!("{}: {} ({}){}", self.label, self.name, self.size, self.remark())
    }

    fn for_organisers(&self) -> String {
        format!("File: {}, {}{}", self.label, self.size, self.remark())
    }

    fn remark(&self) -> String {
        if self.remark.is_empty() { String::new() } else { format!(". {}", self.remark) }
    }
}

/// The values of the variables of both mails.
pub(super) struct MailValues {
    pub(super) receipt: Values,
    pub(super) note: Values,
}

/// Mails that go to one address in [`WINDOW`] because somebody typed it into a form.
const MAX_MAILS: usize = 3;
const WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// Why a submission has no receipt, for organisers.
pub(crate) const TOO_MANY_MAILS: &str =
    "No receipt was sent, because this address got several mails within ten minutes";

/// Whether another mail may go to the sender's address: nobody can have a stranger's mailbox filled. Senders without an
/// address get no mail in any case.
pub(crate) async fn may_send(write: &mut Write, submission: &NewSubmission, now: Timestamp) -> Result<bool> {
    let address = submission.text(submission.kind.email_of(SENDER));
    let since = now.checked_sub(WINDOW).unwrap_or(now);
    Ok(address.is_empty() || mail::count_recent(write, address, since).await? < MAX_MAILS)
}

/// Puts both mails into the outbox, in the transaction that stores the submission under this id and reference. A sender
/// without an address gets none, nor one to whom no mail may be sent.
pub(crate) async fn enqueue(
    write: &mut Write,
    (site, settings): (&Site, &Settings),
    submission: &NewSubmission,
    stored: (i64, &str),
    files: Vec<MailedFile>,
    may_send: bool,
) -> Result<()> {
    let mails = FormMails::of(submission.kind);
    let values = values((site, settings), submission, stored, &files);
    let now = site.clock.now();
    let sender = Mailbox::new(
        submission.text(submission.kind.name_of(SENDER)),
        submission.text(submission.kind.email_of(SENDER)),
    );
    // The contact form does not require an address.
    let replies = Some(sender.clone()).filter(|sender| !sender.address.is_empty());
    if replies.is_some() && may_send {
        let to = Mailbox::new(without_links(&sender.name), &sender.address);
        let receipt = mails.receipt.message((settings, &values.receipt), (to, None), now)?;
        mail::enqueue(write, &receipt).await?;
    }
    let note = mails.note.message((settings, &values.note), (sender, replies), now)?;
    mail::enqueue_to_organisers(write, settings, &note).await?;
    Ok(())
}

/// Returns a stored submission and its files in the form that its mails need.
pub(crate) fn restored(submission: &Submission, edition: Edition, now: Timestamp) -> (NewSubmission, Vec<MailedFile>) {
    let fields = submission.kind.entity.fields.iter();
    let files = fields.filter_map(|field| submission.file(field).map(|file| (field, file))).map(|(field, file)| {
        MailedFile::new(field, &file.name, u64::try_from(file.size).unwrap_or_default(), file.remark())
    });
    (NewSubmission::from_stored(submission, edition, now), files.collect())
}

/// Returns the values of the mails' variables for a submission that is stored under this id and reference.
pub(super) fn values(
    (site, settings): (&Site, &Settings),
    submission: &NewSubmission,
    (id, reference): (i64, &str),
    files: &[MailedFile],
) -> MailValues {
    let kind = submission.kind;
    let sender = submission.text(kind.name_of(SENDER));
    let title = match kind.name {
        "film" => submission.text("title_english"),
        "delegate" => submission.text("category"),
        _ => "",
    };
    let title = if title.is_empty() { sender } else { title };
    let film = match submission.text("title_original") {
        original if original.is_empty() || original == title => title.to_owned(),
        original => format!("{title} ({original})"),
    };
    let after_sending = FormsSettings::of(settings).after_sending;
    let form = submission.own_text("award_category").unwrap_or(kind.name);
    let corrections = match after_sending.corrections(settings) {
        "" => String::new(),
        address => format!("If something below is wrong, write to {address} and quote your reference."),
    };
    let link = site.hosts.public_url().map_or(String::new(), |url| format!("{url}{}/{id}", kind.list_path()));
    let award = submission.own_text("award_category").and_then(Form::find).map_or("", Form::award_name);
    let code = submission.own_text("payment_code").unwrap_or_default();
    let received = timestamps::with_zone_name(submission.now, &site.time_zone);
    let mut note = festival_values(settings, &submission.edition);
    note.extend([
        ("sender", sender.to_owned()),
        ("email", submission.text(kind.email_of(SENDER)).to_owned()),
        ("reference", reference.to_owned()),
        ("title", title.to_owned()),
        ("film", film),
        ("award", award.to_owned()),
        ("fee", submission.own_number("fee_inr").filter(|fee| *fee > 0).map_or(String::new(), rupees)),
        ("code", code.to_owned()),
        ("received", received.clone()),
        ("next_steps", after_sending.next_steps(form, Some(&submission.edition))),
        ("corrections", corrections),
        ("fields", fields(submission)),
        ("files", files.iter().map(MailedFile::for_sender).collect::<Vec<_>>().join("\n")),
        ("message", submission.text("message").to_owned()),
        ("link", link),
    ]);
    let mut receipt = note.clone();
    for name in ["sender", "title", "film", "code", "files", "message"] {
        receipt.entry(name).and_modify(|text| *text = without_links(text));
    }
    let utr = submission.own_text("payment_utr").filter(|_| kind.has_award()).unwrap_or_default();
    let late = if submission.is_late { "It arrived after the deadline and is marked as late." } else { "" };
    let (award, code) = (labelled("Award", award), labelled("Payment code", code));
    let for_sender = [
        award.clone(),
        without_links(&code),
        labelled("UTR", &without_links(utr)),
        labelled("Received", &received),
        late.to_owned(),
    ];
    let remarks = remarks(submission).into_iter().map(|remark| labelled("Note", remark));
    let for_organisers = [code, award].into_iter().chain(remarks).chain(files.iter().map(MailedFile::for_organisers));
    receipt.insert("details", lines(for_sender));
    note.insert("details", lines(for_organisers));
    MailValues { receipt, note }
}

/// Returns the fields that were filled in, in the order of the form, a line each, without links of strangers.
fn fields(submission: &NewSubmission) -> String {
    let columns = submission.kind.entity.columns().zip(&submission.record);
    let fields = columns.map(|(field, datum)| {
        // If the column stores the parsed value, the finding has the submitted one.
        let finding = submission.findings.iter().find(|finding| finding.field == field.name);
        let value = match (finding.and_then(|finding| finding.sent.clone()), datum) {
            (Some(sent), _) => sent,
            (None, Datum::Text(text)) => text.clone(),
            (None, Datum::Integer(number)) => number.to_string(),
            _ => String::new(),
        };
        // The chosen label, because two labels share a value.
        let declared =
            submission.own_text("declared_feature_label").filter(|_| field.name == "is_first_or_second_feature");
        let value = declared.map_or(value, str::to_owned);
        // Passwords do not belong in mails.
        let is_secret = field.name == "screener_link_password" && value != field.default;
        let value = match is_secret {
            true => "as you sent it".to_owned(),
            false if value == submission.text(submission.kind.email_of(SENDER)) => value,
            false => without_links(&value),
        };
        labelled(short_label(field), &value)
    });
    lines(fields)
}

fn remarks(submission: &NewSubmission) -> Vec<&'static str> {
    let mut remarks = Vec::new();
    if submission.is_late {
        remarks.push("It came after the deadline.");
    }
    if !submission.over_long.is_empty() {
        remarks.push("Some texts are longer than asked for.");
    }
    if submission.own_text("award_category") == Some(UNCLASSIFIED) {
        remarks.push("The award is not known; please choose it.");
    }
    if submission.own_text("declared_feature_label") == Some("No") {
        remarks.push("The sender says that it is neither a first nor a second film.");
    }
    remarks
}
