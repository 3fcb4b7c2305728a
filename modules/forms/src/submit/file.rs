//! Receives single files, before the form that they belong to.

use std::future::ready;
use std::sync::Arc;

use festival_core::post::Receiver;
use festival_core::site::Site;
use festival_core::{Error, Result, http};
use jiff::SignedDuration;
use rocket::{Data, Request};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::intake::{Intake, accepted_files};
use super::staged::{self, StagedUpload, StoredFile};
use crate::description::Form;
use crate::settings::FormsSettings;

/// Receives one file of a form, before the form itself.
pub(crate) struct FileReceiver {
    pub(crate) intake: Arc<Intake>,
    /// The form that the file belongs to, or another with the same fields.
    pub(crate) form: &'static Form,
}

/// The response to a file that was uploaded before its form.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct StagedReply {
    /// The secret by which the form names the file.
    ticket: String,
    /// The field that the file was sent for.
    field: &'static str,
    /// Until when the ticket is valid, RFC 3339.
    expires_at: String,
}

#[rocket::async_trait]
impl Receiver<Site> for FileReceiver {
    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Vec<u8>> {
        let entity = self.form.entity;
        self.intake.admit_file(site, request, entity).await?;
        let started_at = site.clock.now();
        let mut received = http::receive_multipart(site, request, data, &accepted_files(entity), ready(())).await?;
        let (Some((field, mut file)), None) = (received.files.pop_first(), received.files.pop_first()) else {
            return Err(Error::BadRequest("Send one file, under the name of its field.".into()));
        };
        let settings = FormsSettings::in_force(site).await?;
        let ticket = staged::new_ticket()?;
        let key = site.media.commit_private(&entity.slug(), &mut file).await?;
        let stored_at = site.clock.now();
        let upload = StagedUpload { stored: StoredFile::new(key, &file), started_at, stored_at };
        if let Err(error) = upload.insert(site, (entity.table, field), &ticket).await {
            // A file that cannot be deleted now is removed by the sweep.
            let _ = site.media.delete_private(&upload.stored.key).await;
            return Err(error);
        }
        let hours = SignedDuration::from_hours(i64::from(settings.staged_hours));
        let expires_at = stored_at.checked_add(hours).unwrap_or(stored_at).to_string();
        Ok(serde_json::to_vec(&StagedReply { ticket, field, expires_at })?)
    }
}
