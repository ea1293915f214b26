//! Objects of the JDK that are inputs: for each type a few calls that make some of its objects.
//!
//! All constructors of a class of the JDK would be many, and most of them parse, hash or ask the machine.
//! These calls are few and plain: a date of a number, a reader of a text. What they leave out results say, as
//! the bounds `classes` and `new_objects`.

use super::{Generic, Input, Recipe, Recipes};
use crate::classes::{ClassId, MethodId};
use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::outcome::Parameter;
use crate::state::State;
use crate::value::Value;

/// A class, one of its constructors or static methods, and the descriptor of that.
type Call = (&'static str, &'static str, &'static str);

const DATE: Call = ("java/util/Date", "<init>", "(J)V");
const LOCALE: Call = ("java/util/Locale", "getDefault", "()Ljava/util/Locale;");
const ZONE: Call = ("java/util/TimeZone", "getDefault", "()Ljava/util/TimeZone;");
const CHARSET: Call = ("java/nio/charset/Charset", "defaultCharset", "()Ljava/nio/charset/Charset;");
const BUILDER: Call = ("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V");
const BUFFER: Call = ("java/lang/StringBuffer", "<init>", "(Ljava/lang/String;)V");
// `valueOf` has a path for each of the 33 numbers that it keeps.
const INTEGER: Call = ("java/math/BigInteger", "<init>", "([B)V");
const DECIMAL: Call = ("java/math/BigDecimal", "<init>", "(J)V");
const RANDOM: Call = ("java/util/Random", "<init>", "(J)V");
const ENTRY: Call =
    ("java/util/AbstractMap$SimpleEntry", "<init>", "(Ljava/lang/Object;Ljava/lang/Object;)V");
const READER: Call = ("java/io/StringReader", "<init>", "(Ljava/lang/String;)V");
const WRITER: Call = ("java/io/StringWriter", "<init>", "()V");
const INPUT: Call = ("java/io/ByteArrayInputStream", "<init>", "([B)V");
const OUTPUT: Call = ("java/io/ByteArrayOutputStream", "<init>", "()V");

const DIGEST: Call =
    ("java/security/MessageDigest", "getInstance", "(Ljava/lang/String;)Ljava/security/MessageDigest;");
const MAC: Call = ("javax/crypto/Mac", "getInstance", "(Ljava/lang/String;)Ljavax/crypto/Mac;");
const KEY: Call = ("javax/crypto/spec/SecretKeySpec", "<init>", "([BLjava/lang/String;)V");
const PATTERN: Call = ("java/util/regex/Pattern", "compile", "(Ljava/lang/String;)Ljava/util/regex/Pattern;");
const CALENDAR: Call = ("java/util/GregorianCalendar", "<init>", "(III)V");
const NUMBERS: Call = ("java/text/NumberFormat", "getInstance", "()Ljava/text/NumberFormat;");

/// The enum that stands for all of them where callers may choose one.
pub(super) const ENUM: &str = "Ljava/util/concurrent/TimeUnit;";
const TIME: Call = ("java/time/LocalTime", "of", "(III)Ljava/time/LocalTime;");
const DATE_TIME: Call = ("java/time/LocalDateTime", "of", "(IIIIII)Ljava/time/LocalDateTime;");
const ZONE_ID: Call = ("java/time/ZoneId", "of", "(Ljava/lang/String;)Ljava/time/ZoneId;");
const PATH: Call =
    ("java/nio/file/Paths", "get", "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;");
const URI: Call = ("java/net/URI", "create", "(Ljava/lang/String;)Ljava/net/URI;");
const ENUMS: Call = ("java/util/EnumSet", "of", "(Ljava/lang/Enum;)Ljava/util/EnumSet;");
const REFERENCE: Call = ("java/util/concurrent/atomic/AtomicReference", "<init>", "(Ljava/lang/Object;)V");

/// An argument that is no input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Given {
    Text(&'static str),
    Int(i32),
    /// An array of no texts.
    NoTexts,
}

/// The arguments of such calls that are always the same: of all names of algorithms almost none is one, and a
/// pattern is a program of its own.
pub(super) fn given(class: &str, method: &str, descriptor: &str, at: usize) -> Option<Given> {
    match ((class, method, descriptor), at) {
        (call, 0) if call == DIGEST => Some(Given::Text("MD5")),
        (call, 0) if call == MAC => Some(Given::Text("HmacMD5")),
        (call, 1) if call == KEY => Some(Given::Text("HmacMD5")),
        (call, 0) if call == PATTERN => Some(Given::Text("a+")),
        (call, 0) if call == CALENDAR => Some(Given::Int(2000)),
        (call, 1) if call == CALENDAR => Some(Given::Int(1)),
        (call, 2) if call == CALENDAR => Some(Given::Int(29)),
        // Full hours are objects of a table: a path for each.
        (call, 2) if call == TIME => Some(Given::Int(30)),
        (call, 5) if call == DATE_TIME => Some(Given::Int(30)),
        // Of all texts almost none is the name of a zone, and a URI is parsed character by character.
        (call, 0) if call == ZONE_ID => Some(Given::Text("UTC")),
        (call, 0) if call == URI => Some(Given::Text("http://example.org:80/a?b=c#d")),
        (call, 1) if call == PATH => Some(Given::NoTexts),
        _ => None,
    }
}

/// The calls that make objects of a type.
fn calls(class: &str) -> &'static [Call] {
    match class {
        "java/util/Date" => &[DATE],
        "java/util/Locale" => &[LOCALE],
        "java/util/TimeZone" => &[ZONE],
        "java/nio/charset/Charset" => &[CHARSET],
        "java/lang/StringBuilder" | "java/lang/Appendable" => &[BUILDER],
        "java/lang/StringBuffer" => &[BUFFER],
        "java/math/BigInteger" => &[INTEGER],
        "java/math/BigDecimal" => &[DECIMAL],
        "java/util/Random" => &[RANDOM],
        "java/util/Map$Entry" | "java/util/AbstractMap$SimpleEntry" => &[ENTRY],
        "java/lang/Readable" | "java/io/Reader" | "java/io/StringReader" => &[READER],
        "java/io/Writer" | "java/io/StringWriter" => &[WRITER],
        "java/io/InputStream" | "java/io/ByteArrayInputStream" => &[INPUT],
        "java/io/OutputStream" | "java/io/ByteArrayOutputStream" => &[OUTPUT],
        "java/util/BitSet" => &[("java/util/BitSet", "<init>", "()V")],
        "java/util/UUID" => &[("java/util/UUID", "<init>", "(JJ)V")],
        "java/lang/Throwable" => &[("java/lang/Throwable", "<init>", "(Ljava/lang/String;)V")],
        "java/lang/Exception" => &[("java/lang/Exception", "<init>", "(Ljava/lang/String;)V")],
        "java/lang/RuntimeException" => &[("java/lang/RuntimeException", "<init>", "(Ljava/lang/String;)V")],
        "java/lang/Error" => &[("java/lang/Error", "<init>", "(Ljava/lang/String;)V")],
        "java/util/concurrent/atomic/AtomicInteger" => {
            &[("java/util/concurrent/atomic/AtomicInteger", "<init>", "(I)V")]
        }
        "java/util/concurrent/atomic/AtomicLong" => {
            &[("java/util/concurrent/atomic/AtomicLong", "<init>", "(J)V")]
        }
        "java/util/concurrent/atomic/AtomicBoolean" => {
            &[("java/util/concurrent/atomic/AtomicBoolean", "<init>", "(Z)V")]
        }
        "java/time/Duration" => &[("java/time/Duration", "ofMillis", "(J)Ljava/time/Duration;")],
        "java/time/Instant" => &[("java/time/Instant", "ofEpochMilli", "(J)Ljava/time/Instant;")],
        "java/time/LocalDate" => &[("java/time/LocalDate", "of", "(III)Ljava/time/LocalDate;")],
        "java/time/LocalTime" => &[TIME],
        "java/time/LocalDateTime" => &[DATE_TIME],
        "java/time/ZonedDateTime" => &[(
            "java/time/ZonedDateTime",
            "of",
            "(Ljava/time/LocalDateTime;Ljava/time/ZoneId;)Ljava/time/ZonedDateTime;",
        )],
        "java/time/ZoneId" => &[ZONE_ID],
        "java/time/ZoneOffset" => &[("java/time/ZoneOffset", "ofHours", "(I)Ljava/time/ZoneOffset;")],
        "java/time/Period" => &[("java/time/Period", "of", "(III)Ljava/time/Period;")],
        "java/time/Year" => &[("java/time/Year", "of", "(I)Ljava/time/Year;")],
        "java/time/YearMonth" => &[("java/time/YearMonth", "of", "(II)Ljava/time/YearMonth;")],
        "java/time/MonthDay" => &[("java/time/MonthDay", "of", "(II)Ljava/time/MonthDay;")],
        "java/nio/file/Path" => &[PATH],
        "java/net/URI" => &[URI],
        "java/util/Scanner" => &[("java/util/Scanner", "<init>", "(Ljava/lang/String;)V")],
        "java/io/BufferedReader" => &[("java/io/BufferedReader", "<init>", "(Ljava/io/Reader;)V")],
        "java/io/PrintWriter" => &[("java/io/PrintWriter", "<init>", "(Ljava/io/Writer;)V")],
        "java/util/OptionalInt" => &[
            ("java/util/OptionalInt", "empty", "()Ljava/util/OptionalInt;"),
            ("java/util/OptionalInt", "of", "(I)Ljava/util/OptionalInt;"),
        ],
        "java/util/OptionalLong" => &[
            ("java/util/OptionalLong", "empty", "()Ljava/util/OptionalLong;"),
            ("java/util/OptionalLong", "of", "(J)Ljava/util/OptionalLong;"),
        ],
        "java/util/OptionalDouble" => &[
            ("java/util/OptionalDouble", "empty", "()Ljava/util/OptionalDouble;"),
            ("java/util/OptionalDouble", "of", "(D)Ljava/util/OptionalDouble;"),
        ],
        "java/util/Properties" => &[("java/util/Properties", "<init>", "()V")],
        "java/util/EnumSet" => &[ENUMS],
        "java/util/StringJoiner" => &[("java/util/StringJoiner", "<init>", "(Ljava/lang/CharSequence;)V")],
        "java/util/concurrent/atomic/AtomicReference" => &[REFERENCE],
        "java/lang/Thread" => &[("java/lang/Thread", "<init>", "(Ljava/lang/String;)V")],
        "java/util/StringTokenizer" => &[("java/util/StringTokenizer", "<init>", "(Ljava/lang/String;)V")],
        "java/nio/ByteBuffer" => &[("java/nio/ByteBuffer", "wrap", "([B)Ljava/nio/ByteBuffer;")],
        "java/security/MessageDigest" => &[DIGEST],
        "javax/crypto/Mac" => &[MAC],
        "java/security/Key" | "javax/crypto/SecretKey" | "javax/crypto/spec/SecretKeySpec" => &[KEY],
        "java/util/regex/Pattern" => &[PATTERN],
        "java/util/Calendar" | "java/util/GregorianCalendar" => &[CALENDAR],
        "java/text/NumberFormat" => &[NUMBERS],
        "java/text/ParsePosition" => &[("java/text/ParsePosition", "<init>", "(I)V")],
        "java/text/FieldPosition" => &[("java/text/FieldPosition", "<init>", "(I)V")],
        "java/math/MathContext" => &[("java/math/MathContext", "<init>", "(I)V")],
        "java/util/concurrent/CountDownLatch" => &[("java/util/concurrent/CountDownLatch", "<init>", "(I)V")],
        "java/util/concurrent/Semaphore" => &[("java/util/concurrent/Semaphore", "<init>", "(I)V")],
        "java/util/concurrent/BlockingQueue" => {
            &[("java/util/concurrent/ArrayBlockingQueue", "<init>", "(I)V")]
        }
        "java/lang/ref/ReferenceQueue" => &[("java/lang/ref/ReferenceQueue", "<init>", "()V")],
        "java/nio/CharBuffer" => &[("java/nio/CharBuffer", "wrap", "([C)Ljava/nio/CharBuffer;")],
        "java/util/stream/IntStream" => {
            &[("java/util/stream/IntStream", "of", "(I)Ljava/util/stream/IntStream;")]
        }
        "java/util/stream/LongStream" => {
            &[("java/util/stream/LongStream", "of", "(J)Ljava/util/stream/LongStream;")]
        }
        "java/util/stream/DoubleStream" => {
            &[("java/util/stream/DoubleStream", "of", "(D)Ljava/util/stream/DoubleStream;")]
        }
        "java/util/stream/Stream" => {
            &[("java/util/stream/Stream", "of", "(Ljava/lang/Object;)Ljava/util/stream/Stream;")]
        }
        "java/io/File" => &[("java/io/File", "<init>", "(Ljava/lang/String;)V")],
        _ => &[],
    }
}

