import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import { invalidField, InvalidRequestError } from '../../common/errors/app-error.js';
import type {
  CertificateFailure,
  CertificateFile,
  DeviceAttributes,
  OpenedFacts,
  ProfileFacts,
  ReaderRequest,
} from './reading.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = fileURLToPath(new URL('./certificate-process.js', import.meta.url));

/** A usual key takes a tenth of a second; a file can ask for hours. */
const DEADLINE_MS = 5000;
/** Takes the place of the id of an organization. */
const STRANGERS = 'strangers';

type Reading<F> = { readonly facts: F } | { readonly failure: CertificateFailure };

/** Opens certificates and provisioning profiles, which may be hostile, in processes that are killed when they take too long. */
@Injectable()
export class CertificateReaderService {
  constructor(private readonly limits: Limits) {}

  /**
   * @param organizationId whose work it is
   * @returns what the file says about itself, with the passwords that have opened it
   * @throws InvalidRequestError when the file cannot be opened
   * @throws ServerBusyError
   */
  async read(organizationId: string, certificate: CertificateFile): Promise<OpenedFacts> {
    const facts = await this.factsOf<OpenedFacts>(organizationId, { kind: 'certificate', certificate });
    return { ...facts, signingKey: facts.signingKey && Buffer.from(facts.signingKey) };
  }

  /**
   * @param organizationId whose work it is
   * @returns what the provisioning profile says
   * @throws InvalidRequestError when the file is none that can be used
   * @throws ServerBusyError
   */
  readProfile(organizationId: string, file: Buffer): Promise<ProfileFacts> {
    return this.factsOf<ProfileFacts>(organizationId, { kind: 'profile', file });
  }

  /**
   * Reads what a device answers. Strangers send it: all of them together have one share.
   *
   * @returns `null`: it is none, or takes too long
   * @throws ServerBusyError
   */
  async readDeviceAttributes(file: Buffer): Promise<DeviceAttributes | null> {
    try {
      return await this.factsOf<DeviceAttributes>(STRANGERS, { kind: 'device-attributes', file });
    } catch (error) {
      if (error instanceof InvalidRequestError) return null;
      throw error;
    }
  }

  private async factsOf<F>(organizationId: string, request: ReaderRequest): Promise<F> {
    const reading = await this.limits.run('certificates', organizationId, () => readInProcess<F>(request));
    if (reading === null) {
      throw invalidField('file', `file could not be opened within ${DEADLINE_MS / 1000} seconds.`);
    }
    if ('failure' in reading) throw invalidField(reading.failure.field, reading.failure.message);
    return reading.facts;
  }
}

/** @returns `null`: the process was killed, or died */
async function readInProcess<F>(request: ReaderRequest): Promise<Reading<F> | null> {
  const child = fork(PROGRAM, {
    serialization: 'advanced',
    // Nothing of what the server knows.
    env: {},
    execArgv: ['--max-old-space-size=64'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  try {
    return await readingOf<F>(child, request);
  } finally {
    clearTimeout(deadline);
    child.kill('SIGKILL');
  }
}

function readingOf<F>(child: ChildProcess, request: ReaderRequest): Promise<Reading<F> | null> {
  return new Promise((resolve, reject) => {
    child.once('message', (reading) => resolve(reading as Reading<F> | null));
    child.once('error', reject);
    child.once('exit', () => resolve(null));
    // A process that ends before it has read everything is no separate failure.
    child.send(request, () => undefined);
  });
}
