import type { CertificateFailure, CertificateFile, CertificateReader, OpenedReading } from './reading.js';

const LINE_END = /[\r\n]+$/;
const WRONG = /does not open [^:,]+\.$/;

/**
 * Reads a file with its passwords as they are, then without line ends, which files of secrets add to them.
 *
 * @returns with the passwords that have opened the file
 */
export function openCertificate(read: CertificateReader, certificate: CertificateFile): OpenedReading {
  const failures: CertificateFailure[] = [];
  for (const password of formsOf(certificate.password)) {
    for (const keyPassword of formsOf(certificate.keyPassword)) {
      const reading = read({ ...certificate, password, keyPassword });
      if ('facts' in reading) return { facts: { ...reading.facts, password, keyPassword } };
      failures.push(reading.failure);
    }
  }
  return { failure: explained(failures, certificate) };
}

/** A password, and what it is without a line end; `null`: nothing remains. */
function formsOf(password: string | null): (string | null)[] {
  const plain = password?.replace(LINE_END, '') ?? null;
  return plain === password ? [password] : [password, plain === '' ? null : plain];
}

/** What is wrong besides passwords, or with the last ones that were tried. */
function explained(
  failures: readonly CertificateFailure[],
  certificate: CertificateFile,
): CertificateFailure {
  const failure =
    failures.find(({ field }) => field === 'file' || field === 'keyAlias') ??
    (failures.at(-1) as CertificateFailure);
  const { field, message } = failure;
  const given = field === 'password' || field === 'keyPassword' ? certificate[field] : null;
  if (!LINE_END.test(given ?? '') || !WRONG.test(message)) return failure;
  return { field, message: `${message.slice(0, -1)}, with or without the line end that it has.` };
}
