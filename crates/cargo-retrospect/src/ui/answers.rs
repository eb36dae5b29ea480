//! What the page asks for. Everything is worked out beside the thread that serves, with the store
//! locked for reading.

use super::serve::Shared;
use super::steering::{Direction, Wish};
use super::{follow::News, source};
use axum::Json;
use axum::extract::{Query, State, rejection::JsonRejection};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use retrospect_stats::summary::{Filter, Order, Run, Store, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;

/// So many features are sent, if not more are asked for.
const FEATURES: usize = 24;
/// So many examples are sent at most.
const EXAMPLES: usize = 500;

/// Which run, and which of its cases.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    property: Option<String>,
    /// When it began; the newest, if it is left out.
    run: Option<f64>,
    /// A list of filters in JSON.
    filters: Option<String>,
    /// Part of the names of the features that are wanted.
    features: Option<String>,
    most: Option<usize>,
    x: Option<String>,
    y: Option<String>,
    file: Option<String>,
    case: Option<usize>,
    order: Option<Order>,
    offset: Option<usize>,
    limit: Option<usize>,
    /// The run to compare with.
    other_property: Option<String>,
    other_run: Option<f64>,
}

/// A refusal with its reason.
pub type Refused = (StatusCode, String);

impl Asked {
    fn run<'s>(&self, store: &'s Store) -> Result<&'s Run, Refused> {
        let name = self.property.as_deref().unwrap_or_default();
        find(store, name, self.run)
    }

    fn filters(&self) -> Result<Vec<Filter>, Refused> {
        match self.filters.as_deref() {
            None | Some("") => Ok(Vec::new()),
            Some(text) => serde_json::from_str(text)
                .map_err(|error| (StatusCode::BAD_REQUEST, format!("these are no filters: {error}"))),
        }
    }
}

fn find<'s>(store: &'s Store, name: &str, run: Option<f64>) -> Result<&'s Run, Refused> {
    let missing = |what: String| (StatusCode::NOT_FOUND, what);
    let property = store.property(name).ok_or_else(|| missing(format!("there is no property {name:?}")))?;
    match run {
        Some(start) => property.run(start).ok_or_else(|| missing(format!("{name} has no run that began at {start}"))),
        None => property.runs().last().ok_or_else(|| missing(format!("{name} has no run"))),
    }
}

