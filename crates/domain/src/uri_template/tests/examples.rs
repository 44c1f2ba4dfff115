//! Every example of RFC 6570 by section, and their variables. The level 4 examples of section 1.2 are omitted: section
//! 3.2 repeats each of them with the same variables.

use super::*;

/// A template and its expansion.
pub(super) type Example = (&'static str, &'static str);

/// All examples.
pub(super) fn examples() -> impl Iterator<Item = Example> {
    let sections = [
        SECTION_1_1,
        SECTION_1_2_LEVELS_1_TO_3,
        SECTION_2_4,
        SECTION_3_2_1,
        SECTION_3_2_2,
        SECTION_3_2_3,
        SECTION_3_2_4,
        SECTION_3_2_5,
        SECTION_3_2_6,
        SECTION_3_2_7,
        SECTION_3_2_8,
        SECTION_3_2_9,
    ];
    sections.into_iter().flatten().copied()
}

/// The variables of sections 1.1, 2.4 and 3.2. Those of section 1.2 are among the variables of section 3.2.
pub(super) fn variables() -> Variables {
    let list = |items: &[&str]| VariableValue::List(items.iter().map(|&item| item.to_owned()).collect());
    let map = |entries: &[(&str, &str)]| {
        VariableValue::Map(entries.iter().map(|&(key, text)| (key.to_owned(), text.to_owned())).collect())
    };
    Variables::new()
        .with("count", list(&["one", "two", "three"]))
        .with("dom", list(&["example", "com"]))
        .with("dub", "me/too")
        .with("hello", "Hello World!")
        .with("half", "50%")
        .with("var", "value")
        .with("who", "fred")
        .with("base", "http://example.com/home/")
        .with("path", "/foo/bar")
        .with("list", list(&["red", "green", "blue"]))
        .with("keys", map(&[("semi", ";"), ("dot", "."), ("comma", ",")]))
        .with("v", "6")
        .with("x", "1024")
        .with("y", "768")
        .with("empty", "")
        .with("empty_keys", map(&[]))
        .with("empty_list", list(&[]))
        .with("username", "fred")
        .with("term", "cat")
        .with("q", "chien")
        .with("lang", "fr")
        .with("query", "mycelium")
        .with("number", "100")
        .with("semi", ";")
        .with("year", list(&["1965", "2000", "2012"]))
        .with("address", map(&[("city", "Newport Beach"), ("state", "CA")]))
}

const SECTION_1_1: &[Example] = &[
    ("http://example.com/~{username}/", "http://example.com/~fred/"),
    ("http://example.com/dictionary/{term:1}/{term}", "http://example.com/dictionary/c/cat"),
    ("http://example.com/search{?q,lang}", "http://example.com/search?q=chien&lang=fr"),
    ("http://www.example.com/foo{?query,number}", "http://www.example.com/foo?query=mycelium&number=100"),
    ("http://www.example.com/foo{?undef,number}", "http://www.example.com/foo?number=100"),
];

const SECTION_1_2_LEVELS_1_TO_3: &[Example] = &[
    ("{var}", "value"),
    ("{hello}", "Hello%20World%21"),
    ("{+var}", "value"),
    ("{+hello}", "Hello%20World!"),
    ("{+path}/here", "/foo/bar/here"),
    ("here?ref={+path}", "here?ref=/foo/bar"),
    ("X{#var}", "X#value"),
    ("X{#hello}", "X#Hello%20World!"),
    ("map?{x,y}", "map?1024,768"),
    ("{x,hello,y}", "1024,Hello%20World%21,768"),
    ("{+x,hello,y}", "1024,Hello%20World!,768"),
    ("{+path,x}/here", "/foo/bar,1024/here"),
    ("{#x,hello,y}", "#1024,Hello%20World!,768"),
    ("{#path,x}/here", "#/foo/bar,1024/here"),
    ("X{.var}", "X.value"),
    ("X{.x,y}", "X.1024.768"),
    ("{/var}", "/value"),
    ("{/var,x}/here", "/value/1024/here"),
    ("{;x,y}", ";x=1024;y=768"),
    ("{;x,y,empty}", ";x=1024;y=768;empty"),
    ("{?x,y}", "?x=1024&y=768"),
    ("{?x,y,empty}", "?x=1024&y=768&empty="),
    ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
    ("{&x,y,empty}", "&x=1024&y=768&empty="),
];

const SECTION_2_4: &[Example] = &[
    ("{var}", "value"),
    ("{var:20}", "value"),
    ("{var:3}", "val"),
    ("{semi}", "%3B"),
    ("{semi:2}", "%3B"),
    ("find{?year*}", "find?year=1965&year=2000&year=2012"),
    ("www{.dom*}", "www.example.com"),
    ("/mapper{?address*}", "/mapper?city=Newport%20Beach&state=CA"),
];

const SECTION_3_2_1: &[Example] = &[
    ("{count}", "one,two,three"),
    ("{count*}", "one,two,three"),
    ("{/count}", "/one,two,three"),
    ("{/count*}", "/one/two/three"),
    ("{;count}", ";count=one,two,three"),
    ("{;count*}", ";count=one;count=two;count=three"),
    ("{?count}", "?count=one,two,three"),
    ("{?count*}", "?count=one&count=two&count=three"),
    ("{&count*}", "&count=one&count=two&count=three"),
];

