import { forkReader } from '../../common/process/fork-reader.js';
import { type ProcessLimits, watchProcess } from '../../common/process/watch-process.js';
import type { CertificateFailure, ReaderRequest } from './reading.js';

type Reading<F> = { readonly facts: F } | { readonly failure: CertificateFailure };

/**
 * Why a process was killed or has ended without a result. `overrun`: it has used its processor time; `busy`: it did not get
 * it, which says nothing about the file; `died`: of too much memory.
 */
type EndedProcess = 'overrun' | 'busy' | 'died';

/** Reads a file in a process of its own. @param program the module that the process runs */
export async function readInProcess<F>(
  program: URL,
  request: ReaderRequest,
  limits: ProcessLimits,
): Promise<Reading<F> | EndedProcess> {
  const child = forkReader(program, 64);
  let endWatch: (() => void) | undefined;
  try {
    return await new Promise((resolve, reject) => {
      endWatch = watchProcess(child.pid, limits, (limit) =>
        resolve(limit === 'processor' ? 'overrun' : 'busy'),
      );
      child.once('message', (reading) => resolve(reading as Reading<F>));
      child.once('error', reject);
      child.once('exit', () => resolve('died'));
      // A process that ends before it has read everything is no separate failure.
      child.send(request, () => undefined);
    });
  } finally {
    endWatch?.();
    child.kill('SIGKILL');
  }
}
