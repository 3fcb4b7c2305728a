//! Alternative texts of pictures, for people who cannot see them.
//!
//! A text is stored by the picture's key, not with the row that shows it, so it need not be written again where the
//! picture is used again. The API has it next to the picture's URL: `image`, `image_alt`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sqlx::AnyConnection;

use festival_base::db::Db;
use festival_base::error::{Error, Result};

/// The language of the texts: that of the pages.
const LANG: &str = "en";
/// Most characters of a text.
pub const MAX_CHARS: usize = 300;

/// All texts by the picture's key.
///
/// # Errors
/// If the database cannot be read.
pub async fn all(connection: &mut AnyConnection) -> Result<BTreeMap<String, String>> {
    let rows = sqlx::query_as("SELECT key, alt FROM alternative_texts WHERE lang = $1")
        .bind(LANG)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().collect())
}

/// The text of the picture `key`; "" if it has none.
///
/// # Errors
/// If the database cannot be read.
pub async fn find(connection: &mut AnyConnection, key: &str) -> Result<String> {
    let alt: Option<String> = sqlx::query_scalar("SELECT alt FROM alternative_texts WHERE key = $1 AND lang = $2")
        .bind(key.to_owned())
        .bind(LANG)
        .fetch_optional(connection)
        .await?;
    Ok(alt.unwrap_or_default())
}

/// The name of the field for the text of the picture in the field `name`: `image_alt`.
pub fn field_name(name: &str) -> String {
    format!("{name}_alt")
}

/// The text as it is stored: one line of at most [`MAX_CHARS`] characters.
pub fn normalise(alt: &str) -> String {
    let alt: String = alt.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_CHARS).collect();
    alt.trim_end().to_owned()
}

/// Stores the text of a picture; "" deletes it. `expected` is the text that the editor saw. Returns whether anything
/// changed.
///
/// # Errors
/// [`Error::Conflict`] if the picture has another text by now, which stays.
pub async fn store(connection: &mut AnyConnection, key: &str, expected: &str, alt: &str) -> Result<bool> {
    let alt = normalise(alt);
    let stored = find(connection, key).await?;
    if alt == expected || alt == stored {
        return Ok(false);
    }
    // Each statement checks the expected text itself, so that two editors at once do not overwrite each other.
    let sql = match (expected.is_empty(), alt.is_empty()) {
        (true, _) => {
            "INSERT INTO alternative_texts (key, lang, alt) VALUES ($1, $2, $3) ON CONFLICT (key, lang) DO NOTHING"
        }
        (_, true) => "DELETE FROM alternative_texts WHERE key = $1 AND lang = $2 AND alt = $3",
        _ => "UPDATE alternative_texts SET alt = $3 WHERE key = $1 AND lang = $2 AND alt = $4",
    };
    let third = if alt.is_empty() { expected.to_owned() } else { alt.clone() };
    let mut query = sqlx::query(sql).bind(key.to_owned()).bind(LANG).bind(third);
    if !expected.is_empty() && !alt.is_empty() {
        query = query.bind(expected.to_owned());
    }
    if query.execute(connection).await?.rows_affected() == 1 {
        return Ok(true);
    }
    Err(Error::Conflict(match stored.as_str() {
        "" => "Somebody else has deleted the alternative text of this picture.".to_owned(),
        stored => format!("Somebody else has changed the alternative text of this picture to “{stored}”."),
    }))
}

/// Adds the alternative texts of its pictures to a JSON response of the API.
///
/// # Errors
/// If the database cannot be read or the response is not JSON.
pub async fn add(db: &Db, response: Vec<u8>, base_url: &str) -> Result<Vec<u8>> {
    let media = format!("{base_url}/media/");
    if !String::from_utf8_lossy(&response).contains(&media) {
        return Ok(response);
    }
    let alt = all(&mut *db.read().await?).await?;
    if alt.is_empty() {
        return Ok(response);
    }
    let mut json = serde_json::from_slice(&response)?;
    let alt_of = |url: &str| alt.get(url.strip_prefix(&media)?);
    Ok(if insert_texts(&mut json, &alt_of) { serde_json::to_vec(&json)? } else { response })
}

/// Inserts texts next to the URLs of pictures, and returns whether there were any.
fn insert_texts<'a>(json: &mut Value, alt_of: &impl Fn(&str) -> Option<&'a String>) -> bool {
    match json {
        Value::Array(items) => insert_all(items.iter_mut(), alt_of),
        Value::Object(fields) => {
            let texts: Map<String, Value> = fields
                .iter()
                .filter_map(|(name, value)| Some((field_name(name), alt_of(value.as_str()?)?.clone().into())))
                .collect();
            let is_nested = insert_all(fields.values_mut(), alt_of);
            let has_texts = !texts.is_empty();
            fields.extend(texts);
            has_texts || is_nested
        }
        _ => false,
    }
}

fn insert_all<'a, 'b>(
    values: impl Iterator<Item = &'b mut Value>,
    alt_of: &impl Fn(&str) -> Option<&'a String>,
) -> bool {
    // Not `any`, which would stop at the first value with a text.
    values.map(|value| insert_texts(value, alt_of)).filter(|inserted| *inserted).count() > 0
}
