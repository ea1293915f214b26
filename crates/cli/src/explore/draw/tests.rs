//! Pictures are compared letter by letter: `UPDATE_EXPECT=1` writes them again, and then they are to be looked at.
