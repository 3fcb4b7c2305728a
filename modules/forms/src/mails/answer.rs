//! Answers to messages: what an organiser wrote, with the message quoted below.

use festival_core::Result;
use festival_core::edition::Edition;
use festival_core::mail::{Mailbox, Message, Values};
use festival_core::settings::Settings;
use festival_core::site::Site;
use jiff::Timestamp;

use super::strangers::without_links;
use super::templates;
use super::values::festival_values;
use crate::description::SENDER;
use crate::settings::FormsSettings;
use crate::submissions::Submission;
use crate::timestamps;

/// Longest answer, in characters.
pub(crate) const MAX_CHARACTERS: usize = 10_000;

/// The line that an answer begins with.
pub(crate) fn greeting(message: &Submission) -> String {
    format!("Dear {},", without_links(message.text(message.kind.name_of(SENDER))))
}

/// Composes the mail that answers `message`. Replies go to the address for corrections.
///
/// # Errors
/// If the mail's original text is wrong.
pub(crate) fn compose(
    (site, settings): (&Site, &Settings),
    message: &Submission,
    edition: &Edition,
    answer: &str,
) -> Result<Message> {
    let kind = message.kind;
    let forms = FormsSettings::of(settings);
    let replies = forms.after_sending.corrections(settings);
    let to = Mailbox::new(without_links(message.text(kind.name_of(SENDER))), message.text(kind.email_of(SENDER)));
    let reply_to = (!replies.is_empty()).then(|| Mailbox::new(&settings.product.name, replies));
    let values = values((site, settings), message, edition, answer);
    templates::ANSWER.message((settings, &values), (to, reply_to), site.clock.now())
}

/// Returns the values of the mail's variables.
pub(super) fn values(
    (site, settings): (&Site, &Settings),
    message: &Submission,
    edition: &Edition,
    answer: &str,
) -> Values {
    let sender = without_links(message.text(message.kind.name_of(SENDER)));
    let received: Option<Timestamp> = message.text("created_at").parse().ok();
    let received = received.map_or(String::new(), |time| timestamps::with_zone_name(time, &site.time_zone));
    let quoted: Vec<String> =
        without_links(message.text("message")).lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
    let mut values = festival_values(settings, edition);
    values.extend([
        ("answer", answer.to_owned()),
        ("quoted", format!("On {received}, {sender} wrote:\n{}", quoted.join("\n"))),
        ("sender", sender),
        ("received", received),
        ("reference", message.reference().to_owned()),
    ]);
    values
}
