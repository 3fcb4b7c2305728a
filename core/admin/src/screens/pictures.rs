//! The picture library: upload pictures for texts, and write their alternative texts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::audit::Entry;
use crate::back_office::{AdminRequest, Screen};
use crate::identity::role::{Action, CONTENT};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::error::{Error, FieldError, Result};
use festival_files::checks::AcceptedKinds;
use festival_files::checks::kind::mime_types;
use festival_files::upload::{AcceptedFile, Accepts};
use festival_records::pictures::{self, ALT};

/// Path of the library.
pub(super) const HOME: &str = "/admin/pictures";
/// Pictures per page.
const PAGE_SIZE: usize = 48;
/// Folder of pictures that belong to no row, in the public store.
const FOLDER: &str = "pictures";
/// Prefix of the form field with the alternative text of a picture; its key follows.
const ALT_PREFIX: &str = "words-";

/// Makes `screen` accept a picture.
pub(super) fn accepting_picture(screen: Screen) -> Screen {
    screen.accepts(Accepts {
        texts: vec!["words".to_owned()],
        files: vec![AcceptedFile::of_organisers("picture", AcceptedKinds::Picture)],
        tolerate_errors: true,
        ..Accepts::default()
    })
}

/// Prefix of the form field with the alternative text that the page showed; the picture's key follows.
const SEEN_PREFIX: &str = "seen-";

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request, &Conflicts::new()).await?.into())
}

/// Messages for pictures whose text somebody else changed while the page was open, by key.
type Conflicts = BTreeMap<String, String>;

/// Returns the page, with the submitted texts in it.
async fn page(request: &AdminRequest, conflicts: &Conflicts) -> Result<Page> {
    let mut keys = request.site.media.public_pictures(request.now()).await?.to_vec();
    // The picture that was just uploaded comes first, even if it existed before.
    if let Some(index) = keys.iter().position(|key| key == request.query.get("first")) {
        keys[..=index].rotate_right(1);
    }
    let total = keys.len();
    let pages = total.div_ceil(PAGE_SIZE).max(1);
    let number = request.query.get("page").parse::<usize>().unwrap_or(1).clamp(1, pages);
    let submitted: Vec<String> = submitted_texts(request).map(|(key, _)| key.to_owned()).collect();
    // Submitted pictures are shown again, even if others are on this page by now.
    let shown = if submitted.is_empty() {
        keys.into_iter().skip((number - 1) * PAGE_SIZE).take(PAGE_SIZE).collect()
    } else {
        submitted
    };
    let texts = pictures::texts(&request.site.records, &mut *request.read().await?, &shown).await?;
    let row = |key: &String| {
        let (stored, name) = (texts.get(key).map_or("", String::as_str), format!("{ALT_PREFIX}{key}"));
        json!({
            "key": key,
            "name": name,
            "alt": stored,
            "value": if request.form.has(&name) { request.form.get(&name) } else { stored },
            "seen_name": format!("{SEEN_PREFIX}{key}"),
            "problem": conflicts.get(key),
        })
    };
    let mut picture = Input::new("file", "picture", "Picture").required();
    picture.accept = mime_types(AcceptedKinds::Picture);
    let mut description = Input::of(&ALT, request.form.get("words"));
    description.name = "words".to_owned();
    let max_characters = description.max;
    let to = |number: usize| request.address(HOME, &[("page", &number.to_string()), ("first", "")]);
    Ok(Reply::page("pictures", "Pictures")
        .inputs([picture, description])
        .with("rows", shown.iter().map(row).collect::<Vec<_>>())
        .with("describe", request.address(&format!("{HOME}/words"), &[]))
        .with("alt_label", ALT.label)
        .with("max_chars", max_characters)
        .with("total", total)
        .with("previous", (number > 1).then(|| to(number - 1)))
        .with("next", (number < pages).then(|| to(number + 1)))
        .with("may_edit", request.may(&CONTENT, Action::Edit)))
}

pub(super) async fn add(mut request: AdminRequest) -> Result<Reply> {
    let mut errors = std::mem::take(&mut request.field_errors);
    let Some(staged) = request.files.remove("picture") else {
        if errors.is_empty() {
            errors.push(FieldError::new("picture", "Choose a picture"));
        }
        return Ok(page(&request, &Conflicts::new()).await?.refused(Error::Invalid(errors))?.into());
    };
    request.add_remark(&staged);
    let key = request.site.media.commit_public(FOLDER, staged).await?;
    let mut write = request.write().await?;
    // A picture that existed before may have a text that the page did not show.
    let (records, editor) = (&request.site.records, request.editor()?);
    let texts = ("", request.form.get("words"));
    if let Err(error) = pictures::describe(records, &mut write, &key, texts, &editor).await {
        drop(write);
        return Ok(page(&request, &Conflicts::new()).await?.refused(error)?.into());
    }
    request.commit(write, Entry::new("add", "picture").after(json!({ "key": key }))).await?;
    Ok(Reply::redirect(format!("{HOME}?first={key}")).done(format!("Picture added.{}", request.remarks)).into())
}

/// Iterates over the submitted alternative texts, by the picture's key.
fn submitted_texts(request: &AdminRequest) -> impl Iterator<Item = (&str, &str)> {
    request.form.iter().filter_map(|(name, text)| Some((name.strip_prefix(ALT_PREFIX)?, text)))
}

/// Stores the alternative texts of several pictures: all, or none if somebody else changed one in the meantime.
pub(super) async fn describe(request: AdminRequest) -> Result<Reply> {
    let (records, editor) = (&request.site.records, request.editor()?);
    // The store is asked before the transaction begins: it may be slow.
    let mut stored = BTreeSet::new();
    for (key, _) in submitted_texts(&request) {
        if request.site.media.has_public(key).await? {
            stored.insert(key);
        }
    }
    let mut write = request.write().await?;
    let (mut changed, mut conflicts) = (false, Conflicts::new());
    // Keys that name no picture are ignored.
    for (key, text) in submitted_texts(&request).filter(|(key, _)| stored.contains(key)) {
        let seen = request.form.get(&format!("{SEEN_PREFIX}{key}"));
        match pictures::describe(records, &mut write, key, (seen, text), &editor).await {
            Ok(true) => {
                let state = |text: &str| json!({ "key": key, "words": text });
                let entry = Entry::new("describe", "picture").before(state(seen)).after(state(text));
                request.audit(&mut write, entry).await?;
                changed = true;
            }
            Ok(false) => {}
            Err(Error::Conflict(message)) => drop(conflicts.insert(key.to_owned(), message)),
            Err(error) => return Err(error),
        }
    }
    if !conflicts.is_empty() {
        drop(write);
        let message = "Somebody else changed some of these texts in the meantime. Yours have not been saved. Check the \
                       marked pictures, and save again if your texts are still right.";
        return Ok(page(&request, &conflicts).await?.refused(Error::Conflict(message.into()))?.into());
    }
    if changed {
        write.commit().await?;
    }
    Ok(Reply::redirect(request.address(HOME, &[])).done("Alternative texts saved.").into())
}
