"""Display of Snakemake's records: one line per job, failures with the end of their logs, results at the end."""

import logging
import os
import re
import sys
import time

from snakemake_interface_logger_plugins.settings import OutputSettingsLoggerInterface

from biassay.console import jobs, verdicts
from biassay.console.run import RECORD, Run, read_durations
from biassay.console.screen import Screen
from biassay.core import logs, terminals
from biassay.core.formatting import format_duration

QUIET = {logs.QUIET: "1", "TQDM_DISABLE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}  # environment of jobs
HIDDEN = (  # starts of Snakemake's messages that are not news, or that our own lines replace
    "Assuming unrestricted shared filesystem", "Building DAG of jobs", "Using shell:", "Provided ", "Rules claiming",
    "Conda environments: ignored", "Singularity containers: ignored", "Group jobs: inactive", "Select jobs to execute",
    "Execute ", "Complete log(s):", "Elapsed time:", "Removing temporary output", "Would remove temporary", "Reasons:",
    "This was a dry-run", "Exiting because a job execution failed", "WorkflowError:\nAt least one job did not complete",
    "Adding ", "Loading script code",
)  # fmt: skip
UPDATED = re.compile(r"Updated input files: ([^;]+)")
ENDED = re.compile("returned non-zero exit status|died with <Signals")
PAGE_RULES = {"all", "board", "write_board"}  # after these the first page is up to date
MAX_REASON = 160  # characters of the reason of a job in a dry run


class Console:
    """Shows one call of Snakemake; with --verbose, Snakemake's own messages."""

    def __init__(self, settings: OutputSettingsLoggerInterface):
        self.settings, self.run, self.cores = settings, None, None
        self.start = os.getcwd()  # Snakemake changes to --directory later
        self.is_up_to_date, self.exits, self.planned, self.changed = False, [], {}, set()
        stream = terminals.replace_unencodable(sys.stdout if settings.stdout else sys.stderr)
        self.verbose = _snakemake_handler(settings, stream) if settings.verbose else None
        if not self.verbose:
            self.screen = Screen(stream, self._status, color=not settings.nocolor)
            os.environ.update(QUIET)

    def show(self, record: logging.LogRecord) -> None:
        """Show a record, if it is worth a line."""
        if self.verbose:
            if record.levelno >= logging.INFO or record.getMessage().startswith("Full Traceback"):
                self.verbose.handle(record)
        elif show := getattr(self, f"_on_{getattr(record, 'event', None)}", self._message):
            show(record)

    def close(self) -> None:
        """Report how the run ended: what failed, or the verdicts and the page."""
        if self.verbose:
            self.verbose.flush()
            return
        self.screen.close()
        for line in [*self.exits, *self._summary()]:
            self.screen.line(line)
        self.exits, self.run, self.planned, self.is_up_to_date = [], None, {}, False  # Python closes handlers again

    def _summary(self) -> list[str]:
        if self.is_up_to_date:
            return verdicts.lines(start=self.start)
        if self.settings.dryrun and self.planned:
            changed = [f"Changed: {', '.join(sorted(self.changed))}"] if self.changed else []
            planned_run = Run(self.planned, read_durations(), self.cores or os.cpu_count() or 1)
            return [*changed, f"About {_expect(planned_run)}."]
        if not self.run:
            return []
        if failed := self.run.failed:
            lines = [f"{_count(len(failed))} failed, {self.run.count().strip()} done:"]
            lines += [f"  {name}: {', '.join(paths) or 'no log'}" for name, paths in failed]
            return [*lines, "The same command resumes the run."]
        if self.run.done < self.run.total:
            return [f"Stopped after {self.run.count().strip()} jobs. The same command resumes the run."]
        self.run.record_durations()
        took = f"All {self.run.total} jobs done in {format_duration(self.run.elapsed)}."
        is_current = not PAGE_RULES.isdisjoint(self.run.planned)
        return [took, *verdicts.lines(self.run.stages, is_current=is_current, start=self.start)]

    def _on_run_info(self, record: logging.LogRecord) -> None:
        planned = {rule: number for rule, number in record.stats.items() if rule != "total"}
        if self.settings.dryrun:
            if self.planned:  # Snakemake reports it at the start and at the end
                self.screen.line(record.getMessage())
            self.planned = planned
            return
        self.run = Run(planned, read_durations(), self.cores or 1)
        self.screen.line(_count(self.run.total) + (f", about {_expect(self.run)}" if self.cores else ""))
        self.screen.start()

    def _on_resources_info(self, record: logging.LogRecord) -> None:
        self.cores = getattr(record, "cores", self.cores)

    def _on_job_info(self, record: logging.LogRecord) -> None:
        if self.settings.dryrun:
            reason = " ".join(record.reason.split())
            named = ", ".join(UPDATED.findall(reason)).split(", ")
            self.changed.update(file for file in named if file and not file.startswith("results/"))
            reason = reason if len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + "…"
            self.screen.line(f"{jobs.name_job(record.rule_name, record.wildcards, [])}: {reason}")
        elif self.run:
            self.run.begin(record.jobid, record.rule_name, record.wildcards, record.log)

    def _on_job_finished(self, record: logging.LogRecord) -> None:
        if finished := self.run and self.run.finish(record.job_id):
            job, line = finished
            is_target = not job.log and job.rule != "all"  # a study, all of whose results exist
            if is_target or not self.screen.is_live:
                self.screen.line(f"{time.strftime('%H:%M:%S')} {line}")

    def _on_job_error(self, record: logging.LogRecord) -> None:
        if not self.run:
            return
        lines, is_explained = [f"FAILED {self.run.fail(record.jobid, record.rule_name, record.log)}"], False
        for log in record.log:
            end = jobs.read_end(log, 10**6 if self.settings.show_failed_logs else 15)
            is_explained = is_explained or jobs.has_error(end)
            lines += [f"  log: {log}" + (", last lines:" if end else " (empty or missing)")]
            lines += [f"    {line}" for line in end]
        if not is_explained:  # how its command ended
            lines += [f"  {message.splitlines()[-1]}" for message in self.exits]
            message = getattr(record, "rule_msg", None) or ""  # of SLURM, for example; its command follows
            lines += [f"  {line}" for line in message.partition("sbatch call:")[0].strip().splitlines()]
        self.exits.clear()
        lines += [f"  {key}: {value}" for key, value in (getattr(record, "aux", None) or {}).items()]
        self.screen.line("\n".join(lines))

    def _on_group_error(self, record: logging.LogRecord) -> None:
        for info in record.job_error_info:
            self._on_job_error(logging.makeLogRecord({**info, "log": [*info["log"], *record.aux_logs]}))

    def _on_error(self, record: logging.LogRecord) -> None:
        if record.exception == "RuleException" and ENDED.search(record.getMessage()):
            self.exits.append(record.getMessage())  # shown with the job's failure, which follows
        else:
            self._message(record)

    def _on_progress(self, record: logging.LogRecord) -> None:
        if self.run:
            self.run.total = record.total

    _on_workflow_started = _on_job_started = _on_group_info = _on_rulegraph = _on_shellcmd = None

    def _message(self, record: logging.LogRecord) -> None:
        text = str(record.msg) if record.msg is not None else ""
        self.is_up_to_date = self.is_up_to_date or text.startswith("Nothing to be done")
        if text and record.levelno >= logging.INFO and not text.startswith(HIDDEN):
            self.screen.line(text)

    def _status(self) -> tuple[float, str, list[str]]:
        if not self.run:
            return 0.0, "", []
        elapsed, left = format_duration(self.run.elapsed), format_duration(self.run.left())
        return self.run.share(), f"{self.run.count()} jobs, {elapsed}; about {left} left", self.run.running_lines()


def _expect(run: Run) -> str:
    source = "the durations of earlier runs" if RECORD.is_file() else "durations of the default configuration"
    return f"{format_duration(run.left())} on {_count(run.cores, 'core')}, by {source}"


def _count(number: int, noun: str = "job") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _snakemake_handler(settings: OutputSettingsLoggerInterface, stream) -> logging.Handler:
    from snakemake.logging import ColorizingTextHandler, DefaultFormatter

    formatter = DefaultFormatter(settings.quiet, settings.show_failed_logs)
    return ColorizingTextHandler(nocolor=settings.nocolor, stream=stream, formatter=formatter)
