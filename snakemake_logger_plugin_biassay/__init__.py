"""Logger plug-in of Snakemake, `--logger biassay`: passes records to biassay.console.

Snakemake finds it by the package's name. The console is imported only on use, because every start reads this file.
"""

from logging import LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase


class LogHandler(LogHandlerBase):
    """Shows Snakemake's records on the terminal; an error of our own is printed and does not stop the run."""

    writes_to_stream = has_formatter = True
    writes_to_file = has_filter = needs_rulegraph = False  # Snakemake has its own log, and a filter for --quiet

    def __post_init__(self) -> None:
        from biassay.console.handler import Console

        self.console = Console(self.common_settings)

    def emit(self, record: LogRecord) -> None:
        """Show a record."""
        try:
            self.console.show(record)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Report how the run ended."""
        self.console.close()
        super().close()
