//! What is to be seen on pictures, in words, for those who do not see them.
//!
//! The words belong to the picture, not to the row that shows it: whoever uses it again need not say it again. The API
//! says them beside the picture's address: `image`, `image_alt`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sqlx::AnyConnection;

use festival_base::db::Db;
use festival_base::error::{Error, Result};

/// The language of the words: that of the pages around them.
const LANG: &str = "en";
/// The most characters of the words of one picture.
pub const LONGEST: usize = 300;

/// The words of every picture that has some, by the picture's key.
pub async fn all(connection: &mut AnyConnection) -> Result<BTreeMap<String, String>> {
    let rows =
        sqlx::query_as("SELECT key, words FROM picture_words WHERE lang = $1").bind(LANG).fetch_all(connection).await?;
    Ok(rows.into_iter().collect())
}

/// The words of the picture `key`; empty where nobody has said any.
pub async fn find(connection: &mut AnyConnection, key: &str) -> Result<String> {
    let words: Option<String> = sqlx::query_scalar("SELECT words FROM picture_words WHERE key = $1 AND lang = $2")
        .bind(key.to_owned())
        .bind(LANG)
        .fetch_optional(connection)
        .await?;
    Ok(words.unwrap_or_default())
}

/// What the words are called beside the picture that is called `name`: `image_alt`.
pub fn name(name: &str) -> String {
    format!("{name}_alt")
}

/// The words as they are kept: one line of at most [`LONGEST`] characters.
pub fn line(words: &str) -> String {
    let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
    words.trim_end().to_owned()
}

/// Gives a picture other words, or takes them away. `seen` are those that were there when the new ones were written.
/// Answers whether that changed anything.
///
/// [`Error::Conflict`]: there are others by now, and they stay.
pub async fn keep(connection: &mut AnyConnection, key: &str, seen: &str, words: &str) -> Result<bool> {
    let words = line(words);
    let now = find(connection, key).await?;
    if words == seen || words == now {
        return Ok(false);
    }
    // Each statement looks itself whether they still are as they were seen: two at once do not overwrite each other.
    let sql = match (seen.is_empty(), words.is_empty()) {
        (true, _) => {
            "INSERT INTO picture_words (key, lang, words) VALUES ($1, $2, $3) ON CONFLICT (key, lang) DO NOTHING"
        }
        (_, true) => "DELETE FROM picture_words WHERE key = $1 AND lang = $2 AND words = $3",
        _ => "UPDATE picture_words SET words = $3 WHERE key = $1 AND lang = $2 AND words = $4",
    };
    let third = if words.is_empty() { seen.to_owned() } else { words.clone() };
    let mut query = sqlx::query(sql).bind(key.to_owned()).bind(LANG).bind(third);
    if !seen.is_empty() && !words.is_empty() {
        query = query.bind(seen.to_owned());
    }
    if query.execute(connection).await?.rows_affected() == 1 {
        return Ok(true);
    }
    Err(Error::Conflict(match now.as_str() {
        "" => "Somebody else has taken away what was said of this picture.".to_owned(),
        now => format!("Somebody else has written of this picture: “{now}”."),
    }))
}

/// An answer of the API with the words of its pictures.
pub async fn add(db: &Db, answer: Vec<u8>, base_url: &str) -> Result<Vec<u8>> {
    let media = format!("{base_url}/media/");
    if !String::from_utf8_lossy(&answer).contains(&media) {
        return Ok(answer);
    }
    let words = all(&mut *db.read().await?).await?;
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
                .filter_map(|(name, value)| Some((self::name(name), said(value.as_str()?)?.clone().into())))
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