/// Works it out on another thread, and makes JSON of it.
async fn answer<T: Serialize + Send + 'static>(
    shared: Shared,
    work: impl FnOnce(&Store) -> Result<T, Refused> + Send + 'static,
) -> Response {
    let turn = shared.turn.clone().acquire_owned().await;
    let worked_out = tokio::task::spawn_blocking(move || {
        // Until it is worked out, also for a page that does not wait for it any more.
        let _turn = turn;
        let found = work(&shared.followed.store())?;
        serde_json::to_vec(&found).map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
    });
    match worked_out.await {
        Ok(Ok(bytes)) => ([(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Ok(Err(refused)) => refused.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

pub async fn overview(State(shared): State<Shared>) -> Response {
    let root = shared.settings.root.display().to_string();
    let news = *shared.followed.news().borrow();
    answer(shared, move |store| Ok(Overview::of(store, &root, news))).await
}

/// All properties, those first that one should look at.
#[derive(Debug, Serialize)]
pub struct Overview {
    pub properties: Vec<Row>,
    lines: u64,
    bad_lines: u64,
    bad: Vec<serde_json::Value>,
    lost: Vec<serde_json::Value>,
    progress: retrospect_stats::read::Progress,
    loaded: bool,
    version: u64,
    root: String,
    /// What must be kept in memory, in bytes.
    bytes: usize,
}

#[derive(Debug, Serialize)]
pub struct Row {
    pub name: String,
    verdict: Verdict,
    warnings: usize,
    passed: u64,
    failed: u64,
    discarded: u64,
    distinct: u64,
    running: bool,
    /// What is to be said first: why it fails, or what to warn of.
    headline: Option<String>,
    /// When each of its runs began, the oldest first, and how many cases it has.
    pub runs: Vec<(f64, usize, bool)>,
}

impl Overview {
    pub fn of(store: &Store, root: &str, news: News) -> Overview {
        let mut properties: Vec<Row> = Vec::new();
        for property in store.properties() {
            let Some(run) = property.runs().last() else { continue };
            let [passed, failed, discarded] = run.mosaic();
            let steered = |run: &Run| run.history().steered.is_some();
            properties.push(Row {
                name: property.name().to_owned(),
                verdict: run.verdict(),
                warnings: run.warnings().len(),
                passed: passed.iter().sum(),
                failed: failed.iter().sum(),
                discarded: discarded.iter().sum(),
                distinct: passed[0] + failed[0],
                running: run.history().ended == Some(false),
                headline: headline(run),
                runs: property.runs().iter().map(|run| (run.start(), run.n_cases(), steered(run))).collect(),
            });
        }
        properties.sort_by(|a, b| a.verdict.cmp(&b.verdict).then_with(|| a.name.cmp(&b.name)));
        let file = |number: u16| store.path(number).display().to_string();
        let bad = store
            .bad_lines()
            .iter()
            .map(|bad| json!({"file": file(bad.file), "offset": bad.offset, "problem": bad.problem, "text": bad.text}));
        let lost = store
            .lost_files()
            .into_iter()
            .map(|(path, state)| json!({"file": path.display().to_string(), "state": state}));
        Overview {
            properties,
            lines: store.n_lines(),
            bad_lines: store.n_bad_lines(),
            bad: bad.collect(),
            lost: lost.collect(),
            progress: store.progress().clone(),
            loaded: news.loaded,
            version: news.version,
            root: root.to_owned(),
            bytes: store.bytes(),
        }
    }
}

fn headline(run: &Run) -> Option<String> {
    /// The page has two lines for it.
    const LONGEST: usize = 240;
    let reasons = run.history().counterexamples.into_iter().map(|found| found.reason);
    let mut all = reasons.chain(run.warnings().into_iter().map(|warning| warning.text));
    all.find(|text| !text.is_empty()).map(|text| match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    })
}

pub async fn view(State(shared): State<Shared>, Query(asked): Query<Asked>) -> Response {
    answer(shared, move |store| {
        let run = asked.run(store)?;
        let wanted = asked.features.clone().unwrap_or_default();
        Ok(run.view(store, &asked.filters()?, &wanted, asked.most.unwrap_or(FEATURES)))
    })
    .await
}

pub async fn grid(State(shared): State<Shared>, Query(asked): Query<Asked>) -> Response {
    answer(shared, move |store| {
        let (x, y) = (asked.x.clone().unwrap_or_default(), asked.y.clone().unwrap_or_default());
        let grid = asked.run(store)?.grid(store, &asked.filters()?, &x, &y);
        grid.ok_or_else(|| (StatusCode::NOT_FOUND, format!("there is no feature {x:?}, or no feature {y:?}")))
    })
    .await
}

pub async fn examples(State(shared): State<Shared>, Query(asked): Query<Asked>) -> Response {
    answer(shared, move |store| {
        let (offset, limit) = (asked.offset.unwrap_or(0), asked.limit.unwrap_or(30).min(EXAMPLES));
        Ok(asked.run(store)?.examples(store, &asked.filters()?, asked.order.unwrap_or_default(), offset, limit))
    })
    .await
}

pub async fn line(State(shared): State<Shared>, Query(asked): Query<Asked>) -> Response {
    answer(shared, move |store| {
        let line = asked.run(store)?.line_shown(store, asked.case.unwrap_or(usize::MAX));
        line.map_err(|problem| (StatusCode::NOT_FOUND, problem))
    })
    .await
}

pub async fn compare(State(shared): State<Shared>, Query(asked): Query<Asked>) -> Response {
    answer(shared, move |store| {
        let run = asked.run(store)?;
        let name = asked.other_property.as_deref().or(asked.property.as_deref()).unwrap_or_default();
        Ok(run.compare(find(store, name, asked.other_run)?, store))
    })
    .await
}

pub async fn source(State(shared): State<Shared>, Query(asked): Query<Asked>) -> Response {
    let settings = shared.settings.clone();
    answer(shared, move |store| {
        let run = asked.run(store)?;
        let file = asked.file.clone().unwrap_or_default();
        let selected = run.select(store, &asked.filters()?);
        let lines = run.lines_of(&selected, &file);
        if lines.is_empty() {
            return Err((StatusCode::NOT_FOUND, format!("no case reached a line of {file:?}")));
        }
        let text = source::read(&settings.root, run.history().crate_directory.as_deref(), &file);
        let (text, problem) = match text {
            Ok(text) => (Some(text), None),
            Err(problem) => (None, Some(problem)),
        };
        Ok(json!({"lines": lines, "text": text, "problem": problem}))
    })
    .await
}

/// Tells when there is something new, and how far reading has come.
pub async fn events(State(shared): State<Shared>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let news = shared.followed.news();
    let stream = stream::unfold((shared, news, true), |(shared, mut news, is_first)| async move {
        // No page needs to look more often than this.
        if !is_first {
            tokio::time::sleep(Duration::from_millis(200)).await;
            changed(&mut news).await?;
        }
        let now = *news.borrow_and_update();
        let progress = shared.followed.store().progress().clone();
        let data = json!({"version": now.version, "loaded": now.loaded, "progress": progress});
        Some((Ok(Event::default().data(data.to_string())), (shared, news, false)))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

async fn changed(news: &mut watch::Receiver<News>) -> Option<()> {
    news.changed().await.ok()
}

/// How steering of a property stands.
pub async fn steering(State(shared): State<Shared>, Query(asked): Query<Asked>) -> Response {
    Json(shared.steering.state(asked.property.as_deref().unwrap_or_default())).into_response()
}

/// What the page wants to see more or fewer of.
#[derive(Debug, Deserialize)]
pub struct Steer {
    property: String,
    run: Option<f64>,
    #[serde(default)]
    filters: Vec<Filter>,
    /// Instead of all that meet the filters: these cases.
    #[serde(default)]
    cases: Vec<usize>,
    /// Nothing: forget what was wished for.
    direction: Option<Direction>,
}

/// How many examples a wish is made of: more cost time and change little.
const MOST_WISHED: usize = 200;

pub async fn steer(
    State(shared): State<Shared>,
    headers: HeaderMap,
    body: Result<Json<Steer>, JsonRejection>,
) -> Response {
    if let Err(refused) = has_key(&headers, &shared) {
        return refused.into_response();
    }
    let Json(steer) = match body {
        Ok(body) => body,
        Err(rejection) => return (StatusCode::BAD_REQUEST, rejection.body_text()).into_response(),
    };
    let (steering, settings) = (shared.steering.clone(), shared.settings.clone());
    answer(shared, move |store| {
        let run = find(store, &steer.property, steer.run)?;
        let Some(direction) = steer.direction else {
            steering.forget(&steer.property);
            return Ok(steering.state(&steer.property));
        };
        let texts = if steer.cases.is_empty() {
            run.texts_for_steering(store, &steer.filters, MOST_WISHED)
        } else {
            steer.cases.iter().take(MOST_WISHED).filter_map(|case| run.text(store, *case).ok()).collect()
        };
        let history = run.history();
        let wish = Wish { property: steer.property, run: run.start(), direction, texts };
        let directory = run.directory(store);
        steering.wish(wish, history, directory, &settings).map_err(|problem| (StatusCode::CONFLICT, problem))
    })
    .await
}

#[derive(Debug, Deserialize)]
pub struct Keep {
    property: String,
}

/// Copies the weights to where the test can name them.
pub async fn keep(
    State(shared): State<Shared>,
    headers: HeaderMap,
    body: Result<Json<Keep>, JsonRejection>,
) -> Response {
    if let Err(refused) = has_key(&headers, &shared) {
        return refused.into_response();
    }
    let Json(keep) = match body {
        Ok(body) => body,
        Err(rejection) => return (StatusCode::BAD_REQUEST, rejection.body_text()).into_response(),
    };
    let steering = shared.steering.clone();
    answer(shared, move |_| steering.keep(&keep.property).map_err(|problem| (StatusCode::CONFLICT, problem))).await
}

fn has_key(headers: &HeaderMap, shared: &Shared) -> Result<(), Refused> {
    let given = headers.get("x-retrospect-key").map(|key| key.as_bytes()).unwrap_or_default();
    let key = shared.settings.key.as_bytes();
    // As long for a wrong key as for a right one.
    let differs = given.iter().zip(key).fold(given.len() != key.len(), |differs, (a, b)| differs | (a != b));
    if differs {
        let how = "running tests needs the key of this session: open the address that the terminal shows".to_owned();
        return Err((StatusCode::FORBIDDEN, how));
    }
    Ok(())
}
