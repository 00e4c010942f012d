"""A real SLURM of one node on this machine, of its programs and a configuration of our own; /etc is left alone."""

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

PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "squeue", "sbatch", "srun", "scancel")
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
    """Why no node can be brought up here, or nothing."""
    missing = [program for program in PROGRAMS if not _found(program)]
    if missing:
        return f"SLURM is not installed (Debian: slurm-wlm, munge): no {', '.join(missing)}"
    return "" if os.getuid() == 0 else "SLURM's node daemon is started by root only"


@contextlib.contextmanager
def running():
    """A node that is up: the environment that commands need to find it. All of it is taken down in the end."""
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    folder.chmod(0o755)
    environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}
    started = []
    try:
        _write(folder)
        key, munge = folder / "munge.key", [_found("munged"), "--foreground", "--force"]
        places = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed")]
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        started.append(_start([*munge, *places, f"--socket={folder}/munge.socket"], folder, environment))
        _wait(lambda: (folder / "munge.socket").exists(), folder)
        started.append(_start([_found("slurmctld"), "-D"], folder, environment))
        started.append(_start([_found("slurmd"), "-D", "-N", _host()], folder, environment))
        _wait(lambda: _asked(["sinfo", "-h", "-o", "%T"], environment).split()[:1] == ["idle"], folder)
        yield environment
    finally:
        _asked(["scancel", "--me"], environment)
        for process in reversed(started):
            _end(process)
        shutil.rmtree(folder, ignore_errors=True)


def _write(folder):
    """The configuration; control groups are left alone."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    memory = int(psutil.virtual_memory().total / 2**20 * 0.9)
    settings = {"host": _host(), "user": getpass.getuser(), "folder": folder, "ports": _ports(), "memory": memory}
    (folder / "slurm.conf").write_text(CONFIG.format(cpus=os.cpu_count(), **settings))
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")


def _ports():
    """Two ports that are free."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _host():
    return socket.gethostname().split(".")[0]


def _found(program):
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]))


def _start(command, folder, environment):
    with open(folder / "daemons.log", "a") as log:
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)


def _asked(command, environment):
    """What a program of SLURM says; nothing where it fails or does not answer."""
    with contextlib.suppress(subprocess.TimeoutExpired, FileNotFoundError):
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=5).stdout
    return ""


def _wait(ready, folder):
    end = time.monotonic() + SECONDS
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError("".join(path.read_text()[-2000:] for path in sorted(folder.glob("*.log"))))
        time.sleep(0.1)


def _end(process):
    """A daemon with all that it has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        left = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        for each in (process, *left):
            with contextlib.suppress(psutil.Error, ProcessLookupError):
                each.kill()
        process.wait()
