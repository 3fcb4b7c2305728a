//! The mails about a new submission: a receipt to the sender and a note to the organisers.

use festival_core::Result;
use festival_core::db::Write;
use festival_core::mail::{self, Values};
use festival_core::money_text::rupees;
use festival_core::size_text;
use jiff::{SignedDuration, Timestamp};

use super::strangers::without_links;
use super::submission_mails::{SubmissionMails, labelled, lines};
use crate::description::{Form, SENDER, short_label};
use crate::settings::FormsSettings;
use crate::submissions::{SentFile, Submission, UNCLASSIFIED};

/// Mails that go to one address in [`WINDOW`] because somebody typed it into a form.
const MAX_MAILS: usize = 3;
const WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// Why a submission has no receipt, for organisers.
pub(crate) const TOO_MANY_MAILS: &str =
    "No receipt was sent, because this address got several mails within ten minutes";

/// Whether another mail may go to the address of a sender: nobody can have a stranger's mailbox filled. Senders without
/// an address get no mail in any case.
pub(crate) async fn may_send(write: &mut Write, address: &str, now: Timestamp) -> Result<bool> {
    let since = now.checked_sub(WINDOW).unwrap_or(now);
    Ok(address.is_empty() || mail::count_recent(write, address, since).await? < MAX_MAILS)
}

impl SubmissionMails<'_> {
    /// Puts both mails into the outbox, in the transaction that stores or releases the submission. A sender without an
    /// address gets none, nor one to whom no mail may be sent.
    pub(crate) async fn enqueue_receipt(&self, write: &mut Write, may_send: bool) -> Result<()> {
        let kind = self.submission.kind;
        let (sender, now) = (self.sender(), self.site.clock.now());
        let replies = Some(sender.clone()).filter(|sender| !sender.address.is_empty());
        if replies.is_some() && may_send {
            let mut values = self.receipt_values();
            values.insert("further", self.further(write).await?);
            let receipt = kind.receipt.message((self.settings, &values), (self.recipient(), None), now)?;
            mail::enqueue(write, &receipt).await?;
        }
        let note = kind.note.message((self.settings, &self.note_values()), (sender, replies), now)?;
        mail::enqueue_to_organisers(write, self.settings, &note).await?;
        Ok(())
    }

    /// What other modules add to the receipt.
    async fn further(&self, write: &mut Write) -> Result<String> {
        let mut paragraphs = Vec::new();
        for part in &self.site.contents.receipt_parts {
            let Submission { kind, id, .. } = self.submission;
            paragraphs.push(part.paragraph(self.site, write, kind.entity.table, *id).await?);
        }
        Ok(lines(paragraphs))
    }

    /// The values of the note to the organisers.
    pub(super) fn note_values(&self) -> Values {
        let submission = self.submission;
        let files = submission.files().iter().map(|file| format!("File: {}", described(submission, file, ", ", "")));
        let remarks = remarks(submission).into_iter().map(|remark| labelled("Note", remark));
        let details = [labelled("Payment code", submission.text("payment_code")), labelled("Award", self.award())];
        let mut values = self.received_values();
        values.insert("sender", self.sender().name);
        values.insert("details", lines(details.into_iter().chain(remarks).chain(files)));
        values
    }

    /// The values of the receipt, without links of strangers.
    pub(super) fn receipt_values(&self) -> Values {
        let submission = self.submission;
        let mut values = self.received_values();
        for name in ["title", "film", "code", "files", "message"] {
            values.entry(name).and_modify(|text| *text = without_links(text));
        }
        let utr = Some(submission.text("payment_utr")).filter(|_| submission.kind.has_award()).unwrap_or_default();
        let is_late = submission.flag("is_late");
        let details = [
            labelled("Award", self.award()),
            labelled("Payment code", &values["code"]),
            labelled("UTR", &without_links(utr)),
            labelled("Received", &values["received"]),
            if is_late { "It arrived after the deadline and is marked as late.".to_owned() } else { String::new() },
        ];
        values.insert("details", lines(details));
        values.insert("further", String::new());
        values
    }

    fn award(&self) -> &'static str {
        Form::find(self.submission.text("award_category")).map_or("", Form::award_name)
    }

    /// The values that both mails have.
    fn received_values(&self) -> Values {
        let (submission, kind) = (self.submission, self.submission.kind);
        let sender = self.sender();
        let title = match kind.name {
            "film" => submission.text("title_english"),
            "delegate" => submission.text("category"),
            _ => "",
        };
        let title = if title.is_empty() { sender.name.as_str() } else { title };
        let film = match submission.text("title_original") {
            original if original.is_empty() || original == title => title.to_owned(),
            original => format!("{title} ({original})"),
        };
        let after_sending = FormsSettings::of(self.settings).after_sending;
        let form = if kind.has_award() { submission.text("award_category") } else { kind.name };
        let corrections = match after_sending.corrections(self.settings) {
            "" => String::new(),
            address => format!("If something below is wrong, write to {address} and quote your reference."),
        };
        let link = self.site.hosts.public_url().map_or(String::new(), |url| format!("{url}{}", submission.path()));
        let files =
            submission.files().iter().map(|file| described(submission, file, &format!(": {} (", file.name), ")"));
        let mut values = self.values();
        values.extend([
            ("email", sender.address.clone()),
            ("title", title.to_owned()),
            ("film", film),
            ("award", self.award().to_owned()),
            ("fee", submission.due().rupees.filter(|due| *due > 0).map_or(String::new(), rupees)),
            ("code", submission.text("payment_code").to_owned()),
            ("next_steps", after_sending.next_steps(form, Some(&self.edition))),
            ("corrections", corrections),
            ("fields", fields(submission)),
            ("files", files.collect::<Vec<_>>().join("\n")),
            ("message", submission.text("message").to_owned()),
            ("link", link),
        ]);
        values
    }
}

