//! The words that every form shares: button, toasts, messages.

/// The button before, during and after sending.
pub const SUBMIT: &str = "Submit Form";
/// While it is sent.
pub const SUBMITTING: &str = "Submitting...";
/// When it has arrived.
pub const SUBMITTED: &str = "Submitted";
/// The toast of a form that has arrived, and the message of the answer.
pub const SUCCESS: &str = "Form submitted successfully!";
/// The toast of a form that has not.
pub const FAILURE: &str = "Error submitting form!";
/// The popup of a message that has arrived, where the server says nothing.
pub const CONTACT_SUCCESS: &str = "Message sent successfully!";
/// The popup of a message that has not, where the server says nothing.
pub const CONTACT_FAILURE: &str = "Failed to send message. Please try again.";
/// Beside the box below the notice on personal data.
pub const CONSENT: &str = "I have read this notice and agree to it.";
/// Milliseconds that a toast stays.
pub const TOAST_MS: u32 = 3_000;
/// Milliseconds from success to the next page.
pub const REDIRECT_MS: u32 = 1_500;

/// What is said of a file above the limit.
pub fn too_large(field: &str) -> String {
    format!("{field} file must be less than 5MB")
}

/// What is said of a text with more words than allowed, where the limits are hard.
pub fn too_many_words(label: &str, count: usize, limit: usize) -> String {
    format!("{label} has {count} words, at most {limit} are accepted")
}

/// What is said where consent is asked for and not given.
pub const CONSENT_MISSING: &str = "Please read the notice on personal data and tick the box below it";
/// What is said of a link that would run something or open a file.
pub const LINK_RUNS: &str = "Please give a web address, one that begins with https://";
/// What is said of an e-mail address that cannot be one. It does not repeat what was typed: errors travel further than forms.
pub const NOT_AN_EMAIL: &str = "This is not an e-mail address like name@example.org";
/// Said beside a field before sending: what the server will keep, read and flag. `{read}` is the reading.
pub const READ_AS: &str = "We read this as {read}. If it is right, send it as it is.";
/// The same, of a value that could not be read; `{what}` is what was looked for.
pub const NOT_READ: &str = "We could not read {what} here. If it is right, send it as it is.";
/// The same, of a value that could be read and is unusual.
pub const UNUSUAL: &str = "This is unusual. If it is right, send it as it is.";
/// Said beside the age of somebody under 18; `{contact}` is the office's e-mail address. The form can be sent all the same.
pub const GUARDIAN: &str = "Under 18, a parent or guardian has to agree before we use these data: please let them write to {contact}. You can send the form now.";
/// Why a young age is flagged; the reading is kept as it was sent.
pub const UNDER_AGE: &str = "Under 18: consent of a parent is needed before the data are used";
/// What is said when a form has closed.
pub const CLOSED: &str = "This form is closed. Submissions are not taken any more.";
