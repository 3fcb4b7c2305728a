//! Other sites that may read the API: those in `api.cors_origins`, echoed exactly, and none else.

use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::{Method, Status};
use rocket::{Request, Response};

/// Adds the CORS headers for allowed origins and answers their preflights.
pub(super) struct Cors {
    origins: Vec<String>,
    prefix: String,
}

impl Cors {
    pub(super) fn new(origins: &[String], prefix: &str) -> Self {
        Self { origins: origins.to_vec(), prefix: prefix.to_owned() }
    }
}

#[rocket::async_trait]
impl Fairing for Cors {
    fn info(&self) -> Info {
        Info { name: "cors", kind: Kind::Response }
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        if self.origins.is_empty() {
            return;
        }
        let path = request.uri().path().as_str();
        if path.starts_with("/media/") {
            // The API's answers name these files; the other site's pages show them.
            response.set_raw_header("Cross-Origin-Resource-Policy", "cross-origin");
        }
        if !path.strip_prefix(self.prefix.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            return;
        }
        response.adjoin_raw_header("Vary", "Origin");
        let Some(origin) = request.headers().get_one("Origin") else { return };
        if !self.origins.iter().any(|allowed| allowed == origin) {
            return;
        }
        response.set_raw_header("Access-Control-Allow-Origin", origin.to_owned());
        response.set_raw_header("Access-Control-Expose-Headers", "ETag, X-Request-Id, Retry-After");
        // The API is public: another site's page may read it.
        response.set_raw_header("Cross-Origin-Resource-Policy", "cross-origin");
        if request.method() == Method::Options && request.headers().contains("Access-Control-Request-Method") {
            response.set_status(Status::NoContent);
            response.set_raw_header("Access-Control-Allow-Methods", "GET, HEAD, POST");
            response.set_raw_header("Access-Control-Allow-Headers", "Content-Type, Idempotency-Key");
            response.set_raw_header("Access-Control-Max-Age", "600");
            response.remove_header("Content-Type");
            response.set_sized_body(0, std::io::Cursor::new(Vec::new()));
        }
    }
}
