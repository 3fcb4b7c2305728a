//! The form of the deadline: from stored values to inputs, and back.

use festival_core::FieldError;
use festival_core::admin::{Choice, Fields, Input};
use festival_core::browser_settings::{FormValue, parse};
use festival_core::entity::{Datum, Field, Kind, Values};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use std::collections::BTreeMap;

use super::stored::Deadline;
use crate::browser_settings::CLOSING;
use crate::description::{ASIAN, DELEGATE_FORM, Form, INDIAN, MALAYALAM};
use crate::rules::end_of_day;

/// The forms that can close, films first.
pub(super) const FORMS: [(&Form, &str); 4] = [
    (&ASIAN, "Films for the Asian awards"),
    (&INDIAN, "Films for the Indian award"),
    (&MALAYALAM, "Films for the Malayalam award"),
    (&DELEGATE_FORM, "Delegates and members"),
];
/// The number of film forms among them.
const FILMS: usize = 3;

const DEADLINE: Field = Field::new("deadline", "Deadline for films", Kind::DateTime)
    .hint("Day and hour on the festival's clock. The site names the day; what follows this moment is chosen below.");
const COUNTDOWN_AT: Field =
    Field::new("countdown_at", "Another time", Kind::LocalDateTime).hint("On the clock of whoever looks at it.");
const COUNTDOWN_LABEL: Field = Field::new("countdown_label", "Words above the countdown", Kind::Text { max: 300 })
    .placeholder("until submissions close")
    .hint("Empty: “Countdown to the festival”.");

/// A value of the inputs that choose when something ends.
const AT_DEADLINE: &str = "deadline";
const ANOTHER: &str = "other";
const NEVER: &str = "never";

const CLOSES: [(&str, &str); 3] =
    [(AT_DEADLINE, "close at the deadline"), (ANOTHER, "close at another time"), (NEVER, "stay open")];
const COUNTS: [(&str, &str); 3] =
    [(AT_DEADLINE, "counts to the deadline"), (ANOTHER, "counts to another time"), (NEVER, "is not shown")];

/// The values of the inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct DeadlineForm(Values);

/// The parsed values of the inputs.
#[derive(Debug)]
pub(super) struct Parsed {
    /// The settings of [`CLOSING`].
    pub(super) settings: BTreeMap<&'static str, Value>,
    /// The fields of the edition; empty before there is one.
    pub(super) edition: Values,
}

fn when(form: &Form) -> String {
    format!("when.{}", form.key)
}

fn at(form: &Form) -> String {
    format!("at.{}", form.key)
}

impl DeadlineForm {
    /// Reads a submitted form.
    pub(super) fn sent(fields: &Fields) -> Self {
        Self(fields.values())
    }

