/* SPDX-License-Identifier: BSD-3-Clause
 * What `limber sweep` needs of MPI, in a library of its own that the program opens when mpirun has started it (apps/limber/mpi_messenger.cpp): without mpirun
 * it needs no MPI. Messages are bytes; ranks of one program all have the same byte order. */
#include <mpi.h>

/* 0 where it worked. Only the thread that calls this uses MPI. */
int limber_mpi_start(int* rank, int* size) {
  int provided = 0;
  if (MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

int limber_mpi_send(int to, const char* bytes, int count) {
  return MPI_Send(bytes, count, MPI_BYTE, to, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
}

/* The size of a message that has come, and from whom; -1: there is none. */
int limber_mpi_probe(int* from) {
  int is_there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
  if (!is_there) return -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *from = status.MPI_SOURCE;
  return count;
}

int limber_mpi_receive(int from, char* bytes, int count) {
  return MPI_Recv(bytes, count, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS;
}

void limber_mpi_finish(void) { MPI_Finalize(); }
void limber_mpi_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }
