"""Numbers, durations and sizes for readers."""


def format_number(value: float) -> str:
    """Format a number with three digits and without an exponent: "7,200", "1.33", "0.004"."""
    if abs(value) >= 99.95 or value == int(value):
        return f"{value:,.0f}"
    digits = f"{value:.3g}"
    return digits if "e" not in digits else f"{value:.3f}"


def format_duration(seconds: float) -> str:
    """Format seconds: "8 s", "3 min", "1 h 20 min", "4 days"."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    if minutes < 48 * 60:
        hours, rest = divmod(minutes if minutes < 600 else 60 * round(minutes / 60), 60)
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    return f"{minutes / 1440:.0f} days"
