"""The properties of metrics (same-2021 §3.3), by search: comparable, trustworthy, sensitive to skew and stereotypes."""
