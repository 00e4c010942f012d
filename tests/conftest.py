"""What all tests share."""


def pytest_make_parametrize_id(config, val, argname):
    """Bytes go by their argument's name: compressed ones hold the time, and all workers must name tests alike."""
    return argname if isinstance(val, bytes) else None
