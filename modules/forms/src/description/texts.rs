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
/// Below the boxes that may be ticked.
pub const CONSENT: &str =
    "I agree that the festival keeps what I send in order to handle it, as the privacy page says.";
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
pub const CONSENT_MISSING: &str = "Please agree that the festival keeps what you send";
/// What is said of a category of membership that there is not.
pub const UNKNOWN_MEMBERSHIP: &str = "Please choose one of the categories of membership";
/// What is said when a form has closed.
pub const CLOSED: &str = "This form is closed. Submissions are not taken any more.";
