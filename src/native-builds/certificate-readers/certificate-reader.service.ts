import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import {
  CertificateReaderBusyError,
  invalidField,
  InvalidRequestError,
} from '../../common/errors/app-error.js';
import type { ProcessLimits } from '../../common/process/watch-process.js';
import { readInProcess } from './read-in-process.js';
import type {
  CertificateFile,
  DeviceAttributes,
  OpenedFacts,
  ProfileFacts,
  ReaderRequest,
} from './reading.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = new URL('./certificate-process.js', import.meta.url);

/** Takes the place of the id of an organization. */
const STRANGERS = 'strangers';

/** Opens certificates and provisioning profiles, which may be hostile, in processes that are killed when they take too long. */
@Injectable()
export class CertificateReaderService {
  /** A usual key takes a tenth of a second; a file can ask for hours. On a busy machine, a process gets three times as long. */
  protected readonly limits: ProcessLimits = { processorMs: 5000, wallMs: 15_000 };

  constructor(private readonly shares: Limits) {}

  /**
   * @param organizationId whose work it is
   * @returns what the file says about itself, with the passwords that have opened it
   * @throws InvalidRequestError when the file cannot be opened
   * @throws CertificateReaderBusyError when the machine is too busy
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
   * @throws CertificateReaderBusyError when the machine is too busy
   * @throws ServerBusyError
   */
  readProfile(organizationId: string, file: Buffer): Promise<ProfileFacts> {
    return this.factsOf<ProfileFacts>(organizationId, { kind: 'profile', file });
  }

  /**
   * Reads what a device answers. Strangers send it: all of them together have one share.
   *
   * @returns `null`: it is none, or takes too long
   * @throws CertificateReaderBusyError when the machine is too busy
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
    const reading = await this.shares.run('certificates', organizationId, () =>
      readInProcess<F>(PROGRAM, request, this.limits),
    );
    if (reading === 'busy') throw new CertificateReaderBusyError();
    if (reading === 'overrun') {
      const seconds = this.limits.processorMs / 1000;
      throw invalidField('file', `file needs more than ${seconds} seconds of processor time to open.`);
    }
    if (reading === 'died') throw invalidField('file', 'file needs too much memory to open.');
    if ('failure' in reading) throw invalidField(reading.failure.field, reading.failure.message);
    return reading.facts;
  }
}
