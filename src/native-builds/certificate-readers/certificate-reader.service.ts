import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { ShareLimit } from '../../common/background/share-limit.js';
import { InvalidRequestError, invalidField, RateLimitedError } from '../../common/errors/app-error.js';
import { certificateReaders } from './certificate-readers.js';
import type { CertificateFacts, CertificateFile, CertificateReading } from './reading.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = fileURLToPath(new URL('./certificate-process.js', import.meta.url));

/** A usual key takes a tenth of a second; a file can ask for hours. */
const DEADLINE_MS = 5000;
/** Each of another organization. */
const MAX_PROCESSES = 2;
/** Of one organization, besides the one that is being opened. */
const MAX_WAITING = 2;

/** Opens certificate files, which may be hostile, in processes that are killed when they take too long. */
@Injectable()
export class CertificateReaderService {
  private readonly limit = new ShareLimit({ atOnce: MAX_PROCESSES, atOncePerShare: 1 });

  /**
   * @param organizationId whose work it is
   * @returns what the file says about itself
   * @throws InvalidRequestError when the platform is not supported, or the file cannot be opened
   * @throws RateLimitedError when other files of the organization wait
   */
  async read(organizationId: string, certificate: CertificateFile): Promise<CertificateFacts> {
    const { platform } = certificate;
    if (certificateReaders[platform] === undefined) {
      const supported = Object.keys(certificateReaders).join(' and ');
      throw new InvalidRequestError(
        `Certificates for ${platform} are not supported yet: only those for ${supported} are.`,
        'certificate_platform_unsupported',
      );
    }
    if (this.limit.waitingOf(organizationId) >= MAX_WAITING) throw new RateLimitedError(DEADLINE_MS / 1000);
    const reading = await this.limit.run(organizationId, () => readInProcess(certificate));
    if (reading === null) {
      throw invalidField('file', `file could not be opened within ${DEADLINE_MS / 1000} seconds.`);
    }
    if ('failure' in reading) throw invalidField(reading.failure.field, reading.failure.message);
    return {
      ...reading.facts,
      signingKey: reading.facts.signingKey && Buffer.from(reading.facts.signingKey),
    };
  }
}

/** @returns `null`: the process was killed, or died */
async function readInProcess(certificate: CertificateFile): Promise<CertificateReading | null> {
  const child = fork(PROGRAM, {
    serialization: 'advanced',
    // Nothing of what the server knows.
    env: {},
    execArgv: ['--max-old-space-size=64'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  try {
    return await readingOf(child, certificate);
  } finally {
    clearTimeout(deadline);
    child.kill('SIGKILL');
  }
}

function readingOf(child: ChildProcess, certificate: CertificateFile): Promise<CertificateReading | null> {
  return new Promise((resolve, reject) => {
    child.once('message', (reading) => resolve(reading as CertificateReading | null));
    child.once('error', reject);
    child.once('exit', () => resolve(null));
    // A process that ends before it has read everything is no failure of its own.
    child.send(certificate, () => undefined);
  });
}