const SECTION_3_2_2: &[Example] = &[
    ("{var}", "value"),
    ("{hello}", "Hello%20World%21"),
    ("{half}", "50%25"),
    ("O{empty}X", "OX"),
    ("O{undef}X", "OX"),
    ("{x,y}", "1024,768"),
    ("{x,hello,y}", "1024,Hello%20World%21,768"),
    ("?{x,empty}", "?1024,"),
    ("?{x,undef}", "?1024"),
    ("?{undef,y}", "?768"),
    ("{var:3}", "val"),
    ("{var:30}", "value"),
    ("{list}", "red,green,blue"),
    ("{list*}", "red,green,blue"),
    ("{keys}", "semi,%3B,dot,.,comma,%2C"),
    ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
];

const SECTION_3_2_3: &[Example] = &[
    ("{+var}", "value"),
    ("{+hello}", "Hello%20World!"),
    ("{+half}", "50%25"),
    ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
    ("{+base}index", "http://example.com/home/index"),
    ("O{+empty}X", "OX"),
    ("O{+undef}X", "OX"),
    ("{+path}/here", "/foo/bar/here"),
    ("here?ref={+path}", "here?ref=/foo/bar"),
    ("up{+path}{var}/here", "up/foo/barvalue/here"),
    ("{+x,hello,y}", "1024,Hello%20World!,768"),
    ("{+path,x}/here", "/foo/bar,1024/here"),
    ("{+path:6}/here", "/foo/b/here"),
    ("{+list}", "red,green,blue"),
    ("{+list*}", "red,green,blue"),
    ("{+keys}", "semi,;,dot,.,comma,,"),
    ("{+keys*}", "semi=;,dot=.,comma=,"),
];

const SECTION_3_2_4: &[Example] = &[
    ("{#var}", "#value"),
    ("{#hello}", "#Hello%20World!"),
    ("{#half}", "#50%25"),
    ("foo{#empty}", "foo#"),
    ("foo{#undef}", "foo"),
    ("{#x,hello,y}", "#1024,Hello%20World!,768"),
    ("{#path,x}/here", "#/foo/bar,1024/here"),
    ("{#path:6}/here", "#/foo/b/here"),
    ("{#list}", "#red,green,blue"),
    ("{#list*}", "#red,green,blue"),
    ("{#keys}", "#semi,;,dot,.,comma,,"),
    ("{#keys*}", "#semi=;,dot=.,comma=,"),
];

const SECTION_3_2_5: &[Example] = &[
    ("{.who}", ".fred"),
    ("{.who,who}", ".fred.fred"),
    ("{.half,who}", ".50%25.fred"),
    ("www{.dom*}", "www.example.com"),
    ("X{.var}", "X.value"),
    ("X{.empty}", "X."),
    ("X{.undef}", "X"),
    ("X{.var:3}", "X.val"),
    ("X{.list}", "X.red,green,blue"),
    ("X{.list*}", "X.red.green.blue"),
    ("X{.keys}", "X.semi,%3B,dot,.,comma,%2C"),
    ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
    ("X{.empty_keys}", "X"),
    ("X{.empty_keys*}", "X"),
];

const SECTION_3_2_6: &[Example] = &[
    ("{/who}", "/fred"),
    ("{/who,who}", "/fred/fred"),
    ("{/half,who}", "/50%25/fred"),
    ("{/who,dub}", "/fred/me%2Ftoo"),
    ("{/var}", "/value"),
    ("{/var,empty}", "/value/"),
    ("{/var,undef}", "/value"),
    ("{/var,x}/here", "/value/1024/here"),
    ("{/var:1,var}", "/v/value"),
    ("{/list}", "/red,green,blue"),
    ("{/list*}", "/red/green/blue"),
    ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
    ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
    ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
];

const SECTION_3_2_7: &[Example] = &[
    ("{;who}", ";who=fred"),
    ("{;half}", ";half=50%25"),
    ("{;empty}", ";empty"),
    ("{;v,empty,who}", ";v=6;empty;who=fred"),
    ("{;v,bar,who}", ";v=6;who=fred"),
    ("{;x,y}", ";x=1024;y=768"),
    ("{;x,y,empty}", ";x=1024;y=768;empty"),
    ("{;x,y,undef}", ";x=1024;y=768"),
    ("{;hello:5}", ";hello=Hello"),
    ("{;list}", ";list=red,green,blue"),
    ("{;list*}", ";list=red;list=green;list=blue"),
    ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
    ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
];

const SECTION_3_2_8: &[Example] = &[
    ("{?who}", "?who=fred"),
    ("{?half}", "?half=50%25"),
    ("{?x,y}", "?x=1024&y=768"),
    ("{?x,y,empty}", "?x=1024&y=768&empty="),
    ("{?x,y,undef}", "?x=1024&y=768"),
    ("{?var:3}", "?var=val"),
    ("{?list}", "?list=red,green,blue"),
    ("{?list*}", "?list=red&list=green&list=blue"),
    ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
    ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
];

const SECTION_3_2_9: &[Example] = &[
    ("{&who}", "&who=fred"),
    ("{&half}", "&half=50%25"),
    ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
    ("{&x,y,empty}", "&x=1024&y=768&empty="),
    ("{&x,y,undef}", "&x=1024&y=768"),
    ("{&var:3}", "&var=val"),
    ("{&list}", "&list=red,green,blue"),
    ("{&list*}", "&list=red&list=green&list=blue"),
    ("{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"),
    ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
];
