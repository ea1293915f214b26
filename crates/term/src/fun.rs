//! The interpreted functions: their SMT-LIB names, stable codes and algebraic properties.
//!
//! The codes are part of the byte form that keys are made of: a code is never reused or renumbered.
//! New functions get new codes.

/// Properties of an interpreted function.
mod property {
    pub(super) const NONE: u8 = 0;
    /// The order of the arguments does not matter.
    pub(super) const COMMUTES: u8 = 1;
    /// SMT-LIB leaves some arguments unspecified (division by zero), so equal arguments give equal results
    /// across the whole query: uses are coupled.
    pub(super) const PARTIAL: u8 = 2;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $name:literal $($property:ident)?;)*) => {
        /// An interpreted function without indices.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Fun { $($(#[$doc])* $variant = $code,)* }

        impl Fun {
            /// Every function.
            pub const ALL: &'static [Fun] = &[$(Fun::$variant,)*];

            /// The SMT-LIB name.
            pub fn name(self) -> &'static str {
                match self { $(Fun::$variant => $name,)* }
            }

            fn properties(self) -> u8 {
                match self { $(Fun::$variant => functions!(@property $($property)?),)* }
            }
        }
    };
    (@property) => { property::NONE };
    (@property $property:ident) => { property::$property };
}

functions! {
    Not = 1 "not";
    And = 2 "and" COMMUTES;
    Or = 3 "or" COMMUTES;
    Xor = 4 "xor" COMMUTES;
    Implies = 5 "=>";
    Ite = 6 "ite";
    Eq = 7 "=" COMMUTES;
    Distinct = 8 "distinct" COMMUTES;

    /// Unary minus; SMT-LIB writes it like subtraction.
    Neg = 16 "-";
    Add = 17 "+" COMMUTES;
    Sub = 18 "-";
    Mul = 19 "*" COMMUTES;
    IntDiv = 20 "div" PARTIAL;
    Mod = 21 "mod" PARTIAL;
    Abs = 22 "abs";
    RealDiv = 23 "/" PARTIAL;
    Le = 24 "<=";
    Lt = 25 "<";
    Ge = 26 ">=";
    Gt = 27 ">";
    ToReal = 28 "to_real";
    ToInt = 29 "to_int";
    IsInt = 30 "is_int";

    Concat = 40 "concat";
    BvNot = 41 "bvnot";
    BvAnd = 42 "bvand" COMMUTES;
    BvOr = 43 "bvor" COMMUTES;
    BvXor = 44 "bvxor" COMMUTES;
    BvNand = 45 "bvnand" COMMUTES;
    BvNor = 46 "bvnor" COMMUTES;
    BvXnor = 47 "bvxnor" COMMUTES;
    BvNeg = 48 "bvneg";
    BvAdd = 49 "bvadd" COMMUTES;
    BvSub = 50 "bvsub";
    BvMul = 51 "bvmul" COMMUTES;
    BvUdiv = 52 "bvudiv";
    BvUrem = 53 "bvurem";
    BvSdiv = 54 "bvsdiv";
    BvSrem = 55 "bvsrem";
    BvSmod = 56 "bvsmod";
    BvShl = 57 "bvshl";
    BvLshr = 58 "bvlshr";
    BvAshr = 59 "bvashr";
    BvUlt = 60 "bvult";
    BvUle = 61 "bvule";
    BvUgt = 62 "bvugt";
    BvUge = 63 "bvuge";
    BvSlt = 64 "bvslt";
    BvSle = 65 "bvsle";
    BvSgt = 66 "bvsgt";
    BvSge = 67 "bvsge";
    BvComp = 68 "bvcomp" COMMUTES;
    BvNego = 69 "bvnego";
    BvUaddo = 70 "bvuaddo" COMMUTES;
    BvSaddo = 71 "bvsaddo" COMMUTES;
    BvUmulo = 72 "bvumulo" COMMUTES;
    BvSmulo = 73 "bvsmulo" COMMUTES;
    BvUsubo = 74 "bvusubo";
    BvSsubo = 75 "bvssubo";
    BvSdivo = 76 "bvsdivo";
    UbvToInt = 77 "ubv_to_int";
    SbvToInt = 78 "sbv_to_int";

    Select = 90 "select";
    Store = 91 "store";

    Fp = 100 "fp";
    FpAbs = 101 "fp.abs";
    FpNeg = 102 "fp.neg";
    FpAdd = 103 "fp.add";
    FpSub = 104 "fp.sub";
    FpMul = 105 "fp.mul";
    FpDiv = 106 "fp.div";
    FpFma = 107 "fp.fma";
    FpSqrt = 108 "fp.sqrt";
    FpRem = 109 "fp.rem";
    FpRoundToIntegral = 110 "fp.roundToIntegral";
    FpMin = 111 "fp.min" PARTIAL;
    FpMax = 112 "fp.max" PARTIAL;
    FpLeq = 113 "fp.leq";
    FpLt = 114 "fp.lt";
    FpGeq = 115 "fp.geq";
    FpGt = 116 "fp.gt";
    FpEq = 117 "fp.eq" COMMUTES;
    FpIsNormal = 118 "fp.isNormal";
    FpIsSubnormal = 119 "fp.isSubnormal";
    FpIsZero = 120 "fp.isZero";
    FpIsInfinite = 121 "fp.isInfinite";
    FpIsNan = 122 "fp.isNaN";
    FpIsNegative = 123 "fp.isNegative";
    FpIsPositive = 124 "fp.isPositive";
    FpToReal = 125 "fp.to_real" PARTIAL;

    StrConcat = 140 "str.++";
    StrLen = 141 "str.len";
    StrLt = 142 "str.<";
    StrLe = 143 "str.<=";
    StrAt = 144 "str.at";
    StrSubstr = 145 "str.substr";
    StrPrefixOf = 146 "str.prefixof";
    StrSuffixOf = 147 "str.suffixof";
    StrContains = 148 "str.contains";
    StrIndexOf = 149 "str.indexof";
    StrReplace = 150 "str.replace";
    StrReplaceAll = 151 "str.replace_all";
    StrReplaceRe = 152 "str.replace_re";
    StrReplaceReAll = 153 "str.replace_re_all";
    StrIsDigit = 154 "str.is_digit";
    StrToCode = 155 "str.to_code";
    StrFromCode = 156 "str.from_code";
    StrToInt = 157 "str.to_int";
    StrFromInt = 158 "str.from_int";
    StrToRe = 159 "str.to_re";
    StrInRe = 160 "str.in_re";
    ReNone = 161 "re.none";
    ReAll = 162 "re.all";
    ReAllChar = 163 "re.allchar";
    ReConcat = 164 "re.++";
    ReUnion = 165 "re.union" COMMUTES;
    ReInter = 166 "re.inter" COMMUTES;
    ReStar = 167 "re.*";
    ReComp = 168 "re.comp";
    ReDiff = 169 "re.diff";
    RePlus = 170 "re.+";
    ReOpt = 171 "re.opt";
    ReRange = 172 "re.range";

    SeqUnit = 180 "seq.unit";
    SeqConcat = 181 "seq.++";
    SeqLen = 182 "seq.len";
    SeqExtract = 183 "seq.extract";
    SeqUpdate = 184 "seq.update";
    SeqAt = 185 "seq.at";
    SeqContains = 186 "seq.contains";
    SeqIndexOf = 187 "seq.indexof";
    SeqReplace = 188 "seq.replace";
    SeqPrefixOf = 189 "seq.prefixof";
    SeqSuffixOf = 190 "seq.suffixof";
    SeqNth = 191 "seq.nth" PARTIAL;

    RoundNearestEven = 200 "RNE";
    RoundNearestAway = 201 "RNA";
    RoundPositive = 202 "RTP";
    RoundNegative = 203 "RTN";
    RoundZero = 204 "RTZ";
}

