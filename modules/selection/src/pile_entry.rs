//! An entry of a pile: the question about conflicts of interest, then what was sent, beside the form of the review.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Input, Page, Reply, nothing_here};
use festival_core::db::{Datum, Select, Test, timestamp_text};
use festival_core::entity::{Field, Kind};
use festival_core::text::is_web_address;
use festival_core::{Error, Result, time_text};
use rocket::http::ContentType;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::outline::{FILM_SUBMISSION, SCREENER_PASSWORDS};
use crate::pile::{self, Item, PILE};
use crate::review::{self, Review};
use crate::round::{Round, compute_results};

/// Why a reviewer has a conflict of interest.
const REASON: Field = Field::new("reason", "Reason", Kind::Lines { max: 500 });

/// A field that reviewers see: column, label, and whether it says who made the film, which blind rounds hide.
type Shown = (&'static str, &'static str, bool);

const FIELDS: &[Shown] = &[
    ("title_original", "Original title", false),
    ("director_name", "Director", true),
    ("producer_name", "Producer", true),
    ("year_of_production", "Year", false),
    ("subtitles", "English subtitles", false),
    ("is_first_or_second_feature", "First or second feature", false),
    ("synopsis_short", "Short synopsis", false),
    ("synopsis_long", "Long synopsis", false),
    ("cast_and_crew", "Cast and crew", true),
    ("biography", "Biography of the director", true),
    ("technical_features", "Technical features", false),
];

/// Pictures that reviewers see unless the round is blind.
const PICTURES: [&str; 2] = ["film_poster", "director_photo"];

/// Texts of a submission, in the order of `columns`; numbers are written out.
async fn texts(connection: &mut AnyConnection, film: i64, columns: &[&'static str]) -> Result<Vec<String>> {
    let select = Select::new(FILM_SUBMISSION.table, columns.iter().map(|column| format!("t.{column}")));
    let rows = select.filter("t.id", Test::Is, Datum::Integer(film)).newest(connection, 1).await?;
    let (_, values) = rows.into_iter().next().ok_or_else(nothing_here)?;
    let text = |value| match value {
        Datum::Text(text) | Datum::Reference(text) => text,
        Datum::Integer(number) => number.to_string(),
        Datum::Null => String::new(),
    };
    Ok(values.into_iter().map(text).collect())
}

/// Handles `GET` of an entry.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let mut connection = request.read().await?;
    let (round, item) = pile::find(request, &mut connection).await?;
    let entry = Entry::new("view", FILM_SUBMISSION.table).id(item.film);
    let is_open = round.is_open(request.now());
    let page = Reply::page("pile-entry", &item.title)
        .crumb("My entries", PILE)
        .with("item", &item)
        .with("round", &round.name)
        .with("is_blind", round.is_blind == 1)
        .with("is_open", is_open)
        .with("ends_at", time_text::long(&round.ends_at, &request.site.time_zone))
        .with("path", item.path())
        .with("next", pile::next(request, &mut connection, &item).await?)
        .with("is_opened", item.opened_at.is_some())
        .with("reason", Input::of(&REASON, ""));
    if item.opened_at.is_none() {
        let people = match round.is_blind {
            1 => Vec::new(),
            _ => texts(&mut connection, item.film, &["director_name", "producer_name"]).await?,
        };
        return Ok(page.with("people", people).shows_people(entry));
    }
    let criteria = Round::criteria(&mut connection, round.id).await?;
    let reviews = review::of_film(&mut connection, round.id, item.film).await?;
    let own = reviews.iter().find(|review| review.juror_id == item.juror);
    let zone = &request.site.time_zone;
    // Whoever has not scored yet is not to be influenced.
    let is_shown = |other: &&Review| own.is_some_and(|own| own.juror_id != other.juror_id) && other.has_conflict == 0;
    let sent = sent(request, &mut connection, &round, &item).await?;
    Ok(page
        .with("sent", sent)
        .with("saved_at", own.map(|review| time_text::short(&review.saved_at, zone)))
        .with("own_score", own.map(|review| &review.score))
        .with("others", reviews.iter().filter(is_shown).collect::<Vec<_>>())
        .inputs(review::inputs(request, &criteria, own))
        .shows_people(entry))
}

/// What was sent, as far as the round shows it.
async fn sent(request: &AdminRequest, connection: &mut AnyConnection, round: &Round, item: &Item) -> Result<Value> {
    let shown: Vec<&Shown> = FIELDS.iter().filter(|(.., says_who)| !says_who || round.is_blind == 0).collect();
    let columns: Vec<&'static str> = shown.iter().map(|(column, ..)| *column).collect();
    let values = texts(connection, item.film, &columns).await?;
    let fields = shown.iter().zip(values).filter(|(_, text)| !text.is_empty());
    let fields: Vec<Value> = fields.map(|((_, label, _), text)| json!({ "label": label, "text": text })).collect();
    let screener = texts(connection, item.film, &["screener_link", SCREENER_PASSWORDS.column, "stills_link"]).await?;
    let password = request.site.secrets.decrypt(&SCREENER_PASSWORDS, &item.reference, &screener[1]);
    let password = match password {
        Some(password) if password.eq_ignore_ascii_case("no") => String::new(),
        Some(password) => password,
        None => "cannot be read: ask the chair".to_owned(),
    };
    let stills = Some(&screener[2]).filter(|link| round.is_blind == 0 && is_web_address(link));
    let mut pictures = Vec::new();
    for field in PICTURES.into_iter().filter(|_| round.is_blind == 0) {
        let file = file(connection, item, field).await?;
        pictures.extend(file.filter(|(_, mime)| mime.starts_with("image/")).map(|_| field));
    }
    Ok(json!({
        "fields": fields,
        "screener": screener[0],
        "screener_is_link": is_web_address(&screener[0]),
        "password": password,
        "stills": stills,
        "pictures": pictures,
    }))
}

