import { endWithoutParent } from '../../common/process/end-without-parent.js';
import { certificateReaders } from './certificate-readers.js';
import type { CertificateFile } from './reading.js';

/*
 * A program of its own, which `CertificateReaderService` starts: reads one certificate and ends. A thread would not do,
 * because OpenSSL cannot be interrupted in one.
 */
endWithoutParent(15_000);

process.once('message', async (certificate: CertificateFile) => {
  const read = await certificateReaders[certificate.platform]?.();
  const reading = read?.({ ...certificate, file: Buffer.from(certificate.file) }) ?? null;
  process.send?.(reading, () => {
    process.disconnect();
  });
});
