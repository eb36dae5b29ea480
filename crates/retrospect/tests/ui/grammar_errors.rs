use retrospect::prelude::*;

fn main() {
    let _ = text::grammar!("list = item { ',' itme } ; item = [a-z]+ ;");
    let _ = text::grammar!(
        r#"
        value = list | number ;
        list  = "(" value* ;
        number = [9-0]+ ;
        "#
    );
    let _ = text::grammar!("a = b ; a = c ;");
    let _ = text::grammar!("a = 'x' a");
    let _ = text::grammar!("");
    let _ = text::grammar!("item = 'x'", start = "items");
    let _ = text::grammar!("item = 'x'", stat = "item");
    let _ = text::grammar!("item = 'x'", start = "item", "more");
    let _ = text::grammar!(fiel = "json.ebnf");
    let _ = text::grammar!(file = "tests/ui/no_such_file.ebnf");
    let _ = text::grammar!(JSON);
    let _ = text::grammar!();
}