impl Fun {
    /// The number that stands for the function in byte forms.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The function with that number.
    pub fn from_code(code: u8) -> Option<Fun> {
        Fun::ALL.iter().copied().find(|f| f.code() == code)
    }

    /// Whether the order of all arguments is irrelevant.
    pub fn commutes(self) -> bool {
        self.properties() & property::COMMUTES != 0
    }

    /// Whether SMT-LIB leaves the result open for some arguments.
    pub fn is_partial(self) -> bool {
        self.properties() & property::PARTIAL != 0
    }
}

macro_rules! indexed {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $name:literal $count:literal;)*) => {
        /// An interpreted function with one or two numerals as indices.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Indexed { $($(#[$doc])* $variant = $code,)* }

        impl Indexed {
            /// Every indexed function.
            pub const ALL: &'static [Indexed] = &[$(Indexed::$variant,)*];

            /// The SMT-LIB name.
            pub fn name(self) -> &'static str {
                match self { $(Indexed::$variant => $name,)* }
            }

            /// How many indices it takes.
            pub fn index_count(self) -> usize {
                match self { $(Indexed::$variant => $count,)* }
            }
        }
    };
}

indexed! {
    Extract = 1 "extract" 2;
    Repeat = 2 "repeat" 1;
    ZeroExtend = 3 "zero_extend" 1;
    SignExtend = 4 "sign_extend" 1;
    RotateLeft = 5 "rotate_left" 1;
    RotateRight = 6 "rotate_right" 1;
    IntToBv = 7 "int_to_bv" 1;
    Divisible = 8 "divisible" 1;
    /// From bits (one argument), or from a float, real or signed bit vector under a rounding mode (two).
    ToFp = 16 "to_fp" 2;
    ToFpUnsigned = 17 "to_fp_unsigned" 2;
    FpToUbv = 18 "fp.to_ubv" 1;
    FpToSbv = 19 "fp.to_sbv" 1;
    PlusInfinity = 20 "+oo" 2;
    MinusInfinity = 21 "-oo" 2;
    PlusZero = 22 "+zero" 2;
    MinusZero = 23 "-zero" 2;
    NotANumber = 24 "NaN" 2;
    RePower = 32 "re.^" 1;
    ReLoop = 33 "re.loop" 2;
}

impl Indexed {
    /// The number that stands for the function in byte forms.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The function with that number.
    pub fn from_code(code: u8) -> Option<Indexed> {
        Indexed::ALL.iter().copied().find(|f| f.code() == code)
    }

    /// Whether SMT-LIB leaves the result open for some arguments.
    pub fn is_partial(self) -> bool {
        matches!(self, Indexed::FpToUbv | Indexed::FpToSbv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_invertible() {
        let codes: BTreeSet<u8> = Fun::ALL.iter().map(|f| f.code()).collect();
        assert_eq!(codes.len(), Fun::ALL.len());
        assert!(Fun::ALL.iter().all(|&f| Fun::from_code(f.code()) == Some(f)));
        assert!(Indexed::ALL.iter().all(|&f| Indexed::from_code(f.code()) == Some(f)));
    }
}
