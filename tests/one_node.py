"""A real SLURM of one node on a machine without one; all changes are undone."""

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

PLACE = Path("/etc/slurm/slurm.conf")  # where jobs find it: the plug-in removes SLURM_CONF from their environment
PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "squeue", "sbatch", "srun", "scancel")
HOST = socket.gethostname().split(".")[0]
SECONDS = 20  # for the node to be idle
CONFIG = """\
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,sched_min_interval=0
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes={host} MaxTime=5 State=UP
"""


def lacking():
    """Return why no node can be started here; "" if it can."""
    missing = [program for program in PROGRAMS if not _found(program)]
    if missing:
        return f"SLURM is not installed (Debian: slurm-wlm, munge): no {', '.join(missing)}"
    if PLACE.exists():
        return f"a SLURM is configured on this machine: {PLACE}"
    return "" if os.getuid() == 0 else "SLURM's node daemon is started by root only"


@contextlib.contextmanager
def running():
    """Run a node during the block, and stop all of it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    folder.chmod(0o755)
    started = []
    try:
        _write(folder)
        key, munge = folder / "munge.key", [_found("munged"), "--foreground", "--force"]
        places = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed")]
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        started.append(_start([*munge, *places, f"--socket={folder}/munge.socket"], folder))
        _wait(lambda: (folder / "munge.socket").exists(), folder)
        started.append(_start([_found("slurmctld"), "-D"], folder))
        started.append(_start([_found("slurmd"), "-D", "-N", HOST], folder))
        _wait(lambda: _asked("sinfo", "-h", "-o", "%T").split()[:1] == ["idle"], folder)
        yield
    finally:
        _asked("scancel", "--me")
        for process in reversed(started):
            _end(process)
        PLACE.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


def _write(folder):
    """Write the configuration, without control groups."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    memory = int(psutil.virtual_memory().total / 2**20 * 0.9)
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [one.getsockname()[1], other.getsockname()[1]]  # free ones
    settings = {"host": HOST, "user": getpass.getuser(), "folder": folder, "ports": ports, "memory": memory}
    (folder / "slurm.conf").write_text(CONFIG.format(cpus=os.cpu_count(), **settings))
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.symlink_to(folder / "slurm.conf")


def _found(program):
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]))


def _start(command, folder):
    with open(folder / "daemons.log", "a") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)


def _asked(*command):
    """Return the output of a SLURM program; "" if it fails or does not answer."""
    with contextlib.suppress(subprocess.TimeoutExpired, FileNotFoundError):
        return subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
    return ""


def _wait(ready, folder):
    end = time.monotonic() + SECONDS
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError("".join(path.read_text()[-2000:] for path in sorted(folder.glob("*.log"))))
        time.sleep(0.1)


def _end(process):
    """Stop a daemon with all processes that it started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        left = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        for each in (process, *left):
            with contextlib.suppress(psutil.Error, ProcessLookupError):
                each.kill()
        process.wait()