/// Returns a line about a file: its label and its size, which stands between these texts, and what is remarkable about it.
fn described(submission: &Submission, file: &SentFile, before: &str, after: &str) -> String {
    let label = submission.kind.entity.field(&file.field).map_or("", short_label);
    let size = size_text::size(u64::try_from(file.size).unwrap_or_default());
    let remark = file.remark();
    let remark = if remark.is_empty() { String::new() } else { format!(". {remark}") };
    format!("{label}{before}{size}{after}{remark}")
}

/// Returns the fields that were filled in, in the order of the form, a line each, without links of strangers.
fn fields(submission: &Submission) -> String {
    let address = submission.text(submission.kind.email_of(SENDER));
    let fields = submission.kind.entity.columns().map(|field| {
        let value = submission.sent_text(field);
        // The chosen label, because two labels share a value.
        let declared = Some(submission.text("declared_feature_label"));
        let declared = declared.filter(|label| field.name == "is_first_or_second_feature" && !label.is_empty());
        let value = declared.map_or(value, str::to_owned);
        // Passwords do not belong in mails.
        let is_secret = field.name == "screener_link_password" && value != field.default;
        let value = match is_secret {
            true => "as you sent it".to_owned(),
            false if value == address => value,
            false => without_links(&value),
        };
        labelled(short_label(field), &value)
    });
    lines(fields)
}

fn remarks(submission: &Submission) -> Vec<&'static str> {
    [
        (submission.flag("is_late"), "It came after the deadline."),
        (submission.over_long().next().is_some(), "Some texts are longer than asked for."),
        (submission.text("award_category") == UNCLASSIFIED, "The award is not known; please choose it."),
        (
            submission.text("declared_feature_label") == "No",
            "The sender says that it is neither a first nor a second film.",
        ),
    ]
    .into_iter()
    .filter_map(|(applies, remark)| applies.then_some(remark))
    .collect()
}
