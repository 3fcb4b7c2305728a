//! CORS: the origins in `api.cors_origins` may read the API and public media, and no others. The back office is never
//! readable, also where the API is mounted at `/`.

use std::sync::Arc;

use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::{Method, Status};
use rocket::{Request, Response};

use super::request::decoded_path;
use crate::site::Post;

/// Adds the CORS headers for allowed origins and responds to their preflight requests.
pub(super) struct Cors {
    origins: Vec<String>,
    prefix: String,
    /// The allowed request headers: those that every endpoint accepts, and those that `posts` read.
    headers: String,
}

impl Cors {
    pub(super) fn new(origins: &[String], prefix: &str, posts: &[Arc<Post>]) -> Self {
        let of_posts = posts.iter().flat_map(|post| &post.reads);
        let of_posts = of_posts.filter(|(place, ..)| *place == "header").map(|(_, name, _)| *name);
        let mut headers = vec!["Content-Type", "Range"];
        for name in of_posts {
            if !headers.contains(&name) {
                headers.push(name);
            }
        }
        Self { origins: origins.to_vec(), prefix: prefix.to_owned(), headers: headers.join(", ") }
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
        let path = decoded_path(request);
        // API responses link to public media, which the other site's pages embed.
        let is_media = below(&path, "/media").is_some();
        let is_api = below(&path, &self.prefix).is_some_and(|rest| below(rest, "/admin").is_none());
        if is_media {
            response.set_raw_header("Cross-Origin-Resource-Policy", "cross-origin");
        }
        if !is_media && !is_api {
            return;
        }
        response.adjoin_raw_header("Vary", "Origin");
        let Some(origin) = request.headers().get_one("Origin") else { return };
        if !self.origins.iter().any(|allowed| allowed == origin) {
            return;
        }
        response.set_raw_header("Access-Control-Allow-Origin", origin.to_owned());
        response.set_raw_header(
            "Access-Control-Expose-Headers",
            "ETag, X-Request-Id, Retry-After, Content-Length, Content-Range, Accept-Ranges",
        );
        // API and media are public, so pages of allowed origins may embed them.
        response.set_raw_header("Cross-Origin-Resource-Policy", "cross-origin");
        if request.method() == Method::Options && request.headers().contains("Access-Control-Request-Method") {
            response.set_status(Status::NoContent);
            response.set_raw_header("Access-Control-Allow-Methods", "GET, HEAD, POST");
            response.set_raw_header("Access-Control-Allow-Headers", self.headers.clone());
            response.set_raw_header("Access-Control-Max-Age", "600");
            response.remove_header("Content-Type");
            response.set_sized_body(0, std::io::Cursor::new(Vec::new()));
        }
    }
}

/// Returns the rest of `path` if it is `folder` or inside it.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}
