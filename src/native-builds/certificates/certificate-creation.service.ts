import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { App } from '../../apps/apps/app.entity.js';
import type { Principal } from '../../common/access/principal.js';
import { databaseNow } from '../../common/database-clock.js';
import { invalidField } from '../../common/errors/app-error.js';
import { nameColumns } from '../../common/validation/name.decorator.js';
import { CountLimits } from '../../database/count-limits.js';
import { insertOrThrow } from '../../database/rows.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { CertificateReaderService } from '../certificate-readers/certificate-reader.service.js';
import type { CertificateFacts } from '../certificate-readers/reading.js';
import { DefaultRefsService } from '../use-restrictions/default-refs.service.js';
import { UseRestrictionsService } from '../use-restrictions/use-restrictions.service.js';
import { certificateViolations, factColumnsOf } from './certificate-columns.js';
import { CertificateSecretsService } from './certificate-secrets.service.js';
import { Certificate, type CertificatePlatform } from './certificate.entity.js';
import type { CreateCertificateDto } from './certificate.dto.js';
import { fileColumnsOf, type UploadedCertificate } from './uploaded-file.js';

/** Creates certificates. It opens files outside of transactions, because that takes long. */
@Injectable()
export class CertificateCreationService {
  constructor(
    @InjectRepository(Certificate) private readonly certificates: Repository<Certificate>,
    private readonly secrets: CertificateSecretsService,
    private readonly reader: CertificateReaderService,
    private readonly restrictions: UseRestrictionsService,
    private readonly defaultRefs: DefaultRefsService,
    private readonly limits: CountLimits,
  ) {}

  /**
   * @throws InvalidRequestError when the file cannot be opened or has expired, or the default branch it is limited to cannot
   *   be read
   * @throws ConflictError when the app has a certificate of this name, platform and type, or as many as the server allows
   * @throws ForbiddenError when the caller may not restrict certificates
   */
  async create(
    caller: Principal,
    app: App,
    values: CreateCertificateDto,
    uploaded: UploadedCertificate | undefined,
  ): Promise<Certificate> {
    await this.restrictions.authorizeChange(caller, 'certificates:use', app.id, null, values);
    const columns = fileColumnsOf(uploaded);
    const { name, platform = platformOf(app), password = null, keyAlias = null, keyPassword = null } = values;
    const file = uploaded?.buffer ?? Buffer.alloc(0);
    const opening = { platform, file, password, keyAlias, keyPassword };
    const facts = await this.reader.read(app.organizationId, opening);
    requireValid(facts);
    const allowedRefs = values.allowedRefs ?? (await this.defaultRefsOf(app.id, caller));
    const id = uuid();
    const userId = currentActor()?.userId ?? null;
    const row = {
      ...columns,
      ...this.secrets.seal(id, { ...facts, file }),
      id,
      appId: app.id,
      ...nameColumns(name),
      platform,
      ...factColumnsOf(facts),
      type: facts.type ?? values.type ?? 'production',
      allowedRefs,
      protected: values.protected,
      createdByUserId: userId,
      updatedByUserId: userId,
    };
    return transaction(async () => {
      await this.limits.requireRoom('certificatesPerApp', app.id, this.certificates, { appId: app.id });
      return insertOrThrow(this.certificates, row, certificateViolations);
    });
  }

  private async defaultRefsOf(appId: string, caller: Principal): Promise<string[]> {
    if (!(await this.restrictions.restrictsCertificates(appId))) return [];
    return this.defaultRefs.find(appId, caller.userId);
  }
}

/** Only new files must be valid: an expired one continues signing updates of the apps that it has signed. */
function requireValid({ expiresAt }: CertificateFacts): void {
  if (expiresAt === null || expiresAt > databaseNow()) return;
  throw invalidField(
    'file',
    `file has a certificate that expired on ${expiresAt.toISOString().slice(0, 10)}: upload one that is valid.`,
  );
}

function platformOf({ type }: App): CertificatePlatform {
  return type === 'android' || type === 'ios' ? type : 'web';
}
