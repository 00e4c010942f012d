"""Display of Snakemake's records: one line per job, failures with their logs, verdicts at the end."""

import logging
import os
import re
import time
from collections import defaultdict

from snakemake_interface_logger_plugins.settings import OutputSettingsLoggerInterface

from biassay.console import failures, forecast, jobs, screen, verdicts
from biassay.console.run import Run
from biassay.core import formatting, logs

SILENT = {logs.QUIET: "1", "TQDM_DISABLE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}  # what jobs inherit
KNOWN = (  # how Snakemake's messages begin that tell users of this workflow nothing, or are said in our words
    "Assuming unrestricted shared filesystem", "Building DAG of jobs", "Using shell:", "Provided ", "Rules claiming",
    "Conda environments: ignored", "Singularity containers: ignored", "Group jobs: inactive", "Select jobs to execute",
    "Execute ", "Complete log(s):", "Elapsed time:", "Removing temporary output", "Would remove temporary", "Reasons:",
    "This was a dry-run", "Exiting because a job execution failed", "WorkflowError:\nAt least one job did not complete",
    "Adding ", "Loading script code",
)  # fmt: skip
NOTHING = "Nothing to be done"
ENDED = re.compile("returned non-zero exit status|died with <Signals")
REASON = 160  # characters of a dry run's reason


class Console:
    """What is shown of one call of Snakemake. With --verbose, all that Snakemake itself says."""

    def __init__(self, settings: OutputSettingsLoggerInterface):
        self.settings, self.run, self.planned = settings, None, None
        self.cores, self.local, self.nothing, self.held = None, True, False, []
        self.closed = False
        self.took: dict[str, list[float]] = defaultdict(list)
        self.stages: set[str] = set()
        stream = screen.stream_of(settings.stdout)
        if settings.verbose:
            self.own = _snakemakes(settings, stream)
            return
        self.own = None
        self.screen = screen.choose(stream, self._running, self._head, color=not settings.nocolor)
        os.environ.update(SILENT)

    def show(self, record: logging.LogRecord) -> None:
        """Show a record, if it is worth a line."""
        if self.own:
            if record.levelno >= logging.INFO or record.getMessage().startswith("Full Traceback"):
                self.own.handle(record)
            return
        event = getattr(record, "event", None)
        if shown := getattr(self, f"_on_{event}", None):
            shown(record)
        else:
            self._message(record)

    def close(self) -> None:
        """Say how the run ended: what failed, or the verdicts and the page; of a dry run, what the run would take."""
        if self.closed:  # Snakemake closes handlers, and so does Python as it ends
            return
        self.closed = True
        if self.own:
            self.own.flush()
            return
        self.screen.close()
        for message in self.held:
            self.screen.line(message)
        lines = []
        if self.settings.dryrun:
            lines = forecast.of(self.planned, forecast.given_or_all()).lines() if self.planned else []
        elif self.run and self.run.failed:
            lines = failures.summary(self.run)
        elif self.run and self.run.done < self.run.total:
            lines = [f"Stopped after {self.run.count().strip()} jobs. The same command resumes the run."]
        elif self.run:
            lines = [f"All {self.run.total} jobs done in {formatting.format_duration(self.run.elapsed())}."]
            lines += verdicts.lines(sorted(self.stages))
            if self.local:
                forecast.remember(self.took)
        elif self.nothing:
            lines = verdicts.lines(None)
        for line in lines:
            self.screen.line(line)

    def _on_run_info(self, record: logging.LogRecord) -> None:
        planned = {rule: number for rule, number in record.stats.items() if rule != "total"}
        if self.settings.dryrun:
            if self.planned:  # it is told at the start and at the end
                self.screen.line(record.getMessage())
            self.planned = planned
            return
        try:
            expected = forecast.of(planned, self.cores)
        except Exception as error:  # a forecast stops no run
            self.screen.line(f"No forecast: {error!r}")
            expected = forecast.Forecast(forecast.SECONDS_A_JOB * sum(planned.values()), 0.0, 0.0, forecast.OFF)
        self.run = Run(planned, expected.of_jobs, expected.seconds)
        number = f"{self.run.total} job{'s' if self.run.total > 1 else ''}"
        if expected.seconds < forecast.LONG:
            took = formatting.format_duration(expected.seconds if self.local else 3600 * expected.core_hours)
            of_one = "" if self.local else " of one core, plus waiting"
            lines = [f"{number}, about {took}{of_one}", *expected.warnings(cluster=not self.local)]
        else:
            lines = [number, *expected.lines(cluster=not self.local)]
        for line in lines:
            self.screen.line(line)
        self.screen.start()

    def _on_resources_info(self, record: logging.LogRecord) -> None:
        self.cores = getattr(record, "cores", self.cores)
        self.local = self.local and not hasattr(record, "nodes")

    def _on_job_info(self, record: logging.LogRecord) -> None:
        if self.settings.dryrun:
            reason = " ".join(record.reason.split())
            reason = reason if len(reason) <= REASON else reason[: REASON - 1] + "…"
            self.screen.line(f"{jobs.name(record.rule_name, record.wildcards)}: {reason}")
        elif self.run:
            self.run.begin(record.jobid, record.rule_name, record.wildcards, record.log)

    def _on_job_finished(self, record: logging.LogRecord) -> None:
        job = self.run and self.run.end(record.job_id)
        if not job:
            return
        self.took[jobs.plain_rule(job.rule)].append(self.run.clock() - job.began)
        self.stages.add(job.stage)
        target = not job.log and job.rule != "all"  # a study, all of whose results are there
        if isinstance(self.screen, screen.Plain) or target:
            self.screen.line(f"{time.strftime('%H:%M:%S')} {self.run.ended_line(job)}")

    def _on_job_error(self, record: logging.LogRecord) -> None:
        known = self.run.running.get(record.jobid) if self.run else None
        name = known.name if known else jobs.name(record.rule_name, {})
        lines = failures.told(name, record, self.held, whole=self.settings.show_failed_logs)
        self.held.clear()
        if self.run:
            self.run.fail(record.jobid, record.rule_name, record.log)
        self.screen.line("\n".join(lines))

    def _on_group_error(self, record: logging.LogRecord) -> None:
        for info in record.job_error_info:
            fields = {"rule_msg": None, "aux": {}, **info, "log": [*info["log"], *record.aux_logs]}
            self._on_job_error(logging.makeLogRecord(fields))

    def _on_error(self, record: logging.LogRecord) -> None:
        if record.exception == "RuleException" and ENDED.search(record.getMessage()):
            self.held.append(record.getMessage())  # until the job is named that it is about
        else:
            self._message(record)

    def _on_progress(self, record: logging.LogRecord) -> None:
        if self.run:
            self.run.total = record.total

    def _message(self, record: logging.LogRecord) -> None:
        """What is not about a job: all warnings and errors, and what Snakemake says beside a run."""
        text = str(record.msg) if record.msg is not None else ""
        self.nothing = self.nothing or text.startswith(NOTHING)
        if text and record.levelno >= logging.INFO and not text.startswith(KNOWN):
            self.screen.line(text)

    def _on_workflow_started(self, record: logging.LogRecord) -> None:
        """Nothing: Snakemake's log has it."""

    _on_job_started = _on_group_info = _on_rulegraph = _on_workflow_started

    def _on_shellcmd(self, record: logging.LogRecord) -> None:
        """The command of a rule, where --printshellcmds asks for it."""
        if command := getattr(record, "shellcmd", None) or getattr(record, "cmd", None):
            self.screen.line(command)

    def _running(self) -> list[str]:
        return self.run.running_lines() if self.run else []

    def _head(self) -> tuple[float, str]:
        if not self.run:
            return 0.0, ""
        left = formatting.format_duration(self.run.left())
        return (
            self.run.share(),
            f"{self.run.count()} jobs, {formatting.format_duration(self.run.elapsed())}; about {left} left",
        )


def _snakemakes(settings: OutputSettingsLoggerInterface, stream) -> logging.Handler:
    """Snakemake's own handler of the terminal."""
    from snakemake.logging import ColorizingTextHandler, DefaultFormatter

    formatter = DefaultFormatter(settings.quiet, settings.show_failed_logs)
    return ColorizingTextHandler(nocolor=settings.nocolor, stream=stream, formatter=formatter)
