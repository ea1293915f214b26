//! Data of the English locale that formats and calendars need: the JDK keeps it in bundles, which are found
//! through modules.

use super::Row;
use super::objects::yes;
use super::system::{require_english, symbols};
use crate::native::{Call, Done, Trap};
use crate::value::Value;

const NUMBERS: &str = "java/text/NumberFormat";
const DATES: &str = "java/text/DateFormatSymbols";

pub(crate) const TABLE: &[Row] = &[
    (
        NUMBERS,
        "getInstance",
        "(Ljava/util/Locale;Ljava/text/NumberFormat$Style;I)Ljava/text/NumberFormat;",
        |c| number_format(c, 2),
    ),
    (NUMBERS, "getInstance", "(Ljava/util/Locale;I)Ljava/text/NumberFormat;", |c| number_format(c, 1)),
    (DATES, "initializeData", "*", date_symbols),
    (DATES, "getProviderInstance", "*", new_date_symbols),
    ("java/text/SimpleDateFormat", "useDateFormatSymbols", "()Z", yes),
    ("java/util/Calendar", "setWeekCountData", "*", weeks),
];

/// `getInstance(locale, style, choice)`; `at` is the place of the choice.
fn number_format(call: &mut Call, at: usize) -> Result<Done, Trap> {
    require_english(call, call.args[0])?;
    let pattern = match call.int(at)? {
        0 => "#,##0.###",
        1 => {
            require_us(call, call.args[0])?;
            "\u{a4}#,##0.00"
        }
        2 => "#,##0%",
        4 => "#,##0",
        _ => return Err(Trap::unsupported("formats of this style", "format the number")),
    };
    let signs = call.class_named("java/text/DecimalFormatSymbols")?;
    call.init(signs)?;
    let class = call.class_named("java/text/DecimalFormat")?;
    call.init(class)?;
    let descriptor = "(Ljava/lang/String;Ljava/text/DecimalFormatSymbols;)V";
    let method = call.method_named(class, "<init>", descriptor)?;
    let locale = [call.args[0]];
    let method_of_signs =
        call.method_named(signs, "getInstance", "(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;")?;
    let method_of_signs = call.jvm.method(method_of_signs).clone();
    let made =
        symbols(&mut Call { jvm: call.jvm, state: call.state, method: method_of_signs, args: &locale })?;
    let Done::Value(signs) = made else { return Err(Trap::unsupported("signs of a locale", "")) };
    if call.int(at)? == 1
        && let Value::Ref(signs) = signs
    {
        for (field, text) in [("currencySymbol", "$"), ("intlCurrencySymbol", "USD")] {
            let text = call.jvm.new_text(call.state, text);
            call.set_field(signs, field, Value::Ref(text));
        }
        call.set_field(signs, "currencyInitialized", Value::Int(1));
    }
    let format = call.blank(class);
    let pattern = Value::Ref(call.jvm.new_text(call.state, pattern));
    let is_whole = Value::boolean(call.int(at)? == 4);
    let args = vec![Value::Ref(format), pattern, signs];
    Ok(Done::Call { method, args, then: made_format, saved: vec![Value::Ref(format), is_whole] })
}

/// Other countries have other currencies, which the JDK has in tables.
fn require_us(call: &Call, locale: Value) -> Result<(), Trap> {
    let base = locale.as_ref().and_then(|locale| call.field(locale, "baseLocale").as_ref());
    let region = base.and_then(|base| call.field(base, "region").as_ref());
    match region.and_then(|region| call.jvm.string_text(call.state, region)).as_deref() {
        Some("US") => Ok(()),
        _ => Err(Trap::unsupported("the currency of a locale", "use Locale.US")),
    }
}

fn made_format(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    let format = call.object(0)?;
    if call.args[1] == Value::Int(1) {
        call.set_field(format, "parseIntegerOnly", Value::Int(1));
    }
    Ok(Done::Value(Value::Ref(format)))
}

const MONTHS: [&str; 13] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "",
];

const DAYS: [&str; 8] = ["", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

fn new_date_symbols(call: &mut Call) -> Result<Done, Trap> {
    let class = call.method.class;
    call.init(class)?;
    let method = call.method_named(class, "initializeData", "(Ljava/util/Locale;)V")?;
    let made = Value::Ref(call.blank(class));
    let args = vec![made, call.args[0]];
    Ok(Done::Call { method, args, then: |call, _| Ok(Done::Value(call.args[0])), saved: vec![made] })
}

fn date_symbols(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    require_english(call, call.args[1])?;
    let short = |names: &[&'static str]| -> Vec<&'static str> {
        names.iter().map(|name| name.get(..3).unwrap_or(name)).collect()
    };
    let lists = [
        ("eras", vec!["BC", "AD"]),
        ("months", MONTHS.to_vec()),
        ("shortMonths", short(&MONTHS)),
        ("weekdays", DAYS.to_vec()),
        ("shortWeekdays", short(&DAYS)),
        ("ampms", vec!["AM", "PM"]),
    ];
    let string = call.class_named("java/lang/String")?;
    for (field, names) in lists {
        let array = call.make_array(string, names.len())?;
        for (at, name) in names.iter().enumerate() {
            let text = call.jvm.new_text(call.state, name);
            call.state.heap.store(array, at, Value::Ref(text));
        }
        call.set_field(object, field, Value::Ref(array));
    }
    let letters = call.jvm.new_text(call.state, "GyMdkHmsSEDFwWahKzZ");
    call.set_field(object, "localPatternChars", Value::Ref(letters));
    call.set_field(object, "locale", call.args[1]);
    Ok(Done::Void)
}

/// Weeks begin on Sunday, and the first of a year has at least one day.
fn weeks(call: &mut Call) -> Result<Done, Trap> {
    let calendar = call.object(0)?;
    require_english(call, call.args[1])?;
    call.set_field(calendar, "firstDayOfWeek", Value::Int(1));
    call.set_field(calendar, "minimalDaysInFirstWeek", Value::Int(1));
    Ok(Done::Void)
}
