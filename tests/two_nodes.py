"""A real SLURM of two nodes, both on this machine, which has none; all changes are undone."""

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
NODES = ("first", "second")
SECONDS = 20  # for the nodes to be idle
CONFIG = """\
ClusterName=two
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
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
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdTimeout=10
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
KillWait=2
NodeName=DEFAULT CPUs={cpus} RealMemory={memory} State=UNKNOWN
NodeName=first NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]}
NodeName=second NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]}
PartitionName=main Nodes=first,second Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes=first,second MaxTime=5 State=UP
"""


def lacking():
    """Return why no node can be started here; "" if some can."""
    missing = [program for program in PROGRAMS if not _found(program)]
    if missing:
        return f"SLURM is not installed (Debian: slurm-wlm, munge): no {', '.join(missing)}"
    if PLACE.exists():
        return f"a SLURM is configured on this machine: {PLACE}"
    return "" if os.getuid() == 0 else "SLURM's node daemon is started by root only"


@contextlib.contextmanager
def running():
    """Run both nodes during the block, and stop all of it at the end."""
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
        started += [_start([_found("slurmd"), "-D", "-N", node], folder) for node in NODES]
        _wait(lambda: _asked("sinfo", "-h", "-N", "-p", "main", "-o", "%T").split() == ["idle"] * len(NODES), folder)
        yield
    finally:
        _asked("scancel", "--me")
        for process in reversed(started):
            _end(process)
        PLACE.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


def kill(node):
    """Kill a node: its daemon, the stewards of its jobs, who would report their end, and the jobs."""
    stewards, others = [], []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("SLURMD_NODENAME") == node:
                others.append(process)
                stewards += [parent for parent in process.parents() if parent.name().startswith("slurmstepd")]
            elif process.cmdline()[-2:] == ["-N", node]:
                stewards.append(process)
    for process in [*stewards, *others]:
        with contextlib.suppress(psutil.Error):
            process.kill()


def busy_nodes():
    """Return the names of the nodes on which jobs run."""
    return set(_asked("squeue", "--noheader", "--states", "running", "--format", "%N").split())


def _write(folder):
    """Write the configuration, without control groups."""
    for name in ("state", *(f"spool-{node}" for node in NODES)):
        (folder / name).mkdir()
    memory = int(psutil.virtual_memory().total / 2**20 * 0.9 / len(NODES))
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(1 + len(NODES))]
        ports = [server.getsockname()[1] for server in servers]  # free ones
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
