//! Receives messages from the contact form, as JSON.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use festival_core::entity::{Datum, Values};
use festival_core::http::open_body;
use festival_core::post::Receiver;
use festival_core::site::Site;
use festival_core::{Error, FieldError, Result, upload};
use rocket::{Data, Request};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use ts_rs::TS;

use super::intake::Intake;
use super::received::ReceivedForm;
use crate::description::{CONTACT, CONTACT_MESSAGE, extra_fields, texts};
use crate::submissions;

/// Largest body, in bytes.
const MAX_BYTES: u64 = 128 * 1024;

/// Error for a message without any content.
const MESSAGE_MISSING: &str = "Please fill in message";

/// Longest time in which a body must arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// Receives messages.
pub(crate) struct ContactReceiver {
    pub(crate) intake: Arc<Intake>,
}

/// The response to a message that was received.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct ContactReply {
    message: &'static str,
    success: &'static str,
}

#[rocket::async_trait]
impl Receiver<Site> for ContactReceiver {
    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Vec<u8>> {
        if !request.content_type().is_some_and(|kind| kind.is_json()) {
            return Err(Error::UnsupportedType("Send the message as application/json.".into()));
        }
        self.intake.admit(site, request, &[&CONTACT]).await?;
        let values = read_json(data).await?;
        let form = ReceivedForm::new(site, request, submissions::contact(), values, BTreeMap::new()).await?;
        let valid = form.validate(Some(&CONTACT))?;
        if valid.record.iter().all(|datum| matches!(datum, Datum::Text(text) if text.is_empty())) {
            return Err(Error::Invalid(vec![FieldError::new("message", MESSAGE_MISSING)]));
        }
        form.submission(valid, "CM").await?.store(request).await?;
        let reply = ContactReply { message: texts::CONTACT_SUCCESS, success: texts::CONTACT_SUCCESS };
        Ok(serde_json::to_vec(&reply)?)
    }
}

/// Reads a JSON object of texts. Unknown names are ignored, as in the forms with files.
async fn read_json(data: Data<'_>) -> Result<Values> {
    let late = |_| Error::Timeout("The message stopped coming.".into());
    let mut stream = open_body(data);
    let mut text = Vec::new();
    let mut limited = (&mut stream).take(MAX_BYTES + 1);
    let read = tokio::time::timeout(BODY_TIMEOUT, limited.read_to_end(&mut text)).await.map_err(late)?;
    read.map_err(|error| upload::incomplete_form(&error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(Error::TooLarge(vec![FieldError::new("message", "This message is too long.")]));
    }
    let malformed = |_| Error::BadRequest("This is not JSON in UTF-8.".into());
    let Value::Object(object) = serde_json::from_slice::<Value>(&text).map_err(malformed)? else {
        return Err(Error::BadRequest("Send one JSON object with the fields of the form.".into()));
    };
    let is_known = |name: &str| CONTACT_MESSAGE.field(name).is_some() || extra_fields::COMMON.contains(&name);
    let mut values = Values::new();
    for (name, value) in object.into_iter().filter(|(name, _)| is_known(name)) {
        match value {
            Value::String(text) => values.insert(name, text),
            Value::Number(number) => values.insert(name, number.to_string()),
            Value::Bool(flag) => values.insert(name, flag.to_string()),
            Value::Null => None,
            Value::Array(_) | Value::Object(_) => {
                return Err(Error::Invalid(vec![FieldError::new(&name, format!("{name} must be text"))]));
            }
        };
    }
    Ok(values)
}
