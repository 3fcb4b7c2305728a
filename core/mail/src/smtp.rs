//! The mail server. One connection serves all mails that are due at a time; every step has a time limit.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use super::carrier::Failure;
use super::compose::{Composed, host};
use festival_base::settings::{Mail, MailTls, Settings};

/// The mail server of the settings.
pub(super) struct Smtp {
    settings: Mail,
    hello: ClientId,
    limit: Duration,
    connection: Option<AsyncSmtpConnection>,
}

impl Smtp {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.mail.clone(),
            hello: ClientId::Domain(host(settings)),
            limit: Duration::from_secs(settings.mail.timeout_seconds),
            connection: None,
        }
    }

    /// Hands the mail over. After any failure the connection is given up.
    pub(super) async fn send(&mut self, mail: &Composed) -> Result<(), Failure> {
        let mut connection = match self.still_open().await {
            Some(connection) => connection,
            None => self.within(self.connect()).await.map_err(Failure::general)?,
        };
        let handed_over = async { connection.send(&mail.envelope, &mail.bytes).await.map_err(|e| failure(&e)) };
        self.within(handed_over).await?;
        self.connection = Some(connection);
        Ok(())
    }

    /// Says good-bye, if there is a connection.
    pub(super) async fn quit(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            // It has nothing more of ours: whether it hears us does not matter.
            let _ = tokio::time::timeout(Duration::from_secs(2), connection.quit()).await;
        }
    }

    /// The connection of the mail before, if the server has not closed it meanwhile.
    async fn still_open(&mut self) -> Option<AsyncSmtpConnection> {
        let mut connection = self.connection.take()?;
        let answers = tokio::time::timeout(self.limit, connection.test_connected()).await.unwrap_or(false);
        answers.then_some(connection)
    }

    /// Connects, makes the connection secret and logs in, as the settings ask.
    async fn connect(&self) -> Result<AsyncSmtpConnection, Failure> {
        let settings = &self.settings;
        let tls = match settings.tls {
            MailTls::None => None,
            MailTls::Starttls | MailTls::Tls => Some(self.tls_parameters().await?),
        };
        let from_the_start = tls.clone().filter(|_| settings.tls == MailTls::Tls);
        let server = (settings.host.as_str(), settings.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(self.limit), &self.hello, from_the_start, None)
                .await
                .map_err(|e| failure(&e))?;
        if let (MailTls::Starttls, Some(tls)) = (settings.tls, tls) {
            if !connection.can_starttls() {
                return Err(Failure::refused("the mail server does not offer STARTTLS; see mail.tls in the settings"));
            }
            connection.starttls(tls, &self.hello).await.map_err(|e| failure(&e))?;
        }
        if !settings.user.is_empty() {
            let credentials = Credentials::new(settings.user.clone(), settings.password.reveal().to_owned());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await.map_err(|e| failure(&e))?;
        }
        Ok(connection)
    }

    async fn tls_parameters(&self) -> Result<TlsParameters, Failure> {
        let mut builder = TlsParameters::builder(self.settings.host.clone());
        if !self.settings.ca_file.is_empty() {
            let unusable = |e: &dyn std::fmt::Display| Failure::refused(format!("mail.ca_file cannot be used: {e}"));
            let pem = tokio::fs::read(Path::new(&self.settings.ca_file)).await.map_err(|e| unusable(&e))?;
            builder = builder.add_root_certificate(Certificate::from_pem(&pem).map_err(|e| unusable(&e))?);
        }
        builder.build().map_err(|e| failure(&e))
    }

    async fn within<T>(&self, step: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        tokio::time::timeout(self.limit, step).await.unwrap_or_else(|_| {
            let words = format!("no answer from the mail server within {} seconds", self.limit.as_secs());
            Err(Failure::passing(words).general())
        })
    }
}

/// What went wrong, in words; whether waiting alone mends it, and whether it is about this mail at all.
fn failure(error: &SmtpError) -> Failure {
    let reason = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    match error.status() {
        Some(code) if error.is_permanent() => Failure::refused(format!("the mail server refused: {code} {reason}")),
        Some(code) => Failure::passing(format!("the mail server asked to wait: {code} {reason}")),
        None if error.is_client() => Failure::refused(reason),
        None => Failure::passing(format!("no connection to the mail server: {reason}")).general(),
    }
}
