/// Where weights come from. Those that come from elsewhere are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    /// Whether they were read, and may name what is not there. Otherwise they were learned in this
    /// program.
    pub(super) is_text: bool,
    file: Option<String>,
    /// In which line of which table each label is.
    lines: Vec<(&'static str, String, usize)>,
}

impl Origin {
    pub(super) fn text() -> Origin {
        Origin { is_text: true, ..Origin::default() }
    }

    pub(super) fn note(&mut self, table: &'static str, label: &str, line: usize) {
        self.lines.push((table, label.to_owned(), line));
    }

    pub(super) fn set_file(&mut self, file: String) {
        self.file = Some(file);
    }

    pub(super) fn file(&self) -> Option<String> {
        self.file.clone()
    }

    /// The line of a label.
    pub(super) fn line_of(&self, table: &str, label: &str) -> Option<usize> {
        let is_it = |(other_table, other, _): &&(&str, String, usize)| *other_table == table && other == label;
        self.lines.iter().find(is_it).map(|(_, _, line)| *line)
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}
