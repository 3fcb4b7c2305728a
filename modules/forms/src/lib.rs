//! The forms: registration of delegates and members, film submission, contact.

mod closing;
pub mod description;
mod export;
mod finding;
mod following;
mod limit;
mod mails;
mod moment;
mod notice;
mod open;
mod openapi;
pub mod parse;
mod personal;
mod proof_of_work;
mod review;
pub mod settings;
mod submissions;
mod submit;
mod sweep;
pub mod text;
mod typescript;
pub mod words;

use std::sync::Arc;

use festival_core::post::Receiver;
use festival_core::{Endpoint, Module, Page, Post, Registry, RequestContext, Result, SocialCard, edition, migration};
use rocket::http::Status;
use schemars::JsonSchema;
use ts_rs::TS;

use crate::description::{ASIAN, CONTACT, DELEGATE_FORM, FILM_FORMS, Form, INDIAN, MALAYALAM};
use crate::personal::Submissions;
use crate::settings::FormsSettings;
use crate::submissions::SCREENER_PASSWORDS;
use crate::submit::staged::{self, ReceiveFile, StagedReply};
use crate::submit::{ContactReply, Intake, Receipt, ReceiveContact, ReceiveDelegate, ReceiveFilm};
use crate::sweep::{Sweep, SweepCommand};

/// Its name, in the settings too.
const MODULE: &str = "forms";

/// What is said of the header of a solution.
const SOLUTION: &str =
    "The solution of the challenge in a 429, as <salt>:<number>:<signature>: it lets one request pass the limit.";

/// The module.
pub struct FormsModule;

impl Module for FormsModule {
    fn name(&self) -> &'static str {
        MODULE
    }

    fn register(&self, registry: &mut Registry) {
        let settings = registry.section::<FormsSettings>();
        let intake = Arc::new(Intake::new(&settings));
        crate::review::register(registry);
        registry
            .migrations([migration!("forms", "0501", "forms")])
            .endpoint(Endpoint::get(
                "/forms/",
                "When the forms close, how strict they are, and what follows them.",
                open::find_rules,
            ))
            .settings_group(&closing::CLOSING)
            .settings_group(&following::AFTER_SENDING)
            .post(post::<Receipt>(
                "/delegate-form/",
                "Registers a delegate or a member.",
                ReceiveDelegate { intake: intake.clone() },
                &DELEGATE_FORM,
                true,
            ))
            .post(
                post::<Receipt>(
                    "/changed/",
                    "Submits a film for one of the awards.",
                    film(&intake, None),
                    &ASIAN,
                    false,
                )
                .reads_query("category", "The award, where the form does not say it: asian, indian or malayalam."),
            )
            .post(film_at("/asian-form/", "Submits a film for the Asian awards.", &intake, &ASIAN))
            .post(film_at("/indian-form/", "Submits a film for the Indian award.", &intake, &INDIAN))
            .post(film_at("/malayalam-form/", "Submits a film for the Malayalam award.", &intake, &MALAYALAM))
            .post(
                post::<ContactReply>(
                    "/contact/",
                    "Sends a message to the organisers.",
                    ReceiveContact { intake: intake.clone() },
                    &CONTACT,
                    true,
                )
                .takes("application/json", openapi::body(&CONTACT, true))
                .succeeds(Status::Ok),
            )
            .post(files_at(
                "/forms/film/files/",
                "Uploads a file before the film that it belongs to.",
                &intake,
                &FILM_FORMS,
            ))
            .post(files_at(
                "/forms/delegate/files/",
                "Uploads a file before the registration that it belongs to.",
                &intake,
                &[&DELEGATE_FORM],
            ))
            .task(Sweep::new())
            .personal_data(Submissions { retention: settings.retention })
            .secret_column(&SCREENER_PASSWORDS)
            .private_files_of(&sweep::FILES)
            .types("forms.ts", typescript::print)
            .types("form-checks.ts", typescript::print_checks)
            .command(export::ExportForms)
            .command(SweepCommand)
            .page(
                Page::new("/form", "form")
                    .called("Delegate form")
                    .depends_on(["/forms/"])
                    .card(|request| form_card(request, &DELEGATE_FORM)),
            )
            .page(
                Page::new("/submit-entry", "submit-entry")
                    .called("Submit a film")
                    .depends_on(["/pages/submit-entry/"])
                    .shows_text("/pages/submit-entry/", "Submit your film"),
            )
            .page(
                Page::new("/form-asian", "form-asian")
                    .called("Asian cinema")
                    .under("/submit-entry")
                    .depends_on(["/forms/"])
                    .card(|request| form_card(request, &ASIAN)),
            )
            .page(
                Page::new("/form-indian", "form-indian")
                    .called("Indian cinema")
                    .under("/submit-entry")
                    .depends_on(["/forms/"])
                    .card(|request| form_card(request, &INDIAN)),
            )
            .page(
                Page::new("/form-malayalam", "form-malayalam")
                    .called("Malayalam cinema")
                    .under("/submit-entry")
                    .depends_on(["/forms/"])
                    .card(|request| form_card(request, &MALAYALAM)),
            )
            .page(
                Page::new("/contact-us", "contact")
                    .called("Contact")
                    .depends_on(["/forms/"])
                    .titled(CONTACT.title, "ബന്ധപ്പെടുക"),
            )
            .page(
                Page::new("/success", "success")
                    .called("Form sent")
                    .titled("Form Submitted Successfully", "നന്ദി")
                    .unlisted(),
            );
    }
}

/// The card of a form: its title.
async fn form_card(request: RequestContext, form: &'static Form) -> Result<SocialCard> {
    let mut connection = request.read().await?;
    let year = edition::find_current(&mut connection).await?.map_or(String::new(), |edition| edition.year.to_string());
    let title = form.title.replace("{product}", &request.site.settings.product.name).replace("{year}", &year);
    Ok(SocialCard::of_words(title))
}

/// An address that takes a form with files.
fn post<T: JsonSchema + TS + 'static>(
    path: &'static str,
    summary: &'static str,
    receiver: impl Receiver,
    form: &Form,
    choices_of_form: bool,
) -> Post {
    Post::new::<T>(path, summary, receiver)
        .takes("multipart/form-data", openapi::body(form, choices_of_form))
        .reads_header(
            "Idempotency-Key",
            "The same key with the same form again gets the same answer, and no second row.",
        )
        .reads_header(proof_of_work::HEADER, SOLUTION)
        .reads_header(
            staged::HEADER,
            "The tickets of files that were uploaded before: film_poster=<ticket>, signature=<ticket>. They need not be in the body.",
        )
}

fn film(intake: &Arc<Intake>, award: Option<&'static Form>) -> ReceiveFilm {
    ReceiveFilm { intake: intake.clone(), award }
}

/// An address that takes a file before the form that it belongs to, one of `forms`.
fn files_at(path: &'static str, summary: &'static str, intake: &Arc<Intake>, forms: &'static [&'static Form]) -> Post {
    let receiver = ReceiveFile { intake: intake.clone(), forms };
    let post = Post::new::<StagedReply>(path, summary, receiver).reads_header(proof_of_work::HEADER, SOLUTION);
    forms.iter().take(1).fold(post, |post, form| post.takes("multipart/form-data", staged::body(form)))
}

/// An address that stands for one award.
fn film_at(path: &'static str, summary: &'static str, intake: &Arc<Intake>, form: &'static Form) -> Post {
    post::<Receipt>(path, summary, film(intake, Some(form)), form, true)
}
