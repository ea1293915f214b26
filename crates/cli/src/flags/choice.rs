//! Values that are one of a few names: read alike from flags, the environment, the configuration file and
//! jobs.
//!
//! The names are those of clap's [`ValueEnum`]. Upper and lower case mean the same, and whatever is none of
//! the names is refused with the same words, after the name of the place where it stands.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error, ValueEnum};
use std::ffi::OsStr;
use std::marker::PhantomData;

/// Reads a name.
///
/// # Errors
/// Which names there are.
pub(crate) fn read<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text.trim(), true).map_err(|_| {
        let names: Vec<String> = T::value_variants().iter().map(name).collect();
        format!("\"{text}\" is not one of {}", names.join(", "))
    })
}

/// The name of a value.
pub(crate) fn name<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map(|possible| possible.get_name().to_string()).unwrap_or_default()
}

/// The parser of a flag that is one of a few names.
pub(crate) fn one_of<T: ValueEnum + Send + Sync + 'static>() -> OneOf<T> {
    OneOf(PhantomData)
}

/// See [`one_of`].
pub(crate) struct OneOf<T>(PhantomData<fn() -> T>);

impl<T> Clone for OneOf<T> {
    fn clone(&self) -> OneOf<T> {
        OneOf(PhantomData)
    }
}

impl<T: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        read(&value.to_string_lossy()).map_err(|why| {
            let place = arg.and_then(Arg::get_long).map_or(String::new(), |long| format!("--{long}: "));
            Error::raw(ErrorKind::InvalidValue, format!("{place}{why}\n")).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(T::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

/// Has these enums written and read by serde as their names.
macro_rules! by_name {
    ($($choice:ty),*) => {$(
        impl serde::Serialize for $choice {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$crate::flags::choice::name(self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $choice {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$choice, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                $crate::flags::choice::read(&text).map_err(serde::de::Error::custom)
            }
        }
    )*};
}
pub(super) use by_name;
