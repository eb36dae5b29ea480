/// Where weights come from. Those that come from elsewhere are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    /// Whether they were read, and may name what is not there. Otherwise they were learned in this program.
    pub(super) is_text: bool,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}
