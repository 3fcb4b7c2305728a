//! The mails about a submission: what all of them say, and to whom they go.

use festival_core::Result;
use festival_core::edition::Edition;
use festival_core::mail::{Mailbox, Message, Template, Values, festival_values};
use festival_core::settings::Settings;
use festival_core::site::Site;
use jiff::Timestamp;
use sqlx::AnyConnection;

use super::strangers::without_links;
use super::templates;
use crate::description::SENDER;
use crate::settings::FormsSettings;
use crate::submissions::{Submission, edition_of};
use crate::timestamps;

/// Longest answer to a message, in characters.
pub(crate) const MAX_ANSWER: usize = 10_000;

/// A submission that mails are about, with its edition and the settings in force.
pub(crate) struct SubmissionMails<'a> {
    pub(crate) site: &'a Site,
    pub(crate) settings: &'a Settings,
    pub(crate) edition: Edition,
    pub(crate) submission: &'a Submission,
}

impl<'a> SubmissionMails<'a> {
    /// The mails about a submission, whose edition is read.
    pub(crate) async fn about(
        site: &'a Site,
        settings: &'a Settings,
        connection: &mut AnyConnection,
        submission: &'a Submission,
    ) -> Result<Self> {
        Ok(Self { site, settings, edition: edition_of(connection, submission).await?, submission })
    }

    /// The sender, as submitted. The contact form does not require an address.
    pub(super) fn sender(&self) -> Mailbox {
        let kind = self.submission.kind;
        let text = |name| self.submission.text(name);
        Mailbox::new(text(kind.name_of(SENDER)), text(kind.email_of(SENDER)))
    }

    /// The sender as a recipient.
    pub(super) fn recipient(&self) -> Mailbox {
        let sender = self.sender();
        Mailbox { name: without_links(&sender.name), ..sender }
    }

    /// The values of the variables that every mail has.
    pub(super) fn values(&self) -> Values {
        let received: Option<Timestamp> = self.submission.text("created_at").parse().ok();
        let mut values = festival_values(self.settings, &self.edition.name, self.edition.year);
        values.extend([
            ("sender", self.recipient().name),
            ("received", received.map_or(String::new(), |at| timestamps::with_zone_name(at, &self.site.time_zone))),
            ("reference", self.submission.reference().to_owned()),
        ]);
        values
    }

    /// Composes a mail from the organisers to the sender. Replies go to the address for corrections.
    ///
    /// # Errors
    /// If the mail's original text is wrong.
    pub(super) fn compose(&self, template: &Template, values: &Values) -> Result<Message> {
        let forms = FormsSettings::of(self.settings);
        let replies = forms.after_sending.corrections(self.settings);
        let reply_to = (!replies.is_empty()).then(|| Mailbox::new(&self.settings.product.name, replies));
        template.message((self.settings, values), (self.recipient(), reply_to), self.site.clock.now())
    }

    /// The line that an answer begins with.
    pub(crate) fn greeting(submission: &Submission) -> String {
        format!("Dear {},", without_links(submission.text(submission.kind.name_of(SENDER))))
    }

    /// Composes the mail that answers a message, which is quoted below the answer.
    ///
    /// # Errors
    /// If the mail's original text is wrong.
    pub(crate) fn answer(&self, answer: &str) -> Result<Message> {
        self.compose(&templates::ANSWER, &self.answer_values(answer))
    }

    pub(super) fn answer_values(&self, answer: &str) -> Values {
        let mut values = self.values();
        let message = without_links(self.submission.text("message"));
        let quoted: Vec<String> = message.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
        let quoted = format!("On {}, {} wrote:\n{}", values["received"], values["sender"], quoted.join("\n"));
        values.extend([("answer", answer.to_owned()), ("quoted", quoted)]);
        values
    }
}

/// Returns "label: value"; "" without a value.
pub(super) fn labelled(label: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!("{label}: {value}") }
}

/// Joins the texts that are not empty, a line each.
pub(super) fn lines(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}
