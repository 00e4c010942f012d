"""Messages about failed jobs: their names and the last lines of their logs."""

from logging import LogRecord

from biassay.console import jobs
from biassay.console.run import Run


def told(name: str, record: LogRecord, held: list[str], *, whole: bool) -> list[str]:
    """Lines on a job that failed, by Snakemake's record: its name, each log with its last lines (or the `whole` of it).

    held: what Snakemake said of the job's command, which is shown unless a log tells what went wrong.
    """
    stage = jobs.stage(record.log)
    lines = [f"FAILED {stage}: {name}" if stage else f"FAILED {name}"]
    if record.rule_msg:
        lines.append(f"  {record.rule_msg}")
    explained = False
    for log in record.log:
        last = jobs.last_lines(log, whole=whole)
        explained = explained or jobs.tell(last)
        lines.append(f"  log: {log}" + (", last lines:" if last else " (empty or missing)"))
        lines += [f"    {line}" for line in last]
    if not explained:
        lines += [f"  {message.splitlines()[-1]}" for message in held]
    return [*lines, *(f"  {key}: {value}" for key, value in record.aux.items())]


def summary(run: Run) -> list[str]:
    """Lines at the end of a run on all jobs that failed."""
    failed = run.failed
    lines = [f"{len(failed)} job{'s' if len(failed) > 1 else ''} failed, {run.count().strip()} done:"]
    lines += [f"  {job.name}: {', '.join(paths) or 'no log'}" for job, paths in failed]
    return [*lines, "The same command resumes the run."]
