//! Forms with files, as they come over the network.

use rocket::data::ByteUnit;
use rocket::{Data, Request};

use super::client_address;
use crate::app::App;
use crate::error::Result;
use crate::network::client_network;
use crate::upload::{Accepts, MultipartReceiver, Received, RequestHead};

/// Reads the form of `request`, within the limits of the site.
///
/// # Errors
/// Those of [`MultipartReceiver::receive`].
pub async fn receive_multipart(
    app: &App,
    request: &Request<'_>,
    data: Data<'_>,
    accepts: &Accepts,
) -> Result<Received> {
    let headers = request.headers();
    let head = RequestHead {
        content_type: headers.get_one("Content-Type").unwrap_or_default(),
        length: headers.get_one("Content-Length").and_then(|length| length.parse().ok()),
        client: Some((client_network(client_address(request, &app.settings.trusted_proxies)), app.clock.now())),
    };
    let receiver = MultipartReceiver { media: &app.media, settings: &app.settings.uploads };
    receiver.receive(head, data.open(ByteUnit::max_value()), accepts).await
}
