#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/slurm/run_array.sh LIMBER STUDY   a Slurm of one node, with its daemons in a folder of its own (Debian: slurmctld, slurmd, slurm-client, munge), runs
# the job array that `limber sweep --slurm` writes; what is merged must be the bytes of a sweep in one process. Exit 77: it cannot run here, and says why.
set -euo pipefail
limber=$(realpath "$1")
study=$(realpath "$2")

skip() {
  echo "skipped: $*"
  exit 77
}
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch squeue scontrol munged; do
  command -v "$program" >/dev/null || skip "no $program (scripts/packages-ci.txt names the packages)"
done
[ "$(id -u)" = 0 ] || skip "slurmd starts jobs as their users: it needs root"

# A short path: sockets have at most 108 characters.
work=$(mktemp -d /tmp/limber-slurm.XXXXXX)
chmod 755 "$work"
daemons=()
finish() {
  local code=$?
  for process in "${daemons[@]}"; do kill "$process" 2>/dev/null || true; done
  for process in "${daemons[@]}"; do wait "$process" 2>/dev/null || true; done
  if [ $code -ne 0 ] && [ $code -ne 77 ]; then tail -n 30 "$work"/*.log || true; fi
  rm -rf "$work"
  exit $code
}
trap finish EXIT

mkdir -p "$work/munge" "$work/state" "$work/spool"
chmod 700 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none
chmod 600 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munge/pid" --log-file="$work/munge.log" \
  --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
daemons+=($!)
wait_for() {
  for _ in $(seq 150); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  return 1
}
wait_for test -S "$work/munge.socket" || skip "munged does not start: $(tail -n 1 "$work/munged.log")"

host=$(hostname -s 2>/dev/null || hostname)
port=$((20000 + RANDOM % 20000))
export SLURM_CONF=$work/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=limber
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -D -i -f "$SLURM_CONF" >"$work/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$work/slurmd.log" 2>&1 &
daemons+=($!)
is_up() { [ "$(sinfo -h -o %t 2>/dev/null)" = idle ]; }
wait_for is_up || skip "the node does not come up here: $(tail -n 1 "$work/slurmd.log")"

mkdir "$work/studies"
cp "$study" "$work/studies/study.yaml"
ln -s "$(dirname "$study")/../models" "$work/models"
cd "$work/studies"
"$limber" sweep study.yaml -o whole.h5 --quiet >/dev/null
"$limber" sweep study.yaml -o parts.h5 --slurm 3
LIMBER=$limber sbatch --wait --export=ALL parts.slurm
ls parts.*-of-3.h5
"$limber" sweep study.yaml -o parts.h5 --merge >/dev/null
cmp whole.h5 parts.h5
echo "Slurm $(slurmctld -V | cut -d' ' -f2): an array of 3 jobs, merged: the bytes of one process"
