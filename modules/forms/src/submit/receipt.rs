//! The response to a form that was received.

use festival_core::{Error, Result, time_text};
use rocket::Request;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::intake::idempotency_key;
use super::new_submission::NewSubmission;
use super::store;
use crate::description::texts;
use crate::submissions::Submission;
use crate::timestamps;

/// The response to a form that was received.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct Receipt {
    id: i64,
    /// The reference that sender and organisers quote: "ML-2025-0042".
    reference: String,
    message: &'static str,
    /// When it was received, RFC 3339 with the festival's offset.
    received_at: String,
    /// The same for people to read, with the time zone.
    received_text: String,
    /// Whether it was received after the deadline.
    is_late: bool,
    /// Remarks about single files; usually absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    remarks: Option<Vec<FileRemark>>,
}

/// What the sender should know about a file that was received.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct FileRemark {
    field: &'static str,
    message: &'static str,
}

impl NewSubmission<'_> {
    /// Stores the submission once, with its mails.
    pub(super) async fn store(self, request: &Request<'_>) -> Result<Submission> {
        let key = idempotency_key(request)?;
        store::store(self, key.as_deref()).await
    }

    /// Stores the submission once, with its mails, and returns the receipt of the forms with files, as JSON.
    pub(super) async fn store_and_reply(self, request: &Request<'_>) -> Result<Vec<u8>> {
        let zone = &self.form.site.time_zone;
        let files = self.form.files.iter();
        let remarks = files.filter_map(|(field, file)| Some(FileRemark { field, message: file.remark()? }));
        let remarks: Vec<_> = remarks.collect();
        let stored = self.store(request).await?;
        let received_at = stored.text("created_at");
        let receipt = Receipt {
            id: stored.id,
            reference: stored.reference().to_owned(),
            message: texts::SUCCESS,
            received_at: time_text::with_offset(received_at, zone),
            received_text: timestamps::with_zone_name(received_at.parse().map_err(Error::internal)?, zone),
            is_late: stored.flag("is_late"),
            remarks: Some(remarks).filter(|remarks| !remarks.is_empty()),
        };
        Ok(serde_json::to_vec(&receipt)?)
    }
}
