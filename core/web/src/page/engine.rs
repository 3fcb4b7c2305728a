//! The JavaScript engine that renders pages on the server, with the same React components as in the browser, and calls
//! functions of features that page and server share.
//!
//! The script is `dist/server/render.js` of the built frontend (`frontend/src/entry-engine.ts`). It has no network and
//! no files, and its clock must not be relied on. Decision 19 explains the reasons and costs.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rquickjs::{CatchResultExt, Context, Ctx, Function, Promise, Runtime, Value};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::frontend_files::FrontendFiles;
use festival_base::error::{Error, Result};

/// Path of the script in the built frontend.
const SCRIPT: &str = "server/render.js";

/// Engines that may run at the same time; each takes about 7 MB.
const MAX_ENGINES: usize = 4;

/// Memory that one engine may use, in bytes. The largest page needs a fifth of it.
const MEMORY_LIMIT: usize = 128 * 1024 * 1024;

/// Stack that scripts may use, in bytes; Tokio's blocking threads have 2 MiB.
const STACK_LIMIT: usize = 1024 * 1024;

/// Time that one call may take. Rendering the home page takes 25 ms.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The result of the script.
#[derive(Debug, Deserialize)]
pub(super) struct RenderedPage {
    /// The page's elements of the document's head, as HTML.
    pub(super) head: String,
    /// The page's content, as HTML.
    pub(super) body: String,
    /// Why rendering failed. The browser then renders the page by itself.
    pub(super) error: Option<String>,
}

impl RenderedPage {
    /// An empty page, which the browser renders by itself.
    pub(super) fn failed(error: String) -> Self {
        Self { head: String::new(), body: String::new(), error: Some(error) }
    }
}

/// A pool of engines, started on demand.
pub(super) struct Engines {
    files: FrontendFiles,
    script: OnceLock<Result<Arc<[u8]>, String>>,
    idle: Arc<Mutex<Vec<Engine>>>,
    permits: Semaphore,
    /// Only one page at a time is rendered with texts of its query: there are arbitrarily many of them, and everybody
    /// needs the engines.
    texts: Semaphore,
}

impl Engines {
    /// A pool for the script in these files.
    pub(super) fn new(files: FrontendFiles) -> Self {
        let count = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_ENGINES);
        Self {
            files,
            script: OnceLock::new(),
            idle: Arc::default(),
            permits: Semaphore::new(count),
            texts: Semaphore::new(1),
        }
    }

    /// Starts an engine. One that cannot be started is reported by the first page that needs it.
    pub(super) async fn start_first(&self) {
        let (Ok(_permit), Ok(script)) = (self.acquire().await, self.script()) else { return };
        let idle = self.idle.clone();
        let start = move || Engine::start(&script).map(|engine| lock(&idle).push(engine));
        let _ = tokio::task::spawn_blocking(start).await;
    }

    /// Waits until an engine is free. Another request may have rendered the same page meanwhile, so callers check the
    /// cache again.
    ///
    /// # Errors
    /// None in practice: the semaphore is never closed.
    pub(super) async fn acquire(&self) -> Result<SemaphorePermit<'_>> {
        self.permits.acquire().await.map_err(Error::internal)
    }

    /// Returns the permit to render a page with texts of its query, or `None` while another page is.
    pub(super) fn acquire_for_texts(&self) -> Option<SemaphorePermit<'_>> {
        self.texts.try_acquire().ok()
    }

    /// Calls a function of the script, whose argument and result are JSON.
    ///
    /// # Errors
    /// [`Error::Internal`] if the script is missing or has no such function, if the function fails or exceeds its memory
    /// or time.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        _permit: &SemaphorePermit<'_>,
        function: &'static str,
        argument: String,
    ) -> Result<T> {
        let script = self.script()?;
        let idle = self.idle.clone();
        let work = move || {
            let idle_engine = lock(&idle).pop();
            let engine = idle_engine.map_or_else(|| Engine::start(&script), Ok)?;
            let result = engine.call(function, &argument)?;
            // An engine that failed is not used again.
            lock(&idle).push(engine);
            Ok(result)
        };
        let result: Result<String, String> = tokio::task::spawn_blocking(work).await.map_err(Error::internal)?;
        Ok(serde_json::from_str(&result.map_err(Error::internal)?)?)
    }

    /// Returns the script, read once.
    ///
    /// # Errors
    /// [`Error::Internal`] if the frontend was not built.
    pub(super) fn script(&self) -> Result<Arc<[u8]>> {
        let read = || {
            let file = (self.files.get)(SCRIPT).ok_or("the frontend is not built; run \"make frontend\"")?;
            Ok(file.data.into())
        };
        self.script.get_or_init(read).clone().map_err(Error::internal)
    }
}

fn lock(idle: &Mutex<Vec<Engine>>) -> std::sync::MutexGuard<'_, Vec<Engine>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One engine with the script loaded.
struct Engine {
    context: Context,
    /// When the current call must be finished.
    deadline: Arc<Mutex<Instant>>,
}

impl Engine {
    fn start(script: &[u8]) -> Result<Self, String> {
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        runtime.set_memory_limit(MEMORY_LIMIT);
        runtime.set_max_stack_size(STACK_LIMIT);
        let deadline = Arc::new(Mutex::new(Instant::now() + TIME_LIMIT));
        let watched = deadline.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || {
            watched.lock().is_ok_and(|deadline| Instant::now() > *deadline)
        })));
        let context = Context::full(&runtime).map_err(|error| error.to_string())?;
        context.with(|ctx| {
            let load = || {
                ctx.eval::<(), _>(script)?;
                ctx.globals().get::<_, Promise<'_>>("ready")?.finish::<Value<'_>>()
            };
            with_exception(&ctx, load()).map(|_| ())
        })?;
        Ok(Self { context, deadline })
    }

    fn call(&self, function: &str, argument: &str) -> Result<String, String> {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + TIME_LIMIT;
        self.context.with(|ctx| {
            let call = || ctx.globals().get::<_, Function<'_>>(function)?.call((argument,));
            with_exception(&ctx, call())
        })
    }
}

/// Converts an error to a message with what the script threw.
fn with_exception<'js, T>(ctx: &Ctx<'js>, result: rquickjs::Result<T>) -> Result<T, String> {
    result.catch(ctx).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_at_a_time_is_rendered_with_texts() {
        let engines = Engines::new(FrontendFiles { get: |_| None, names: Vec::new });
        let first = engines.acquire_for_texts();
        assert!(first.is_some() && engines.acquire_for_texts().is_none());
        drop(first);
        assert!(engines.acquire_for_texts().is_some());
    }

    #[test]
    fn endless_scripts_are_interrupted() {
        let engine =
            Engine::start(b"globalThis.ready = Promise.resolve(); globalThis.renderPage = () => { for (;;); }");
        let engine = engine.unwrap_or_else(|error| unreachable!("{error}"));
        let past = Instant::now().checked_sub(TIME_LIMIT).unwrap_or_else(Instant::now);
        *engine.deadline.lock().unwrap_or_else(PoisonError::into_inner) = past;
        let endless = engine.context.with(|ctx| with_exception(&ctx, ctx.eval::<(), _>("for (;;);")));
        assert!(endless.is_err_and(|error| error.contains("interrupted")));
    }

    #[test]
    fn exceptions_of_scripts_are_reported() {
        let script = b"globalThis.ready = Promise.resolve(); globalThis.renderPage = () => { throw new Error('no') }";
        let engine = Engine::start(script).unwrap_or_else(|error| unreachable!("{error}"));
        assert!(engine.call("renderPage", "{}").is_err_and(|error| error.contains("no")));
    }
}
