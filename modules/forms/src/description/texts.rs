//! Texts that every form shares: button, toasts, error messages.

/// Label of the button before sending.
pub const SUBMIT: &str = "Submit Form";
/// Label of the button while the form is being sent.
pub const SUBMITTING: &str = "Submitting...";
/// Label of the button after the form was received.
pub const SUBMITTED: &str = "Submitted";
/// Toast after a form was received, and message of the response.
pub const SUCCESS: &str = "Form submitted successfully!";
/// Toast after sending a form failed.
pub const FAILURE: &str = "Error submitting form!";
/// Popup after a contact message was received; used if the response has no message.
pub const CONTACT_SUCCESS: &str = "Message sent successfully!";
/// Popup after sending a contact message failed; used if the response has no message.
pub const CONTACT_FAILURE: &str = "Failed to send message. Please try again.";
/// Sentence beside the button: sending is agreeing to the consent notice, to which the part in braces links.
pub const CONSENT_SENTENCE: &str = "By sending this form you agree to {this notice on your personal data}.";
/// Label of the checkbox below the consent notice, if the settings ask for one.
pub const CONSENT_BOX: &str = "I have read this notice and agree to it.";
/// How long a toast is shown, in milliseconds.
pub const TOAST_MS: u32 = 3_000;
/// Time from success to the next page, in milliseconds.
pub const REDIRECT_MS: u32 = 1_500;

/// Error if the field `{field}` is required and empty.
pub const MISSING: &str = "Please fill in {field}";
/// Error for a file of the field `{field}` above the size limit.
pub const TOO_LARGE: &str = "{field} file must be less than 5MB";
/// Error for a text with too many words, if the limits are hard.
pub const TOO_MANY_WORDS: &str = "{label} has {count} words, at most {limit} are accepted";

/// Error for a form without consent, if it is required.
pub const CONSENT_MISSING: &str = "Please read the notice on personal data and tick the box below it";
/// Error for a link that would run a script or open a local file.
pub const UNSAFE_LINK: &str = "Please give a web address, one that begins with https://";
/// Error for an invalid e-mail address. It does not quote the input: errors travel further than forms.
pub const NOT_AN_EMAIL: &str = "This is not an e-mail address like name@example.org";
/// Hint next to a field before sending: what the server will parse it as, in `{read}`.
pub const READ_AS: &str = "We read this as {read}. If it is right, send it as it is.";
/// Hint for a value that could not be parsed; `{what}` is what was expected.
pub const NOT_READ: &str = "We could not read {what} here. If it is right, send it as it is.";
/// Hint for a value that was parsed and is unusual.
pub const UNUSUAL: &str = "This is unusual. If it is right, send it as it is.";
/// Hint for an age under 18; `{contact}` is the office's e-mail address. The form can still be sent.
pub const GUARDIAN: &str = "Under 18, a parent or guardian has to agree before we use these data: please let them write to {contact}. You can send the form now.";
/// Why an age under 18 is flagged.
pub const UNDER_AGE: &str = "Under 18: consent of a parent is needed before the data are used";
/// Error for a closed form.
pub const CLOSED: &str = "This form is closed. Submissions are no longer accepted.";
