//! What people are told of a file that is not taken. The forms' pages say the same before it is sent.

/// A file of a kind that is known and not taken; `{name}` is its kind, `{allowed}` are those that are taken.
pub const OTHER_KIND: &str = "This is {name}. Please save it as {allowed} and choose it again.";
/// A HEIC photo.
pub const HEIC: &str = "This is a HEIC photo, which many programs cannot open. Export it as JPEG, or set the phone's camera to its \
     most compatible format and take it again. Allowed are {allowed}.";
/// A file of a kind that is not known.
pub const UNKNOWN_KIND: &str = "This is no file that we can read. Please choose a {allowed}.";
/// A picture with more pixels than are taken: `{width}`, `{height}`, and `{most}` in millions.
pub const TOO_MANY_PIXELS: &str = "This picture has {width} x {height} pixels, which is too many. At most {most} million are taken; please make \
     it smaller.";
/// An animation.
pub const MOVING: &str = "This is a moving picture. Please choose a still one.";
/// A picture of which nothing can be decoded.
pub const UNREADABLE: &str = "This picture is damaged or incomplete. Please save it anew and choose it again.";
/// A document of which nothing can be read.
pub const UNREADABLE_PDF: &str = "This PDF is damaged or incomplete. Please save it anew and choose it again.";
/// A picture of which something can be decoded: it is taken as it is.
pub const DAMAGED: &str = "This picture may be damaged; the original was kept.";
/// A document that breaks off: it is taken as it is.
pub const DAMAGED_PDF: &str = "This document may be damaged; the original was kept.";

/// What is said of a file of this type that may be damaged.
pub fn damaged(mime: &str) -> &'static str {
    if mime == "application/pdf" { DAMAGED_PDF } else { DAMAGED }
}
