"""A logger plug-in of Snakemake, `--logger biassay`: what biassay.console says of a run.

Snakemake finds it by this package's name. Nothing else is imported until it is used, as every start reads this.
"""

from logging import LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase


class LogHandler(LogHandlerBase):
    """Hands Snakemake's records to a `biassay.console.handler.Console`."""

    def __post_init__(self) -> None:
        from biassay.console.handler import Console

        self.console = Console(self.common_settings)

    def emit(self, record: LogRecord) -> None:
        """Show a record, if it is worth a line; a fault of ours is printed and stops no run."""
        try:
            self.console.show(record)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Say how the run ended."""
        self.console.close()
        super().close()

    @property
    def writes_to_stream(self) -> bool:
        """It writes to the terminal."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """It writes no file; Snakemake's own log in .snakemake/log stays as it is."""
        return False

    @property
    def has_filter(self) -> bool:
        """Snakemake's filter, which knows --quiet, is put before it."""
        return False

    @property
    def has_formatter(self) -> bool:
        """It words records itself."""
        return True

    @property
    def needs_rulegraph(self) -> bool:
        """It needs no graph of the rules."""
        return False