/// Whether the arguments of the call that makes an object are of the types that the type is given: an entry
/// has a key and a value, a set of an enum its constants.
pub(super) fn holds_its_arguments(descriptor: &str) -> bool {
    matches!(
        descriptor,
        "Ljava/util/Map$Entry;"
            | "Ljava/util/AbstractMap$SimpleEntry;"
            | "Ljava/util/EnumSet;"
            | "Ljava/util/concurrent/atomic/AtomicReference;"
    )
}

impl Jvm {
    /// The calls that make objects of a type of the JDK: those that this JDK has.
    pub(super) fn jdk_calls(&mut self, class: ClassId) -> Vec<MethodId> {
        let name = self.class(class).name.clone();
        let find = |call: &Call| {
            let owner = self.load(call.0).ok()?;
            let own = self.class(owner).clone();
            let is_own = |id: &MethodId| {
                let method = self.method(*id);
                &*method.name == call.1 && &*method.descriptor == call.2
            };
            own.methods.iter().copied().find(is_own)
        };
        calls(&name).iter().filter_map(find).collect()
    }
}

impl Jvm {
    /// Null, or the class that a `Class<T>` is about: `Integer` where callers may choose it. Its recipe is
    /// `Class.forName`.
    pub(super) fn make_class(
        &mut self,
        state: &mut State,
        name: &str,
        of: &Generic,
    ) -> Result<Input, Box<Trap>> {
        self.note_bound(state, InputBound::Classes);
        let about = of.held().descriptor;
        let about = about.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let about = match about {
            Some("java/lang/Enum") => &ENUM[1..ENUM.len() - 1],
            Some("java/lang/Object" | "java/lang/Number" | "java/lang/Comparable") => "java/lang/Integer",
            // Where a test is loaded, classes of the JDK are found by name, whatever the loader.
            Some(jdk) if jdk.starts_with("java/") => jdk,
            _ => "",
        };
        let Ok(about) = self.load(about) else {
            self.note_bound(state, InputBound::References);
            return Ok(Input::Value(Value::Null));
        };
        let class = self.load("java/lang/Class")?;
        let callee = self.known_call(class, "forName", "(Ljava/lang/String;)Ljava/lang/Class;")?;
        let recipes = Recipes { callees: vec![callee], ..Recipes::default() };
        let Some(callee) = self.choose_recipe(state, name, &recipes, true)? else {
            return Ok(Input::Value(Value::Null));
        };
        self.require_init(state, about)?;
        let mirror = self.mirror(state, about);
        let text: Vec<u16> = self.class(about).java_name().encode_utf16().collect();
        let text = self.new_string(state, &text);
        if state.made.recipe_before(mirror, usize::MAX).is_none() {
            let descriptor = "Ljava/lang/String;".into();
            let argument = Parameter { name: "className".into(), descriptor, value: Value::Ref(text) };
            let recipe = Recipe { name: name.into(), object: mirror, callee, arguments: vec![argument] };
            state.made_mut().recipes.push(recipe);
        }
        Ok(Input::Value(Value::Ref(mirror)))
    }
}
