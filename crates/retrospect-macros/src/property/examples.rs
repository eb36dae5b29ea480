//! `#[example(tree = Tree::Leaf, key = 4)]`: cases that run before all others.

use super::arguments::{Arguments, label_of};
use crate::errors::Errors;
use crate::nearest::{listed, unknown};
use syn::parse::ParseStream;
use syn::{Attribute, Expr, Meta, Pat, Token};

/// One example: the value of each drawn argument, in the order of the arguments.
pub(crate) struct Example {
    pub(crate) values: Vec<Expr>,
}

/// `key = 4`.
struct Given {
    argument: Pat,
    value: Expr,
}

pub(crate) fn read(attributes: &[Attribute], arguments: &Arguments, errors: &mut Errors) -> Vec<Example> {
    // Arguments that could not be read are missing here, and would be reported as unknown.
    if !errors.is_empty() {
        return Vec::new();
    }
    attributes.iter().filter_map(|attribute| example(attribute, arguments, errors)).collect()
}

fn example(attribute: &Attribute, arguments: &Arguments, errors: &mut Errors) -> Option<Example> {
    let labels: Vec<&str> = arguments.drawn().map(|drawn| drawn.label.as_str()).collect();
    if labels.is_empty() {
        errors.on(attribute, "this property has no arguments that an example could give values to");
        return None;
    }
    let given = match given_in(attribute, &labels) {
        Ok(given) => given,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let mut values: Vec<Option<Expr>> = vec![None; labels.len()];
    let mut is_known = true;
    for Given { argument, value } in given {
        let label = label_of(&argument);
        match labels.iter().position(|known| *known == label) {
            Some(place) if values[place].is_none() => values[place] = Some(value),
            Some(_) => errors.on(&argument, format!("`{label}` has a value already: leave one of them out")),
            None => {
                is_known = false;
                errors.on(&argument, unknown("argument", &label, &labels));
            }
        }
    }
    let missing: Vec<&str> =
        labels.iter().zip(&values).filter(|(_, value)| value.is_none()).map(|(label, _)| *label).collect();
    if !missing.is_empty() && is_known {
        errors.on(attribute, format!("an example gives every argument a value; missing: {}", listed(missing)));
    }
    values.into_iter().collect::<Option<Vec<Expr>>>().map(|values| Example { values })
}

fn given_in(attribute: &Attribute, labels: &[&str]) -> syn::Result<Vec<Given>> {
    let form = || {
        let values: Vec<String> = labels.iter().map(|label| format!("{label} = …")).collect();
        format!("an example says what each argument is: `#[example({})]`", values.join(", "))
    };
    if !matches!(attribute.meta, Meta::List(_)) {
        return Err(syn::Error::new_spanned(attribute, form()));
    }
    attribute.parse_args_with(|input: ParseStream<'_>| {
        let mut given = Vec::new();
        while !input.is_empty() {
            let argument = input.call(Pat::parse_single)?;
            input.parse::<Token![=]>().map_err(|_| syn::Error::new_spanned(&argument, form()))?;
            given.push(Given { argument, value: input.parse()? });
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(given)
    })
}
