//! Effects of a deadline, as sentences: for each form, on the home page, in texts.

use festival_core::edition::{Edition, day_text};
use festival_core::time_text;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::form::FORMS;
use super::stored::Deadline;
use crate::rules::{Standing, Times};

impl Deadline {
    fn times(&self, zone: &TimeZone) -> [Times; 4] {
        FORMS.map(|(form, _)| Times::of(form, &self.settings, self.last_day(), zone))
    }

    /// A label and a sentence for everything that depends on the deadline.
    pub(super) fn sentences(&self, now: Timestamp, zone: &TimeZone) -> Vec<(&'static str, String)> {
        let forms = FORMS.into_iter().zip(self.times(zone));
        let mut all: Vec<(&str, String)> =
            forms.map(|((_, label), times)| (label, form_sentence(&times, now, zone))).collect();
        let Some(edition) = &self.edition else { return all };
        let last_day =
            self.last_day().map_or_else(|| "No day is named.".to_owned(), |day| format!("{}.", day_text(day)));
        all.push(("Last day that the site names", last_day));
        all.push(("Countdown on the home page", countdown_sentence(edition, now)));
        all
    }

    /// Warnings about effects that may be unintended.
    pub(super) fn warnings(&self, now: Timestamp, zone: &TimeZone) -> Vec<String> {
        let mut warnings = Vec::new();
        let times = self.times(zone);
        for ((form, label), times) in FORMS.into_iter().zip(times) {
            if times.standing(now) == Standing::Closed {
                warnings.push(format!("{label}: the form is closed at once, because that time has passed."));
            }
            let is_film = form.key != "delegate";
            let closes_on = times.closes_at.map(|at| at.to_zoned(zone.clone()).date().to_string());
            if let (true, Some(closes_on), Some(last_day)) = (is_film, closes_on, self.last_day())
                && closes_on.as_str() < last_day
            {
                warnings.push(format!("{label}: the form closes before the last day that the site names."));
            }
        }
        if let (Some(edition), Some(last_day)) = (&self.edition, self.last_day())
            && last_day >= edition.starts_on.as_str()
        {
            warnings
                .push(format!("The festival begins on {}, before the deadline is over.", day_text(&edition.starts_on)));
        }
        warnings
    }
}

fn form_sentence(times: &Times, now: Timestamp, zone: &TimeZone) -> String {
    let text = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%-d %B %Y, %-I:%M %p").to_string();
    let late = times.late_after.filter(|late| times.closes_at != Some(*late));
    let late = late.map(|late| format!("what comes after {} is marked as late", text(late)));
    let sentence = match (times.closes_at, times.accepted_until) {
        (Some(closes_at), until) => {
            let grace = until.filter(|until| *until > closes_at);
            let grace =
                grace.map(|until| format!("what begins to arrive until {} is taken and marked as late", text(until)));
            let rest: Vec<String> = late.into_iter().chain(grace).map(|part| format!("; {part}")).collect();
            format!("Closes on {}{}.", text(closes_at), rest.concat())
        }
        (None, _) => late.map_or_else(|| "Stays open.".to_owned(), |late| format!("Stays open; {late}.")),
    };
    let standing = match times.standing(now) {
        Standing::Open => "",
        Standing::Late => " What comes now is late.",
        Standing::Closed => " It is closed now.",
    };
    format!("{sentence}{standing}")
}

fn countdown_sentence(edition: &Edition, now: Timestamp) -> String {
    let Some(end) = edition.countdown_at.as_deref().and_then(time_text::long_local) else {
        return "There is none.".to_owned();
    };
    let is_over = edition.countdown_ends_at().is_some_and(|at| at <= now);
    let over = if is_over { " It is over and not shown." } else { "" };
    format!("Counts to {end} on the visitor's clock, “{}”.{over}", edition.countdown_text())
}
