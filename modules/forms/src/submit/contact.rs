//! Receives messages.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use festival_core::entity::{Datum, Values};
use festival_core::http::open_body;
use festival_core::post::{Receiver, Reply};
use festival_core::site::Site;
use festival_core::{Error, FieldError, Result, upload};
use rocket::http::Status;
use rocket::{Data, Request};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use ts_rs::TS;

use super::hash::{payload, plain};
use super::intake::{Intake, current_edition};
use super::new_submission::NewSubmission;
use crate::description::{CONTACT, CONTACT_MESSAGE, beside, texts};

/// The largest message that is read, in bytes.
const LARGEST: u64 = 128 * 1024;

/// What is said of a message with nothing in it.
const MESSAGE_MISSING: &str = "Please fill in message";

/// How long a message may take to arrive.
const PATIENCE: Duration = Duration::from_secs(20);

/// Receives messages.
pub(crate) struct ReceiveContact {
    pub(crate) intake: Arc<Intake>,
}

/// The answer to a message that was received.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct ContactReply {
    message: &'static str,
    success: &'static str,
}

#[rocket::async_trait]
impl Receiver for ReceiveContact {
    async fn admit(&self, site: &Site, request: &Request<'_>) -> Result<()> {
        if !request.content_type().is_some_and(|kind| kind.is_json()) {
            return Err(Error::UnsupportedType("Send the message as application/json.".into()));
        }
        self.intake.admit(site, request, &[&CONTACT]).await
    }

    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Reply> {
        let values = read(data).await?;
        let files = BTreeMap::new();
        let settings = Intake::settings(site).await?;
        let checked = Intake::check(site, &settings, &CONTACT_MESSAGE, Some(&CONTACT), &values, &files)?;
        if checked.record.iter().all(|datum| matches!(datum, Datum::Text(text) if text.is_empty())) {
            return Err(Error::Invalid(vec![FieldError::new("message", MESSAGE_MISSING)]));
        }
        let mut draft = NewSubmission {
            entity: &CONTACT_MESSAGE,
            prefix: "CM",
            edition: current_edition(site).await?,
            payload_hash: payload(&values, &files, beside::ELAPSED),
            is_quarantined: Intake::is_suspicious(&settings, &values),
            consent: Intake::consent(site, &settings, &CONTACT_MESSAGE, &values, &checked).await?,
            own_columns: Vec::new(),
            files,
            over_long: checked.over_long,
            findings: checked.findings,
            record: checked.record,
            sender: Default::default(),
            title: String::new(),
            subject: Vec::new(),
            is_late: false,
            now: site.clock.now(),
        };
        draft.sender = (draft.text("name").into(), draft.text("email").into());
        draft.subject = ["name", "contact", "message"].map(|name| plain(draft.text(name))).into();
        Intake::keep(site, &settings, request, draft).await?;
        Reply::json(Status::Ok, &ContactReply { message: texts::CONTACT_SUCCESS, success: texts::CONTACT_SUCCESS })
    }
}

/// Reads an object of texts. Names that we do not know are passed over, as in the forms with files.
async fn read(data: Data<'_>) -> Result<Values> {
    let late = |_| Error::Timeout("The message stopped coming.".into());
    let mut stream = open_body(data);
    let mut text = Vec::new();
    let mut limited = (&mut stream).take(LARGEST + 1);
    let read = tokio::time::timeout(PATIENCE, limited.read_to_end(&mut text)).await.map_err(late)?;
    read.map_err(|error| upload::incomplete_form(&error))?;
    if text.len() as u64 > LARGEST {
        upload::discard_rest(stream).await;
        return Err(Error::TooLarge(vec![FieldError::new("message", "This message is longer than we take.")]));
    }
    let malformed = |_| Error::BadRequest("This is not JSON in UTF-8.".into());
    let Value::Object(object) = serde_json::from_slice::<Value>(&text).map_err(malformed)? else {
        return Err(Error::BadRequest("Send one JSON object with the fields of the form.".into()));
    };
    let known = |name: &str| {
        CONTACT_MESSAGE.field(name).is_some()
            || matches!(name, beside::CONSENT | beside::NOTICE | beside::TRAP | beside::ELAPSED)
    };
    let mut values = Values::new();
    for (name, value) in object.into_iter().filter(|(name, _)| known(name)) {
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
