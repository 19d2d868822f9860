import { certificateReaders } from './certificate-readers.js';
import type { CertificateFile } from './reading.js';

/*
 * A program of its own, which `CertificateReaderService` starts: reads one certificate and ends. A thread would not do,
 * because OpenSSL cannot be interrupted in one.
 */
process.once('message', (certificate: CertificateFile) => {
  const file = Buffer.from(certificate.file);
  process.send?.(certificateReaders[certificate.platform]?.({ ...certificate, file }) ?? null, () => {
    process.disconnect();
  });
});
