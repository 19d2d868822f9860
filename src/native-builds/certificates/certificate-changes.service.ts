import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import type { Principal } from '../../common/access/principal.js';
import { lockOrThrow } from '../../database/rows.js';
import { UseRestrictionsService } from '../use-restrictions/use-restrictions.service.js';
import { Certificate } from './certificate.entity.js';

/** Decides who may change what belongs to certificates, such as their provisioning profiles. */
@Injectable()
export class CertificateChanges {
  constructor(
    @InjectRepository(Certificate) private readonly certificates: Repository<Certificate>,
    private readonly restrictions: UseRestrictionsService,
  ) {}

  /**
   * Finds a certificate that the caller may change. It cannot change until the transaction ends.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when its use is restricted, and the caller may not use it
   */
  async lock(caller: Principal, appId: string, id: string): Promise<Certificate> {
    const certificate = await lockOrThrow(this.certificates, { appId, id }, 'for_no_key_update');
    await this.restrictions.authorizeChange(caller, 'certificates:use', appId, certificate);
    return certificate;
  }

  /** @throws ForbiddenError when the use of one of them is restricted, and the caller may not use it */
  async authorize(caller: Principal, appId: string, ids: readonly string[]): Promise<void> {
    for (const certificate of await this.certificates.findBy({ appId, id: In([...ids]) })) {
      await this.restrictions.authorizeChange(caller, 'certificates:use', appId, certificate);
    }
  }
}
