//! The files of learned weights.

use super::reading::{MAX_SETTINGS_BYTES, read_file};
use crate::source::{Weights, WeightsError};
use std::path::Path;

impl Weights {
    /// Reads weights from a file that [`save`](Weights::save) wrote, and perhaps somebody changed.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let file = std::env::temp_dir().join("retrospect-doc-weights-load.toml");
    /// std::fs::write(&file, "[picks]\n\"bool\" = { \"true\" = 3 }\n").unwrap();
    /// let weights = Weights::load(&file).unwrap();
    /// assert_eq!(weights, any::<bool>().weights_of(&[true, true, true]).unwrap().without_depths());
    /// assert!(Weights::load("no/such/file.toml").unwrap_err().to_string().starts_with("the weights in no/such/file.toml: "));
    /// # std::fs::remove_file(file).unwrap();
    /// ```
    pub fn load(file: impl AsRef<Path>) -> Result<Weights, WeightsError> {
        let file = file.as_ref();
        let at_file = |reason: String| WeightsError::File { path: file.display().to_string(), reason };
        let bytes = read_file(file, MAX_SETTINGS_BYTES).map_err(at_file)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
            at_file(format!("line {line}: it is not text: these bytes are no UTF-8"))
        })?;
        let weights: Weights = text.parse().map_err(|error: WeightsError| at_file(error.to_string()))?;
        Ok(weights.read_from(file.display().to_string()))
    }

    /// The same for a property, which was not given weights so that there are none.
    pub(super) fn load_some(file: &Path) -> Result<Weights, WeightsError> {
        match Weights::load(file)? {
            weights if weights.is_empty() => Err(WeightsError::File {
                path: file.display().to_string(),
                reason: "there are none in it: write some, or leave the setting out".to_owned(),
            }),
            weights => Ok(weights),
        }
    }

    /// Writes weights to a file, to be read by people and by [`load`](Weights::load), and named in
    /// `#[property(weights = "…")]`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let file = std::env::temp_dir().join("retrospect-doc-weights-save.toml");
    /// let weights = any::<Option<bool>>().weights_of(&[None, Some(true)]).unwrap();
    /// weights.save(&file).unwrap();
    /// assert_eq!(Weights::load(&file).unwrap(), weights);
    /// # std::fs::remove_file(file).unwrap();
    /// ```
    pub fn save(&self, file: impl AsRef<Path>) -> Result<(), WeightsError> {
        let file = file.as_ref();
        let written = std::fs::write(file, self.to_string());
        written.map_err(|error| WeightsError::File { path: file.display().to_string(), reason: error.to_string() })
    }
}
