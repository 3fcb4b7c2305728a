//! Messages about files that are refused or damaged. The forms in the browser show the same ones before sending.

/// A file of a known kind that is not accepted: `{name}` is its kind, `{allowed}` the accepted formats.
pub const OTHER_KIND: &str = "This is {name}. Please save it as {allowed} and choose it again.";
/// A HEIC photo.
pub const HEIC: &str = "This is a HEIC photo, which many programs cannot open. Export it as JPEG, or set the phone's camera to its \
     most compatible format and take it again. Allowed are {allowed}.";
/// A file of an unknown kind.
pub const UNKNOWN_KIND: &str = "This is no file that we can read. Please choose a {allowed}.";
/// A picture with too many pixels: `{width}`, `{height}`, and the limit `{most}` in millions.
pub const TOO_MANY_PIXELS: &str = "This picture has {width} x {height} pixels, which is too many. At most {most} million are taken; please make \
     it smaller.";
/// An animated picture; it is accepted unchanged.
pub const MOVING: &str = "This is a moving picture. It is kept as it is; pages show its first frame.";
/// A picture that cannot be decoded at all.
pub const UNREADABLE: &str = "This picture is damaged or incomplete. Please save a new copy and choose that one.";
/// A PDF without any object or end.
pub const UNREADABLE_PDF: &str = "This PDF is damaged or incomplete. Please save a new copy and choose that one.";
/// A picture that can be decoded only in part; it is accepted unchanged.
pub const DAMAGED: &str = "This picture may be damaged; the original was kept.";
/// A truncated PDF; it is accepted unchanged.
pub const DAMAGED_PDF: &str = "This document may be damaged; the original was kept.";

/// Returns the message for a damaged file of this MIME type.
pub fn damaged(mime: &str) -> &'static str {
    if mime == "application/pdf" { DAMAGED_PDF } else { DAMAGED }
}
