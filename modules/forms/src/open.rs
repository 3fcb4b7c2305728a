//! What the browser must know of the settings: when forms close, and how strict they are.

use festival_core::{Ask, Result};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::description::FORMS;
use crate::submit::Desk;

/// What holds for the forms now.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct FormRules {
    /// Texts with more words than asked for are refused.
    hard_word_limits: bool,
    /// Forms without the tick below the notice on personal data are refused.
    require_consent: bool,
    forms: Vec<FormTimes>,
}

/// When a form closes.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct FormTimes {
    key: &'static str,
    /// The last moment, RFC 3339; null: it does not close.
    closes_at: Option<String>,
}

pub(crate) async fn find_rules(ask: Ask) -> Result<FormRules> {
    let settings = Desk::settings(&ask.app).await?;
    let zone = ask.time_zone();
    let closes_at = |key| {
        let moment = settings.closes_at(key, zone)?.to_zoned(zone.clone());
        Some(moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
    };
    Ok(FormRules {
        hard_word_limits: settings.hard_word_limits,
        require_consent: settings.require_consent,
        forms: FORMS.iter().map(|form| FormTimes { key: form.key, closes_at: closes_at(form.key) }).collect(),
    })
}
