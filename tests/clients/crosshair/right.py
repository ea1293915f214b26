"""A few functions with contracts, for CrossHair."""


def middle(low: int, high: int) -> int:
    """
    pre: low <= high
    post: low <= __return__ <= high
    """
    return low + (high - low) // 2


def larger(a: int, b: int) -> int:
    """
    post: __return__ >= a and __return__ >= b
    """
    return a if a > b else b


def wrong(a: int) -> int:
    """
    post: __return__ != 42
    """
    return a * 2
