//! The section `[s3]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

use super::Secret;

/// A bucket for pictures, documents and the files that people send, in an S3-compatible store.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct S3 {
    /// The bucket, which must exist. Empty: files are kept in data_dir/media.
    pub bucket: String,
    /// A folder in the bucket, "festival", if it is shared with other programs. Empty: the whole bucket.
    pub prefix: String,
    /// The address of the store, "https://s3.example.org". Empty: that of Amazon S3 in this region.
    pub endpoint: String,
    /// A file with certificates (PEM) of the authority that the store's is from, if that is your own. Empty: those that browsers trust.
    pub ca_file: String,
    /// The region. Many stores other than Amazon's ignore it.
    #[default = "us-east-1"]
    pub region: String,
    /// The access key. It needs permission to list the bucket, and to read, write and delete its objects.
    pub access_key: String,
    /// The secret key. Set it in the environment, FESTIVAL_S3__SECRET_KEY, or in config/local.toml.
    pub secret_key: Secret,
}

impl S3 {
    /// Returns whether files are kept in a bucket instead of a folder.
    pub fn is_enabled(&self) -> bool {
        !self.bucket.is_empty()
    }

    /// Returns whether files and their names travel to the store without encryption.
    pub fn is_plain_http(&self) -> bool {
        self.endpoint.starts_with("http://")
    }
}

/// Adds a message to `problems` for each invalid value.
pub(super) fn check(s3: &S3, problems: &mut Vec<String>) {
    let S3 { bucket, prefix, endpoint, ca_file, region, access_key, secret_key } = s3;
    let is_name = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')) && text != ".."
    };
    if !is_name(bucket) {
        problems.push(format!("s3.bucket: \"{bucket}\" is not the name of a bucket"));
    }
    if !prefix.is_empty() && !prefix.split('/').all(|part| !part.is_empty() && is_name(part)) {
        problems.push(format!("s3.prefix: \"{prefix}\" must be a folder without a slash at either end, like festival"));
    }
    if !endpoint.is_empty() && !is_address(endpoint) {
        problems.push(format!("s3.endpoint: \"{endpoint}\" must be an address like https://s3.example.org"));
    }
    if !ca_file.is_empty() && s3.is_plain_http() {
        problems.push("s3.ca_file: is for an s3.endpoint that begins with https://".to_owned());
    }
    if s3.is_enabled() {
        if region.is_empty() {
            problems.push("s3.region: must not be empty; where the store has no regions, write us-east-1".to_owned());
        }
        if access_key.is_empty() || secret_key.reveal().is_empty() {
            problems.push("s3.access_key: a bucket needs s3.access_key and s3.secret_key".to_owned());
        }
    }
}

/// Whether `text` is a scheme and a host, perhaps with a port, and nothing else.
fn is_address(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    let host = host.strip_suffix('/').unwrap_or(host);
    !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:[]".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(change: impl FnOnce(&mut S3)) -> Vec<String> {
        let mut s3 = S3 {
            bucket: "festival".into(),
            endpoint: "https://s3.example.org:9000".into(),
            access_key: "key".into(),
            secret_key: "secret".into(),
            ..S3::default()
        };
        change(&mut s3);
        let mut problems = Vec::new();
        check(&s3, &mut problems);
        problems
    }

    #[test]
    fn bucket_needs_keys_and_a_plain_address() {
        assert_eq!(problems(|_| {}), Vec::<String>::new());
        assert_eq!(problems(|s3| *s3 = S3::default()), Vec::<String>::new(), "a folder needs nothing");
        let refused = |change: fn(&mut S3), key: &str| {
            let problems = problems(change);
            assert!(problems.len() == 1 && problems[0].starts_with(key), "{problems:?}");
        };
        refused(|s3| s3.secret_key = Secret::default(), "s3.access_key");
        refused(|s3| s3.access_key = String::new(), "s3.access_key");
        refused(|s3| s3.bucket = "a/b".into(), "s3.bucket");
        refused(|s3| s3.prefix = "/festival".into(), "s3.prefix");
        refused(|s3| s3.prefix = "..".into(), "s3.prefix");
        refused(|s3| s3.endpoint = "s3.example.org".into(), "s3.endpoint");
        refused(|s3| s3.endpoint = "https://s3.example.org/bucket".into(), "s3.endpoint");
        refused(|s3| s3.region = String::new(), "s3.region");
        refused(|s3| (s3.endpoint, s3.ca_file) = ("http://s3.example.org".into(), "ca.pem".into()), "s3.ca_file");
    }
}
