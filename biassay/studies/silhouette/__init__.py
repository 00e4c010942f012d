"""The silhouette study: how far a metric's values hang on the words chosen (Spliethöver and Wachsmuth 2021)."""
