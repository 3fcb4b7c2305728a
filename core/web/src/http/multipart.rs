//! Receiving of multipart forms.

use rocket::data::{ByteUnit, DataStream};
use rocket::{Data, Request};

use super::client_address;
use crate::site::Site;
use festival_base::deadline::IncomingBody;
use festival_base::error::Result;
use festival_base::network::client_network;
use festival_files::upload::{Accepts, MultipartReceiver, Received, RequestHead};

/// Receives the multipart form of a request, within the limits of the site's settings, and awaits `begun` once its
/// first field has arrived.
///
/// # Errors
/// Those of [`MultipartReceiver::receive`].
pub async fn receive_multipart(
    site: &Site,
    request: &Request<'_>,
    data: Data<'_>,
    accepts: &Accepts,
    begun: impl Future<Output = ()> + Send,
) -> Result<Received> {
    let headers = request.headers();
    let head = RequestHead {
        content_type: headers.get_one("Content-Type").unwrap_or_default(),
        length: headers.get_one("Content-Length").and_then(|length| length.parse().ok()),
        client: Some((client_network(client_address(request, &site.settings.trusted_proxies)), site.clock.now())),
    };
    let receiver = MultipartReceiver { media: &site.media, settings: &site.settings.uploads };
    receiver.receive(head, open_body(data), accepts, begun).await
}

/// Opens the body of a request, unlimited in size: its reader enforces limits of size and speed. Time spent waiting for
/// the body does not count towards the request's deadline.
pub fn open_body(data: Data<'_>) -> IncomingBody<DataStream<'_>> {
    IncomingBody::new(data.open(ByteUnit::max_value()))
}
