from datetime import date  # noqa: F401  (pinned by the adapter)
