//! Mounts the back office on the server and sets the headers of its responses.

use std::sync::Arc;

use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::{Build, Data, Request, Response, Rocket};

use crate::back_office::{BackOffice, Screen};
use crate::serving::serve::ServeScreen;
use festival_web::http::{assets_route, supervised};
use festival_web::metrics::RouteClass;

/// Mounts the screens of the back office, and a redirect to them below the prefix of the API.
pub fn mount(rocket: Rocket<Build>, admin: &Arc<BackOffice>) -> Rocket<Build> {
    let site = &admin.site;
    let prefix = site.settings.api_prefix();
    let rocket = match prefix {
        "" => rocket, // At the root it would redirect to itself.
        _ => rocket.mount(
            prefix,
            supervised(vec![Route::new(Method::Get, "/admin", RedirectToAdmin)], RouteClass::Admin, site),
        ),
    };
    if !site.settings.admin.enabled {
        return rocket;
    }
    let route = |screen: &Arc<Screen>| {
        let handler = ServeScreen { admin: admin.clone(), screen: screen.clone() };
        Route::new(screen.method, &screen.path.for_rocket(), handler)
    };
    let mut routes: Vec<Route> = admin.contents.screens.iter().map(route).collect();
    if !site.settings.frontend.enabled {
        routes.push(assets_route(site)); // The back office needs its stylesheets.
    }
    rocket.mount("/", supervised(routes, RouteClass::Admin, site)).attach(AdminHeaders)
}

/// Redirects `{api_prefix}/admin` to `/admin/`.
#[derive(Clone)]
struct RedirectToAdmin;

#[rocket::async_trait]
impl Handler for RedirectToAdmin {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        Outcome::Success(Response::build().status(Status::SeeOther).raw_header("Location", "/admin/").finalize())
    }
}

/// Keeps responses of the back office out of caches, search engines and referrers.
struct AdminHeaders;

#[rocket::async_trait]
impl Fairing for AdminHeaders {
    fn info(&self) -> Info {
        Info { name: "headers of the back office", kind: Kind::Response }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        let path = request.uri().path();
        if path != "/admin" && !path.starts_with("/admin/") {
            return;
        }
        response.set_raw_header("Cache-Control", "no-store");
        response.set_raw_header("Referrer-Policy", "same-origin");
        response.set_raw_header("X-Robots-Tag", "noindex, nofollow");
        response.remove_header("ETag");
        if !response.content_type().is_some_and(|kind| kind.is_html()) {
            // An uploaded file that is opened in the browser must not run scripts on our origin.
            response.set_raw_header("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'");
        }
    }
}
