"""Properties of metrics (same-2021 §3.3) decided by search: comparable, trustworthy, skew- and stereotype-sensitive."""
