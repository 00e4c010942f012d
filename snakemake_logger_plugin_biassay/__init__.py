"""Logger plug-in of Snakemake, `--logger biassay`, which displays a run by biassay.console.

Snakemake finds it by the package's name. Other modules are imported only on use, because every start reads this one.
"""

from logging import LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase


class LogHandler(LogHandlerBase):
    """Passes Snakemake's records to a `biassay.console.handler.Console`."""

    def __post_init__(self) -> None:
        from biassay.console.handler import Console

        self.console = Console(self.common_settings)

    def emit(self, record: LogRecord) -> None:
        """Show a record; an error of our own is printed and does not stop the run."""
        try:
            self.console.show(record)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Report how the run ended."""
        self.console.close()
        super().close()

    @property
    def writes_to_stream(self) -> bool:
        """Always: the plug-in writes to the terminal."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """Never: Snakemake writes its own log to .snakemake/log."""
        return False

    @property
    def has_filter(self) -> bool:
        """Never: Snakemake adds its own filter, which handles --quiet."""
        return False

    @property
    def has_formatter(self) -> bool:
        """Always: the console formats records."""
        return True

    @property
    def needs_rulegraph(self) -> bool:
        """Never."""
        return False
