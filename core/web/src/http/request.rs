//! Parts of a request's address.

use rocket::Request;

/// Returns the first value of the query parameter `name`, decoded.
pub(super) fn query_value(request: &Request<'_>, name: &str) -> Option<String> {
    let query = request.uri().query()?;
    query.segments().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// Returns the decoded path. Each segment is decoded by itself, so that an encoded slash stays inside its segment, as
/// "%2F".
pub fn decoded_path(request: &Request<'_>) -> String {
    let mut path = String::new();
    for segment in request.uri().path().segments() {
        path.push('/');
        path.push_str(&segment.replace('/', "%2F"));
    }
    if path.is_empty() { "/".to_owned() } else { path }
}