    /// The inputs for the stored values.
    pub(super) fn stored(stored: &Deadline, zone: &TimeZone) -> Self {
        let print = |at: Option<Timestamp>| {
            at.map_or(String::new(), |at| at.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S").to_string())
        };
        let closes_at = FORMS.map(|(form, _)| stored.settings.closes_at(form.key, zone));
        let films = || closes_at.iter().take(FILMS).flatten().copied();
        let edition = stored.edition.as_ref();
        let last_day = stored.last_day();
        let is_on_last_day =
            |at: &Timestamp| last_day.is_some_and(|day| at.to_zoned(zone.clone()).date().to_string() == day);
        let deadline = match last_day {
            Some(day) => films().find(is_on_last_day).or_else(|| last_minute(day, zone)),
            None => films().next(),
        };
        let kind = |is_set: bool, is_deadline: bool| match (is_set, is_deadline) {
            (false, _) => NEVER,
            (true, true) => AT_DEADLINE,
            (true, false) => ANOTHER,
        };
        let mut values = Values::from([(DEADLINE.name.to_owned(), print(deadline))]);
        for ((form, _), closes_at) in FORMS.into_iter().zip(closes_at) {
            let kind = kind(closes_at.is_some(), closes_at == deadline);
            values.insert(when(form), kind.to_owned());
            values.insert(at(form), if kind == ANOTHER { print(closes_at) } else { String::new() });
        }
        values.insert("grace".to_owned(), stored.settings.grace_minutes.to_string());
        if let Some(edition) = edition {
            let end = edition.countdown_at.clone().unwrap_or_default();
            let kind = kind(!end.is_empty(), end == print(deadline));
            values.insert("countdown".to_owned(), kind.to_owned());
            values.insert(COUNTDOWN_AT.name.to_owned(), if kind == ANOTHER { end } else { String::new() });
            let label = edition.countdown_label.clone().unwrap_or_default();
            values.insert(COUNTDOWN_LABEL.name.to_owned(), label);
        }
        Self(values)
    }

    fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    fn input(&self, field: &Field) -> Input {
        Input::of(field, self.get(field.name))
    }

    fn choice(&self, name: &str, label: &str, options: &[(&str, &str)]) -> Input {
        let choices = options.iter().map(|(key, label)| Choice::new(*key, *label, self.get(name))).collect();
        Input::choice(name, label, choices).value(self.get(name)).required()
    }

    /// The input of the deadline.
    pub(super) fn deadline(&self) -> Input {
        self.input(&DEADLINE)
    }

    /// The inputs of each form: when it closes, and the time if it is not the deadline.
    pub(super) fn forms(&self) -> Vec<[Input; 2]> {
        let inputs = |(form, label): (&Form, &str)| {
            let time = Input::new("datetime", at(form), "Another time").value(self.get(&at(form)));
            [self.choice(&when(form), label, &CLOSES), time]
        };
        FORMS.into_iter().map(inputs).collect()
    }

    /// The input of the minutes after the closing.
    pub(super) fn grace(&self) -> Input {
        let Some(item) = CLOSING.item(GRACE) else { return Input::text("grace", "") };
        Input { name: "grace".to_owned(), ..Input::of(&item.field, self.get("grace")) }
    }

    /// The inputs of the countdown: what it counts to, the time if it is not the deadline, and the text above it.
    pub(super) fn countdown(&self) -> [Input; 3] {
        [
            self.choice("countdown", "The countdown of the home page", &COUNTS),
            self.input(&COUNTDOWN_AT),
            self.input(&COUNTDOWN_LABEL),
        ]
    }

    /// All of it as hidden inputs.
    pub(super) fn hidden(&self) -> Vec<Input> {
        let names = FORMS.into_iter().flat_map(|(form, _)| [when(form), at(form)]);
        let others = [DEADLINE.name, "grace", "countdown", COUNTDOWN_AT.name, COUNTDOWN_LABEL.name].map(str::to_owned);
        names.chain(others).map(|name| Input::hidden(name.clone(), self.get(&name))).collect()
    }

    /// Parses the inputs. `has_edition` says whether there is a current edition to store deadline and countdown in.
    ///
    /// # Errors
    /// The errors of all inputs.
    pub(super) fn parse(&self, has_edition: bool, zone: &TimeZone) -> Result<Parsed, Vec<FieldError>> {
        let mut errors = Vec::new();
        let deadline = self.time(&DEADLINE, zone, &mut errors);
        let is_missing = deadline.is_empty() && errors.is_empty();
        let mut parsed = Parsed { settings: BTreeMap::new(), edition: Values::new() };
        let deadline = Some(deadline).filter(|_| !is_missing);
        let closing = FORMS.map(|(form, _)| {
            (closing_path(form), at(form), self.chosen(&when(form), &at(form), deadline.as_deref(), &mut errors))
        });
        let grace = (GRACE, "grace".to_owned(), Some(self.get("grace").to_owned()));
        for (path, input, text) in closing.into_iter().chain([grace]) {
            let (Some(item), Some(text)) = (CLOSING.item(path), text) else { continue };
            match parse(item, &FormValue::Text(text), zone) {
                Ok(value) => drop(parsed.settings.insert(item.path(), value)),
                Err(wrong) => {
                    errors.extend(wrong.into_iter().map(|error| FieldError::new(input.clone(), error.message)));
                }
            }
        }
        if has_edition {
            let countdown = self.chosen("countdown", COUNTDOWN_AT.name, deadline.as_deref(), &mut errors);
            let countdown = match self.get("countdown") {
                ANOTHER if countdown.is_some() => self.time(&COUNTDOWN_AT, zone, &mut errors),
                _ => countdown.unwrap_or_default(),
            };
            let last_day = deadline.iter().flat_map(|deadline| deadline.split('T')).next().unwrap_or_default();
            parsed.edition = Values::from([
                ("submission_deadline".to_owned(), last_day.to_owned()),
                ("countdown_at".to_owned(), countdown),
                ("countdown_label".to_owned(), self.get(COUNTDOWN_LABEL.name).to_owned()),
            ]);
        }
        errors.dedup_by(|one, other| one.field == other.field);
        if errors.is_empty() { Ok(parsed) } else { Err(errors) }
    }

    /// The time that the inputs `when` and `at` choose, as text; "" for never, `None` if an error was added. `deadline` is
    /// `None` if it has to be entered.
    fn chosen(&self, when: &str, at: &str, deadline: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
        let (time, error) = match self.get(when) {
            AT_DEADLINE => (deadline, missing_deadline()),
            ANOTHER => (Some(self.get(at)).filter(|time| !time.is_empty()), FieldError::new(at, "Enter the time")),
            _ => (Some(""), missing_deadline()),
        };
        errors.extend(time.is_none().then_some(error));
        time.map(str::to_owned)
    }

    /// A time as it is printed in the zone; "" if there is none or an error was added.
    fn time(&self, field: &Field, zone: &TimeZone, errors: &mut Vec<FieldError>) -> String {
        match field.parse(self.get(field.name), zone) {
            Ok(Datum::Null) => String::new(),
            Ok(datum) => field.print(&datum, zone),
            Err(message) => {
                errors.push(FieldError::new(field.name, message));
                String::new()
            }
        }
    }
}

/// The last minute of a day, as people write a deadline.
fn last_minute(day: &str, zone: &TimeZone) -> Option<Timestamp> {
    let end = end_of_day(day, zone)?;
    Timestamp::from_second(end.as_second() - end.as_second().rem_euclid(60)).ok()
}

/// Path of the grace period in the settings.
const GRACE: &str = "modules.forms.grace_minutes";

/// The path of the setting that closes a form.
fn closing_path(form: &Form) -> &'static str {
    let path = CLOSING.items.iter().map(festival_core::browser_settings::Item::path);
    path.into_iter().find(|path| path.rsplit('.').next() == Some(form.key)).unwrap_or_default()
}

fn missing_deadline() -> FieldError {
    FieldError::new(DEADLINE.name, "Enter the deadline, or choose below what does not depend on it")
}
