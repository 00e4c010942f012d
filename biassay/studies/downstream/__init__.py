"""Do bias scores predict bias downstream (same-2024)?"""
