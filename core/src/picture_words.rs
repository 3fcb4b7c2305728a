//! What is to be seen on pictures, in words, for those who do not see them.
//!
//! The words belong to the picture, not to the row that shows it: whoever uses it again need not say it again. The API
//! says them beside the picture's address: `image`, `image_alt`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sqlx::AnyConnection;

use crate::app::App;
use crate::error::Result;

/// The language of the words: that of the pages around them.
const LANG: &str = "en";
/// The most characters of the words of one picture.
pub(crate) const LONGEST: usize = 300;

/// The words of every picture that has some, by the picture's key.
pub(crate) async fn all(connection: &mut AnyConnection) -> Result<BTreeMap<String, String>> {
    let rows =
        sqlx::query_as("SELECT key, words FROM picture_words WHERE lang = $1").bind(LANG).fetch_all(connection).await?;
    Ok(rows.into_iter().collect())
}

/// The words of the picture `key`; empty where nobody has said any.
pub(crate) async fn find(connection: &mut AnyConnection, key: &str) -> Result<String> {
    let words: Option<String> = sqlx::query_scalar("SELECT words FROM picture_words WHERE key = $1 AND lang = $2")
        .bind(key.to_owned())
        .bind(LANG)
        .fetch_optional(connection)
        .await?;
    Ok(words.unwrap_or_default())
}

/// Gives a picture other words, or takes them away. Answers whether that changed anything.
pub(crate) async fn keep(connection: &mut AnyConnection, key: &str, words: &str) -> Result<bool> {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if find(connection, key).await? == words {
        return Ok(false);
    }
    sqlx::query("DELETE FROM picture_words WHERE key = $1 AND lang = $2")
        .bind(key.to_owned())
        .bind(LANG)
        .execute(&mut *connection)
        .await?;
    if !words.is_empty() {
        sqlx::query("INSERT INTO picture_words (key, lang, words) VALUES ($1, $2, $3)")
            .bind(key.to_owned())
            .bind(LANG)
            .bind(words)
            .execute(connection)
            .await?;
    }
    Ok(true)
}

/// An answer of the API with the words of its pictures.
pub(crate) async fn add(app: &App, answer: Vec<u8>, base_url: &str) -> Result<Vec<u8>> {
    let media = format!("{base_url}/media/");
    if !String::from_utf8_lossy(&answer).contains(&media) {
        return Ok(answer);
    }
    let words = all(&mut *app.db.read().await?).await?;
    if words.is_empty() {
        return Ok(answer);
    }
    let mut json = serde_json::from_slice(&answer)?;
    let said = |address: &str| words.get(address.strip_prefix(&media)?);
    Ok(if describe(&mut json, &said) { serde_json::to_vec(&json)? } else { answer })
}

/// Puts words beside the addresses of pictures, and answers whether there was one with some.
fn describe<'a>(json: &mut Value, said: &impl Fn(&str) -> Option<&'a String>) -> bool {
    match json {
        Value::Array(items) => describe_all(items.iter_mut(), said),
        Value::Object(fields) => {
            let found: Map<String, Value> = fields
                .iter()
                .filter_map(|(name, value)| Some((format!("{name}_alt"), said(value.as_str()?)?.clone().into())))
                .collect();
            let below = describe_all(fields.values_mut(), said);
            let here = !found.is_empty();
            fields.extend(found);
            here || below
        }
        _ => false,
    }
}

fn describe_all<'a, 'b>(
    values: impl Iterator<Item = &'b mut Value>,
    said: &impl Fn(&str) -> Option<&'a String>,
) -> bool {
    // Every one, also after one with words.
    values.map(|value| describe(value, said)).filter(|any| *any).count() > 0
}
