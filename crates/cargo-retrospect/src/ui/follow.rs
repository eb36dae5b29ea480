//! Reads the files in a thread of its own, as they grow.

use retrospect_stats::read::Follower;
use retrospect_stats::summary::Store;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often files are looked at.
const EVERY: Duration = Duration::from_millis(250);
/// How often it is told that there is more, while a large file is read.
const TELL_EVERY: Duration = Duration::from_millis(150);

/// What was read so far, and news of it.
#[derive(Clone, Debug)]
pub struct Followed {
    store: Arc<RwLock<Store>>,
    news: watch::Receiver<News>,
    tell: watch::Sender<News>,
}

/// Changes whenever there is something new.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct News {
    pub version: u64,
    /// Whether all that there is was read once.
    pub loaded: bool,
}

impl Followed {
    pub fn store(&self) -> RwLockReadGuard<'_, Store> {
        self.store.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn news(&self) -> watch::Receiver<News> {
        self.news.clone()
    }

    /// Has pages look again though no file has changed.
    pub fn tell(&self) {
        self.tell.send_modify(|news| news.version += 1);
    }
}

/// Begins to follow.
pub fn start(paths: Vec<PathBuf>) -> Followed {
    let store = Arc::new(RwLock::new(Store::default()));
    let (tell, news) = watch::channel(News::default());
    let followed = Followed { store: store.clone(), news, tell: tell.clone() };
    thread::spawn(move || {
        let mut follower = Follower::new(paths);
        let mut told = Instant::now();
        let (mut version, mut problems) = (0, Vec::new());
        loop {
            let progress = follower.read(&mut |change| {
                change(&mut store.write().unwrap_or_else(PoisonError::into_inner));
                if told.elapsed() > TELL_EVERY {
                    told = Instant::now();
                    tell.send_modify(|news| news.version += 1);
                }
            });
            let is_first = !tell.borrow().loaded;
            let now = store.read().unwrap_or_else(PoisonError::into_inner).version();
            if is_first || now != version || problems != progress.problems {
                (version, problems) = (now, progress.problems);
                if is_first {
                    store.write().unwrap_or_else(PoisonError::into_inner).shrink_to_fit();
                }
                tell.send_modify(|news| *news = News { version: news.version + 1, loaded: true });
            }
            thread::sleep(EVERY);
        }
    });
    followed
}
