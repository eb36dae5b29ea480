//! What is wrong with the parts of a struct or variant that has the right name.

use super::{Document, Sketch, SketchKind, names};

impl Sketch<'_> {
    /// Why this is not the struct or variant `name` with these fields, or with so many parts if it
    /// has no field names. Nothing if it is something else altogether, or nothing is wrong with it.
    pub(crate) fn wrong_parts(&self, name: &str, fields: &[&str], n_parts: usize) -> Option<String> {
        match self.kind() {
            SketchKind::Record { name: shown, open, .. } if shown == name && !fields.is_empty() => {
                self.wrong_fields(fields, open)
            }
            SketchKind::Tuple { name: shown, parts } if shown == name && fields.is_empty() && parts != n_parts => {
                let noun = if n_parts == 1 { "part" } else { "parts" };
                Some(format!("`{name}` has {n_parts} {noun}, not {parts}"))
            }
            _ => None,
        }
    }

    fn wrong_fields(&self, fields: &[&str], is_open: bool) -> Option<String> {
        let shown: Vec<&str> = self.parts().step_by(2).map(|key| names::plain_name(key.text())).collect();
        let mut problems = Vec::new();
        for (place, field) in shown.iter().enumerate() {
            let problem = match (fields.contains(field), shown[..place].contains(field)) {
                (false, _) => format!("there is no field `{field}`"),
                (true, true) => format!("`{field}` is there twice"),
                (true, false) => continue,
            };
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        let missing = fields.iter().filter(|field| !is_open && !shown.contains(field));
        problems.extend(missing.map(|field| format!("`{field}` is missing")));
        const MAX_PROBLEMS: usize = 8;
        if problems.len() > MAX_PROBLEMS {
            problems.truncate(MAX_PROBLEMS);
            problems.push("…".to_owned());
        }
        (!problems.is_empty()).then(|| problems.join("; "))
    }
}

impl Document {
    /// Whether a hole is written `_`, and not as a `..` that leaves parts out.
    pub(crate) fn has_underscores(&self) -> bool {
        let parts = (0..self.arena.len()).map(|index| Sketch { document: self, index });
        parts.filter(Sketch::is_hole).any(|hole| hole.text() == "_")
    }
}
