"""Mathematics on arrays, independent of bias."""
