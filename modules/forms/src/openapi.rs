//! JSON schemas of the bodies that the forms' endpoints accept, made from the description of the forms.

use festival_core::checks::AcceptedKinds;
use festival_core::checks::kind::mime_types;
use festival_core::entity::{Field, Kind};
use festival_core::upload::Accepts;
use serde_json::{Map, Value, json};

use crate::description::{Fee, Form, extra_fields};

/// Returns the schema of the body of `form`. `choices_of_form`: only the choices that this form offers.
pub(crate) fn form_body(form: &Form, choices_of_form: bool) -> Value {
    let mut properties: Map<String, Value> = form
        .entity
        .fields
        .iter()
        .map(|field| (field.name.to_owned(), property(form, field, choices_of_form)))
        .collect();
    let required: Vec<&str> = form
        .entity
        .fields
        .iter()
        .filter(|field| field.required && field.default.is_empty())
        .map(|field| field.name)
        .collect();
    let text = |description: &str| json!({ "type": "string", "description": description });
    if form.entity.field("film_type").is_some() {
        properties.insert(extra_fields::AWARD.into(), text("The award: asian, indian or malayalam."));
        properties.insert(extra_fields::DECLARED_FEATURE.into(), text("The label that was chosen for the feature."));
    }
    if form.fee != Fee::None {
        let code = "The payment code: six characters that the sender wrote into the note of the payment.";
        properties.insert(extra_fields::PAYMENT_CODE.into(), text(code));
        let utr = "The UTR, the number under which the bank keeps the payment: 12 digits, 16 characters or 22.";
        properties.insert(extra_fields::PAYMENT_UTR.into(), text(utr));
        properties.insert(extra_fields::FEE_CODE.into(), text("A code that reduces or waives the fee."));
    }
    properties.insert(extra_fields::CONSENT.into(), text("\"yes\" where the notice on personal data was agreed to."));
    properties.insert(
        extra_fields::NOTICE.into(),
        text("The version of the notice that was shown, of /forms/; the present one where it is missing."),
    );
    properties.insert(
        extra_fields::ELAPSED.into(),
        text("Seconds from the form's appearance to its sending; 0 where they are not known."),
    );
    json!({ "type": "object", "properties": properties, "required": required })
}

/// Returns the schema of `form` as a JSON body: numbers and booleans are accepted too and stored as text, null as empty.
pub(crate) fn json_body(form: &Form) -> Value {
    let mut body = form_body(form, true);
    for property in body["properties"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        property["type"] = json!(["string", "number", "boolean", "null"]);
    }
    body
}

fn property(form: &Form, field: &Field, choices_of_form: bool) -> Value {
    // A client should send these values. Unusual ones are stored and flagged, so only the length is a limit.
    let max_length = Accepts::default().max_text_bytes;
    let mut description = field.label.to_owned();
    let mut schema = match field.kind {
        Kind::File { pdf } => json!({
            "type": "string",
            "contentMediaType":
                mime_types(if pdf { AcceptedKinds::PictureOrPdf } else { AcceptedKinds::Picture }).replace(',', ", "),
        }),
        Kind::Integer { .. } | Kind::Year => json!({ "type": ["integer", "string"] }),
        Kind::Choice(all) => {
            let mut values: Vec<&str> = match form.choices(field) {
                Some(choices) if choices_of_form => choices.iter().map(|choice| choice.value).collect(),
                _ => all.iter().map(|(value, _)| *value).collect(),
            };
            values.dedup();
            description = format!("{description}: {}", values.join(", "));
            json!({ "type": "string", "examples": values })
        }
        Kind::Email => json!({ "type": "string", "format": "email", "maxLength": 254 }),
        _ => json!({ "type": "string", "maxLength": max_length }),
    };
    schema["description"] = json!(description);
    if !field.default.is_empty() {
        schema["default"] = json!(field.default);
    }
    schema
}

/// Returns the schema of the upload of one file of `form`, under the name of its field.
pub(crate) fn file_body(form: &Form) -> Value {
    let properties: Map<String, Value> = form
        .entity
        .fields
        .iter()
        .filter_map(|field| match field.kind {
            Kind::File { pdf } => Some((field, if pdf { "a picture or a PDF" } else { "a picture" })),
            _ => None,
        })
        .map(|(field, what)| {
            let schema = json!({ "type": "string", "description": format!("{}: {what}", field.label) });
            (field.name.to_owned(), schema)
        })
        .collect();
    json!({ "type": "object", "properties": properties, "minProperties": 1, "maxProperties": 1 })
}
