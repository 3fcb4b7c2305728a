//! What the API's description says of the forms' bodies, made from the description of the forms.

use festival_core::entity::{Field, Kind};
use festival_core::upload::Accepts;
use serde_json::{Map, Value, json};

use crate::description::{Form, beside};

/// The JSON schema of what is sent to a form.
pub(crate) fn body(form: &Form, choices_of_form: bool) -> Value {
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
    let text = |meaning: &str| json!({ "type": "string", "description": meaning });
    if form.entity.field("film_type").is_some() {
        properties.insert(beside::AWARD.into(), text("The award: asian, indian or malayalam."));
        properties.insert(beside::DECLARED_FEATURE.into(), text("The label that was chosen for the feature."));
    }
    properties.insert(beside::CONSENT.into(), text("\"yes\" where the notice on personal data was agreed to."));
    properties.insert(
        beside::NOTICE.into(),
        text("The version of the notice that was shown, of /forms/; the present one where it is missing."),
    );
    properties.insert(
        beside::ELAPSED.into(),
        text("Seconds from the form's appearance to its sending; 0 where they are not known."),
    );
    json!({ "type": "object", "properties": properties, "required": required })
}

fn property(form: &Form, field: &Field, choices_of_form: bool) -> Value {
    // What a client should send. Odd values are kept and flagged, not refused, so that nothing here is a limit.
    let longest = Accepts::default().max_text_bytes;
    let mut description = field.label.to_owned();
    let mut schema = match field.kind {
        Kind::File { pdf } => json!({
            "type": "string",
            "contentMediaType": if pdf { "image/jpeg, image/png, image/webp, application/pdf" } else { "image/jpeg, image/png, image/webp" },
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
        Kind::Link => json!({ "type": "string", "maxLength": longest }),
        _ => json!({ "type": "string", "maxLength": longest }),
    };
    schema["description"] = json!(description);
    if !field.default.is_empty() {
        schema["default"] = json!(field.default);
    }
    schema
}
