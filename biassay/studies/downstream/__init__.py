"""Do bias scores foretell bias downstream (same-2024)?"""
