//! A form as it was received: its values, its files, and the settings that apply to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use festival_core::entity::{Values, trim};
use festival_core::http::receive_multipart;
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Error, Result};
use jiff::Timestamp;
use rocket::{Data, Request};

use super::intake::{accepted_files, sending_started_at, store_start};
use super::staged::{self, FormFile};
use crate::description::extra_fields;
use crate::settings::FormsSettings;
use crate::submissions::SubmissionKind;

/// A form as it was received, before validation.
pub(crate) struct ReceivedForm<'s> {
    pub(super) site: &'s Site,
    pub(super) kind: &'static SubmissionKind,
    pub(super) values: Values,
    /// The files of the body and those that were uploaded before it, by field.
    pub(super) files: BTreeMap<&'static str, FormFile>,
    /// The settings in force after the body was read, and those of the forms among them.
    pub(super) in_force: Arc<Settings>,
    pub(super) settings: FormsSettings,
    /// When its sending started.
    pub(super) started_at: Timestamp,
}

impl<'s> ReceivedForm<'s> {
    /// Returns the form of an admitted request with what was sent in its body.
    pub(super) async fn new(
        site: &'s Site,
        request: &Request<'_>,
        kind: &'static SubmissionKind,
        values: Values,
        files: BTreeMap<&'static str, FormFile>,
    ) -> Result<Self> {
        let in_force = site.in_force().await?;
        let settings = FormsSettings::of(&in_force);
        Ok(Self { site, kind, values, files, in_force, settings, started_at: sending_started_at(site, request) })
    }

    /// Receives the body of an admitted form with files as multipart/form-data.
    pub(super) async fn receive(
        site: &'s Site,
        request: &Request<'_>,
        data: Data<'_>,
        kind: &'static SubmissionKind,
    ) -> Result<Self> {
        let mut accepts = accepted_files(kind.entity);
        let of_award = [extra_fields::AWARD, extra_fields::DECLARED_FEATURE].into_iter().filter(|_| kind.has_award());
        let extra_names = extra_fields::COMMON.into_iter().chain(extra_fields::OF_PAYMENTS).chain(of_award);
        let names = kind.entity.columns().map(|field| field.name).chain(extra_names);
        accepts.texts.extend(names.map(str::to_owned));
        // A head alone is no form that is being sent: its first field has to arrive, or the server has to be too busy for it.
        let received = receive_multipart(site, request, data, &accepts, store_start(site, request)).await;
        if let Err(Error::Unavailable(_) | Error::NoRoom { .. }) = &received {
            store_start(site, request).await;
        }
        let received = received?;
        let mut form = Self::new(site, request, kind, received.values, BTreeMap::new()).await?;
        let uploads = staged::find(site, request, kind.entity, &form.settings).await?;
        form.files.extend(uploads.into_iter().map(|(field, upload)| (field, FormFile::uploaded(upload))));
        // A file in the body takes precedence over one that was uploaded before.
        form.files.extend(received.files.into_iter().map(|(field, file)| (field, FormFile::sent(file))));
        Ok(form)
    }

    /// Returns the text that was sent under this name, trimmed; "" without one.
    pub(super) fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", |text| trim(text))
    }
}