/// Key and type of a file.
async fn file(connection: &mut AnyConnection, item: &Item, field: &str) -> Result<Option<(String, String)>> {
    let file = sqlx::query_as("SELECT key, mime FROM submission_files WHERE film_submission_id = $1 AND field = $2");
    Ok(file.bind(item.film).bind(field).fetch_optional(connection).await?)
}

/// Handles `GET {id}/files/{field}`: a picture, unless the round is blind or the entry was not opened.
pub(crate) async fn send_file(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let (round, item) = pile::find(&request, &mut connection).await?;
    let field = request.params.get("field").and_then(|name| PICTURES.into_iter().find(|field| field == name));
    let field = field.filter(|_| round.is_blind == 0 && item.opened_at.is_some()).ok_or_else(nothing_here)?;
    let (key, mime) = file(&mut connection, &item, field).await?.ok_or_else(nothing_here)?;
    drop(connection);
    let content = request.site.media.open_private(&key).await?;
    let extension = key.rsplit_once('.').map_or("bin", |(_, extension)| extension);
    let name = format!("{} {field}.{extension}", item.reference);
    let content_type = ContentType::parse_flexible(&mime).unwrap_or(ContentType::Binary);
    let entry = Entry::new("view file", FILM_SUBMISSION.table).id(item.film).after(json!({ "file": field }));
    Ok(Reply::file(name, content_type, content).await?.shows_people(entry))
}

/// Handles `POST {id}/open`: the reviewer states that there is no conflict of interest.
pub(crate) async fn open(request: AdminRequest) -> Result<Reply> {
    let mut write = request.write_private().await?;
    let (_, item) = pile::find(&request, &mut write).await?;
    let open = sqlx::query("UPDATE selection_assignments SET opened_at = $1 WHERE id = $2 AND opened_at IS NULL");
    open.bind(timestamp_text(request.now())).bind(item.id).execute(&mut *write).await?;
    request.commit(write, Entry::new("state no conflict", FILM_SUBMISSION.table).id(item.film)).await?;
    Ok(Reply::redirect(item.path()).into())
}

/// Handles `POST {id}/conflict`: the entry leaves the pile, and the chair sees why.
pub(crate) async fn declare_conflict(request: AdminRequest) -> Result<Reply> {
    let reason = review::text_of(&request, &REASON).map_err(|error| Error::Invalid(vec![error]))?;
    let mut write = request.write_private().await?;
    let (round, item) = pile::find(&request, &mut write).await?;
    let next = pile::next(&request, &mut write, &item).await?;
    let declare = sqlx::query(
        "INSERT INTO selection_conflicts (film_submission_id, juror_id, reason, declared_at) VALUES ($1, $2, $3, $4)",
    );
    let declare = declare.bind(item.film).bind(item.juror).bind(reason);
    declare.bind(timestamp_text(request.now())).execute(&mut *write).await?;
    // A review that was written before does not count any more.
    compute_results(&mut write, round.id, item.film).await?;
    request.commit(write, Entry::new("declare conflict", FILM_SUBMISSION.table).id(item.film)).await?;
    Ok(Reply::redirect(next).done(format!("{} is no longer among your entries.", item.reference)).into())
}

/// Handles `POST {id}`: stores the review, and goes on to the next entry if asked to.
pub(crate) async fn save(request: AdminRequest) -> Result<Reply> {
    match store(&request).await {
        Ok(next) => Ok(Reply::redirect(next).done("Your review is saved.").into()),
        Err(error) => Ok(page(&request).await?.refused(error)?.into()),
    }
}

async fn store(request: &AdminRequest) -> Result<String> {
    let mut write = request.write_private().await?;
    let (round, item) = pile::find(request, &mut write).await?;
    if item.opened_at.is_none() {
        return Err(nothing_here());
    }
    if !round.is_open(request.now()) {
        return Err(Error::Conflict("The round has ended. Reviews cannot be changed any more.".into()));
    }
    review::store(&mut write, request, &round, (item.film, item.juror)).await?;
    let next = match request.form.get("then") {
        "next" => pile::next(request, &mut write, &item).await?,
        _ => item.path(),
    };
    request.commit(write, Entry::new("review", FILM_SUBMISSION.table).id(item.film)).await?;
    Ok(next)
}
