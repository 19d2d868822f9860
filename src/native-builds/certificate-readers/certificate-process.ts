import { Worker } from 'node:worker_threads';
import { certificateReaders } from './certificate-readers.js';
import type { CertificateFile } from './reading.js';

/*
 * A program of its own, which `CertificateReaderService` starts: reads one certificate and ends. A thread would not do,
 * because OpenSSL cannot be interrupted in one.
 */
/** Longer than the deadline of the server: it counts only when the server dies, because then nothing kills this process. */
const LAST_DEADLINE_MS = 15_000;
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${LAST_DEADLINE_MS})`, {
  eval: true,
}).unref();

process.once('message', async (certificate: CertificateFile) => {
  const read = await certificateReaders[certificate.platform]?.();
  const reading = read?.({ ...certificate, file: Buffer.from(certificate.file) }) ?? null;
  process.send?.(reading, () => {
    process.disconnect();
  });
});
