//! The five rounding modes of IEEE 754, as SMT-LIB names them.

use crate::Fun;

/// How a result that does not fit is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum RoundingMode {
    /// `RNE`: to the nearest, ties to the even one.
    NearestEven,
    /// `RNA`: to the nearest, ties away from zero.
    NearestAway,
    /// `RTP`: towards plus infinity.
    Positive,
    /// `RTN`: towards minus infinity.
    Negative,
    /// `RTZ`: towards zero.
    Zero,
}

impl RoundingMode {
    /// Every mode.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::Positive,
        RoundingMode::Negative,
        RoundingMode::Zero,
    ];

    /// The interpreted constant that stands for the mode.
    pub fn fun(self) -> Fun {
        match self {
            RoundingMode::NearestEven => Fun::RoundNearestEven,
            RoundingMode::NearestAway => Fun::RoundNearestAway,
            RoundingMode::Positive => Fun::RoundPositive,
            RoundingMode::Negative => Fun::RoundNegative,
            RoundingMode::Zero => Fun::RoundZero,
        }
    }

    /// The mode that an interpreted constant stands for.
    pub fn from_fun(fun: Fun) -> Option<RoundingMode> {
        RoundingMode::ALL.into_iter().find(|m| m.fun() == fun)
    }
}
