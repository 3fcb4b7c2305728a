//! The forms: registration of delegates and members, film submission, contact. This file registers their endpoints,
//! pages, settings, tasks and commands.

mod amount;
mod browser_settings;
mod deadlines;
mod decider;
pub mod description;
mod export;
mod fee_reduction;
mod findings;
mod hash;
mod mails;
mod notice;
mod offered;
mod openapi;
mod parse;
mod payment_code;
mod payment_receipts;
mod payment_settings;
mod privacy;
mod proof_of_work;
mod rate_limit;
mod review;
mod role;
mod rules;
mod scope;
mod settings;
mod statements;
mod submissions;
mod submit;
mod sweep;
mod timestamps;
mod transaction_numbers;
mod typescript;
mod word_count;

use std::sync::Arc;
use std::time::SystemTime;

use festival_core::post::Receiver;
use festival_core::site::Site;
use festival_core::{Endpoint, Module, Page, Post, Registry, RequestContext, Result, SocialCard, migration};
use rocket::http::Status;
use schemars::JsonSchema;
use ts_rs::TS;

pub use role::{DESK, REVIEWER};

use crate::description::{ASIAN, CONTACT, DELEGATE_FORM, Form, INDIAN, MALAYALAM};
use crate::offered::OfferedSubmissions;
use crate::privacy::SubmittedData;
use crate::settings::{FormsSettings, MODULE};
use crate::submissions::{KINDS, SCREENER_PASSWORDS};
use crate::submit::{
    ContactReceiver, ContactReply, DelegateReceiver, FileReceiver, FilmReceiver, Intake, Receipt, StagedReply, staged,
};
use crate::sweep::SweepCommand;

/// Description of the header [`proof_of_work::HEADER`].
const PROOF_OF_WORK_DESCRIPTION: &str =
    "The solution of the challenge in a 429, as <salt>:<number>:<signature>: it lets one request pass the limit.";

/// The forms module.
pub struct FormsModule;

impl Module for FormsModule {
    fn name(&self) -> &'static str {
        MODULE
    }

    fn register(&self, registry: &mut Registry) {
        let settings = registry.section::<FormsSettings>();
        let intake = Arc::new(Intake::new(&settings));
        let started = SystemTime::now();
        payment_settings::register(registry);
        crate::review::register(registry);
        mails::register(registry);
        deadlines::register(registry);
        statements::register(registry);
        for kind in &KINDS {
            registry.referable(kind.entity.table, kind.columns());
        }
        registry
            .migrations([
                migration!("forms", "0501", "forms")
                    .earlier_checksums(&["c18a81e99727c0f4ca7b9e551f1253eb", "c29cee794d13a332d656571bb549a3be"]),
                migration!("forms", "0502", "files_by_content").works_with((0, 1, 0)),
                migration!("forms", "0503", "statements").works_with((0, 1, 0)),
                migration!("forms", "0504", "statement_status"),
                migration!("forms", "0505", "payment_receipts").works_with((0, 1, 0)),
                migration!("forms", "0506", "fee_reductions").works_with((0, 1, 0)),
            ])
            .endpoint(Endpoint::get(
                "/forms/",
                "When the forms close, how strict they are, and what follows them.",
                rules::find_rules,
            ))
            .settings_group(&browser_settings::AFTER_SENDING)
            .post(form_post::<Receipt>(
                "/delegate-form/",
                "Registers a delegate or a member.",
                DelegateReceiver { intake: intake.clone() },
                &DELEGATE_FORM,
                true,
            ))
            .post(
                form_post::<Receipt>(
                    "/changed/",
                    "Submits a film for one of the awards.",
                    FilmReceiver { intake: intake.clone(), award: None },
                    &ASIAN,
                    false,
                )
                .reads_query("category", "The award, where the form does not say it: asian, indian or malayalam."),
            )
            .post(film_post("/asian-form/", "Submits a film for the Asian awards.", &intake, &ASIAN))
            .post(film_post("/indian-form/", "Submits a film for the Indian award.", &intake, &INDIAN))
            .post(film_post("/malayalam-form/", "Submits a film for the Malayalam award.", &intake, &MALAYALAM))
            .post(
                form_post::<ContactReply>(
                    "/contact/",
                    "Sends a message to the organisers.",
                    ContactReceiver { intake: intake.clone() },
                    &CONTACT,
                    true,
                )
                .takes("application/json", openapi::json_body(&CONTACT))
                .succeeds(Status::Ok),
            )
            .post(file_post(
                "/forms/film/files/",
                "Uploads a file before the film that it belongs to.",
                &intake,
                &ASIAN,
            ))
            .post(file_post(
                "/forms/delegate/files/",
                "Uploads a file before the registration that it belongs to.",
                &intake,
                &DELEGATE_FORM,
            ))
            .task("sweep of private files", move |app| sweep::run(app, started))
            .task("receipts of earlier payments", payment_receipts::number_earlier)
            .personal_data(SubmittedData { retention: settings.retention })
            .submissions(OfferedSubmissions(submissions::film()))
            .submissions(OfferedSubmissions(submissions::delegate()))
            .secret_column(&SCREENER_PASSWORDS)
            .private_files(&sweep::FILES)
            .types("forms.ts", typescript::print)
            .types("form-delegate.ts", || typescript::print_form(&DELEGATE_FORM))
            .types("form-asian.ts", || typescript::print_form(&ASIAN))
            .types("form-indian.ts", || typescript::print_form(&INDIAN))
            .types("form-malayalam.ts", || typescript::print_form(&MALAYALAM))
            .types("form-contact.ts", || typescript::print_form(&CONTACT))
            .types("film-forms.ts", typescript::print_film_forms)
            .types("all-forms.ts", typescript::print_all_forms)
            .types("form-checks.ts", typescript::print_checks)
            .command(export::ExportForms)
            .command(SweepCommand)
            .page(
                Page::new("/form", "form")
                    .breadcrumb("Delegate form")
                    .depends_on(["/forms/"])
                    .card(|request| form_card(request, &DELEGATE_FORM)),
            )
            .page(
                Page::new("/submit-entry", "submit-entry")
                    .breadcrumb("Submit a film")
                    .depends_on(["/pages/submit-entry/"])
                    .shows_text("/pages/submit-entry/", "Submit your film"),
            )
            .page(film_page("/form-asian", "form-asian", "Asian cinema", &ASIAN))
            .page(film_page("/form-indian", "form-indian", "Indian cinema", &INDIAN))
            .page(film_page("/form-malayalam", "form-malayalam", "Malayalam cinema", &MALAYALAM))
            .page(
                Page::new("/contact-us", "contact")
                    .breadcrumb("Contact")
                    .depends_on(["/forms/"])
                    .titled(CONTACT.title, "ബന്ധപ്പെടുക"),
            )
            .page(
                Page::new("/success", "success")
                    .breadcrumb("Form sent")
                    .titled("Form Submitted Successfully", "നന്ദി")
                    .unlisted(),
            );
    }
}

