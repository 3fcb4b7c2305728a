//! Receives single files, before the form that they belong to.

use std::sync::Arc;

use festival_core::entity::Entity;
use festival_core::post::Receiver;
use festival_core::site::Site;
use festival_core::{Error, Result, http};
use jiff::{SignedDuration, Timestamp};
use rocket::{Data, Request};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::intake::{Intake, accepted_files};
use super::staged::{self, StoredFile};
use crate::description::Form;
use crate::settings::FormsSettings;

/// How long after closing files may still be uploaded, for forms whose sending started in time.
const UPLOAD_GRACE: SignedDuration = SignedDuration::from_hours(2);

/// Receives one file of a form, before the form itself.
pub(crate) struct FileReceiver {
    pub(crate) intake: Arc<Intake>,
    /// The forms that the file may belong to. They share their fields.
    pub(crate) forms: &'static [&'static Form],
}

/// The response to a file that was uploaded before its form.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct StagedReply {
    /// The secret by which the form names the file.
    ticket: String,
    /// The field that the file was sent for.
    field: &'static str,
    /// Until when the ticket is valid, RFC 3339.
    expires_at: String,
}

impl FileReceiver {
    fn entity(&self) -> Result<&'static Entity> {
        self.forms.first().map(|form| form.entity).ok_or_else(|| Error::internal("file receiver without a form"))
    }

    /// Decides before the body is read whether a file is accepted: as [`Intake::admit_file`] does, and by the space
    /// that files without a form already occupy.
    async fn admit(&self, site: &Site, request: &Request<'_>) -> Result<()> {
        let settings = FormsSettings::in_force(site).await?;
        let open_at = site.clock.now().checked_sub(UPLOAD_GRACE).unwrap_or(Timestamp::UNIX_EPOCH);
        self.intake.admit_file(site, request, &settings, self.forms, open_at).await?;
        if !staged::has_room(site, &settings).await? {
            return Err(Error::Unavailable("Files can only be sent with their form at the moment.".into()));
        }
        Ok(())
    }
}

#[rocket::async_trait]
impl Receiver<Site> for FileReceiver {
    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Vec<u8>> {
        self.admit(site, request).await?;
        let started_at = site.clock.now();
        let entity = self.entity()?;
        let mut received = http::receive_multipart(site, request, data, &accepted_files(entity)).await?;
        let (Some((field, mut file)), None) = (received.files.pop_first(), received.files.pop_first()) else {
            return Err(Error::BadRequest("Send one file, under the name of its field.".into()));
        };
        let settings = FormsSettings::in_force(site).await?;
        let ticket = staged::new_ticket()?;
        let key = site.media.commit_private(&entity.slug(), &mut file).await?;
        let stored = StoredFile::new(key, &file);
        let stored_at = site.clock.now();
        if let Err(error) = staged::insert(site, (entity.table, field), &ticket, &stored, (started_at, stored_at)).await
        {
            // A file that cannot be deleted now is removed by the sweep.
            let _ = site.media.delete_private(&stored.key).await;
            return Err(error);
        }
        let hours = SignedDuration::from_hours(i64::from(settings.staged_hours));
        let expires_at = stored_at.checked_add(hours).unwrap_or(stored_at).to_string();
        Ok(serde_json::to_vec(&StagedReply { ticket, field, expires_at })?)
    }
}
