import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, LessThan, type Repository } from 'typeorm';
import type { App } from '../../apps/apps/app.entity.js';
import type { Principal } from '../../common/access/principal.js';
import { ConflictError, invalidField } from '../../common/errors/app-error.js';
import { Listeners } from '../../common/listeners.js';
import type { Page } from '../../common/pagination/page.js';
import { nameColumns, nameKey } from '../../common/validation/name.decorator.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  lockOrThrow,
  notFound,
  updateOrThrow,
} from '../../database/rows.js';
import { whereNamed } from '../../database/text-filters.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { CertificateReaderService } from '../certificate-readers/certificate-reader.service.js';
import type { OpenedFacts } from '../certificate-readers/reading.js';
import { UseRestrictionsService } from '../use-restrictions/use-restrictions.service.js';
import type { ListCertificatesQuery, UpdateCertificateDto } from './certificate.dto.js';
import { CertificateSecretsService } from './certificate-secrets.service.js';
import { certificateViolations, factColumnsOf } from './certificate-columns.js';
import { Certificate, type CertificatePlatform } from './certificate.entity.js';

/** Names a certificate; the id wins. */
export interface CertificateReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly platform?: CertificatePlatform | undefined;
  readonly type?: Certificate['type'] | undefined;
}

/** An app, and whose files are opened. */
type OwnedApp = Pick<App, 'id' | 'organizationId'>;

/** Opens files outside of transactions, because that takes long. */
@Injectable()
export class CertificatesService {
  /** A certificate is about to be deleted. */
  readonly deleting = new Listeners<[certificate: Certificate]>();

  constructor(
    @InjectRepository(Certificate) private readonly certificates: Repository<Certificate>,
    private readonly secrets: CertificateSecretsService,
    private readonly reader: CertificateReaderService,
    private readonly restrictions: UseRestrictionsService,
  ) {}

  /** The certificates of an app, by name. */
  list(appId: string, query: ListCertificatesQuery): Promise<Page<Certificate>> {
    const { platform, type, expiresBefore } = query;
    const where = whereNamed<Certificate>(
      {
        ...whereOf(appId, { platform, type }),
        ...(expiresBefore === undefined ? {} : { expiresAt: LessThan(expiresBefore) }),
      },
      query,
    );
    return findPage(this.certificates, where, query, { nameLower: 'ASC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Certificate> {
    return findOrThrow(this.certificates, { appId, id });
  }

  /**
   * The one certificate with this id, or with this name, and platform and type if given.
   *
   * @throws NotFoundError
   * @throws InvalidRequestError when several have the name
   */
  async resolve(appId: string, reference: CertificateReference): Promise<Certificate> {
    const [only, ...others] = await this.certificates.find({ where: whereOf(appId, reference), take: 2 });
    if (only === undefined) throw notFound(this.certificates);
    if (others.length === 0) return only;
    throw invalidField('name', 'name is that of several certificates: add platform and type, or use the id.');
  }

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when the file cannot be opened with what has changed
   * @throws ConflictError when the app has another certificate of the new name, or another request changed this one
   * @throws ForbiddenError when its use is restricted, now or by the request, and the caller may not use it
   */
  async update(
    caller: Principal,
    { id: appId, organizationId }: OwnedApp,
    id: string,
    changes: UpdateCertificateDto,
  ): Promise<Certificate> {
    const { certificate, content } = await this.secrets.open(appId, id);
    await this.restrictions.authorizeChange(caller, 'certificates:use', appId, certificate, changes);
    const { name, type, allowedRefs } = changes;
    const opening = openingOf(changes);
    const isOpened = Object.keys(opening).length > 0;
    const facts = isOpened ? await this.reader.read(organizationId, { ...content, ...opening }) : null;
    return transaction(async () => {
      const present = await lockOrThrow(this.certificates, { appId, id });
      // The file was opened with the secrets that it had, and the caller may change what it was.
      if (present.updatedAt.getTime() !== certificate.updatedAt.getTime())
        throw new ConflictError('The certificate was changed meanwhile. Send the request again.');
      const row = {
        ...(facts && this.secrets.seal(id, changedSecretsOf(changes, facts))),
        ...nameColumns(name),
        ...(facts && factColumnsOf(facts)),
        type: facts?.type ?? type,
        allowedRefs,
        protected: changes.protected,
        updatedByUserId: currentActor()?.userId ?? null,
      };
      return updateOrThrow(this.certificates, { appId, id }, row, certificateViolations);
    });
  }

  /**
   * The private key that a web certificate signs with, as PKCS#8 in DER. A certificate from before these were kept is opened
   * once more. Callers record the read. Call it outside of transactions.
   *
   * @throws NotFoundError
   * @throws InvalidRequestError when the file cannot be opened, or has no such key
   * @throws ServerBusyError when other files wait
   */
  async signingKeyOf({ id: appId, organizationId }: OwnedApp, id: string): Promise<Buffer> {
    const { content, signingKey } = await this.secrets.open(appId, id);
    if (signingKey !== null) return signingKey;
    const opened = (await this.reader.read(organizationId, content)).signingKey;
    if (opened === null) throw invalidField('file', 'file has no key that signs live updates.');
    await this.secrets.keepSigningKey(id, opened);
    return opened;
  }

  /** @throws NotFoundError @throws InvalidRequestError as `resolve` @throws ForbiddenError as `update` */
  delete(caller: Principal, appId: string, reference: CertificateReference): Promise<void> {
    return transaction(async () => {
      const { id } = await this.resolve(appId, reference);
      const certificate = await lockOrThrow(this.certificates, { appId, id });
      await this.restrictions.authorizeChange(caller, 'certificates:use', appId, certificate);
      await this.restrictions.requireUnused('certificate', id);
      await this.deleting.notify(certificate);
      await deleteOrThrow(this.certificates, { appId, id });
    });
  }
}

/** What opens the file, as far as the request changes it. */
function openingOf({ password, keyAlias, keyPassword }: UpdateCertificateDto) {
  return {
    ...(password !== undefined && { password }),
    ...(keyAlias !== undefined && { keyAlias }),
    ...(keyPassword !== undefined && { keyPassword }),
  };
}

/** The passwords of the request as they have opened the file, and the opened key. */
function changedSecretsOf({ password, keyPassword }: UpdateCertificateDto, facts: OpenedFacts) {
  return {
    ...(password !== undefined && { password: facts.password }),
    ...(keyPassword !== undefined && { keyPassword: facts.keyPassword }),
    signingKey: facts.signingKey,
  };
}

function whereOf(
  appId: string,
  { id, name, platform, type }: CertificateReference,
): FindOptionsWhere<Certificate> {
  if (id !== undefined) return { appId, id };
  return {
    appId,
    ...(name === undefined ? {} : { nameLower: nameKey(name) }),
    ...(platform === undefined ? {} : { platform }),
    ...(type === undefined ? {} : { type }),
  };
}