/// Returns the page of a film form.
fn film_page(path: &'static str, component: &'static str, title: &'static str, form: &'static Form) -> Page {
    Page::new(path, component)
        .breadcrumb(title)
        .parent("/submit-entry")
        .depends_on(["/forms/"])
        .expects_document()
        .card(move |request| form_card(request, form))
}

/// Returns the social card of a form, which shows its title.
async fn form_card(request: RequestContext, form: &'static Form) -> Result<SocialCard> {
    let mut connection = request.read().await?;
    let year = request.site.edition(&mut connection).await?.map_or(String::new(), |edition| edition.year.to_string());
    let title = form.title.replace("{product}", &request.site.settings.product.name).replace("{year}", &year);
    Ok(SocialCard::new(title))
}

/// Returns an endpoint that receives `form` as multipart/form-data.
fn form_post<T: JsonSchema + TS + 'static>(
    path: &'static str,
    summary: &'static str,
    receiver: impl Receiver<Site>,
    form: &Form,
    choices_of_form: bool,
) -> Post {
    Post::new::<T>(path, summary, receiver)
        .takes("multipart/form-data", openapi::form_body(form, choices_of_form))
        .reads_header(
            "Idempotency-Key",
            "The same key with the same form again gets the same answer, and no second row.",
        )
        .reads_header(proof_of_work::HEADER, PROOF_OF_WORK_DESCRIPTION)
        .reads_header(
            staged::HEADER,
            "The tickets of files that were uploaded before: film_poster=<ticket>, signature=<ticket>. They need not be in the body.",
        )
}

/// Returns an endpoint that receives a file before the form that it belongs to, `form` or another with its fields.
fn file_post(path: &'static str, summary: &'static str, intake: &Arc<Intake>, form: &'static Form) -> Post {
    Post::new::<StagedReply>(path, summary, FileReceiver { intake: intake.clone(), form })
        .takes("multipart/form-data", openapi::file_body(form))
        .reads_header(proof_of_work::HEADER, PROOF_OF_WORK_DESCRIPTION)
}

/// Returns an endpoint that receives films for one award.
fn film_post(path: &'static str, summary: &'static str, intake: &Arc<Intake>, form: &'static Form) -> Post {
    form_post::<Receipt>(path, summary, FilmReceiver { intake: intake.clone(), award: Some(form) }, form, true)
}
