import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, LessThan, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { App } from '../../apps/apps/app.entity.js';
import type { Principal } from '../../common/access/principal.js';
import { invalidField, NotFoundError, ConflictError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import { CountLimits } from '../../database/count-limits.js';
import { deleteOrThrow, findOrThrow, findPage, insertOrThrow, lockOrThrow } from '../../database/rows.js';
import { containsText, idContains } from '../../database/text-filters.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { CertificateReaderService } from '../certificate-readers/certificate-reader.service.js';
import { CertificateChanges } from '../certificates/certificate-changes.service.js';
import { fileColumnsOf, type UploadedCertificate } from '../certificates/uploaded-file.js';
import { databaseNow } from '../../common/database-clock.js';
import { ProfileSecretsService } from './profile-secrets.service.js';
import { ProvisioningProfile } from './provisioning-profile.entity.js';
import { ProvisioningProfilesQueries } from './provisioning-profiles.queries.js';
import type {
  CreateProvisioningProfileDto,
  ListProvisioningProfilesQuery,
} from './provisioning-profile.dto.js';

/** Of all profiles of a certificate, which a build gets at once. Each has about twelve kilobytes. */
const MAX_BYTES = 16 * 1024 ** 2;

/** Provisioning profiles. They share the restrictions of the certificate that they are linked to. */
@Injectable()
export class ProvisioningProfilesService {
  constructor(
    @InjectRepository(ProvisioningProfile) private readonly profiles: Repository<ProvisioningProfile>,
    private readonly certificates: CertificateChanges,
    private readonly queries: ProvisioningProfilesQueries,
    private readonly secrets: ProfileSecretsService,
    private readonly reader: CertificateReaderService,
    private readonly limits: CountLimits,
  ) {}

  /** The profiles of an app, the newest first. */
  list(appId: string, query: ListProvisioningProfilesQuery): Promise<Page<ProvisioningProfile>> {
    const { type, expiresBefore, query: text } = query;
    const certificateId = certificateIdOf(query);
    const where: FindOptionsWhere<ProvisioningProfile> = {
      appId,
      ...(certificateId === null ? {} : { certificateId }),
      ...(type === undefined ? {} : { type }),
      ...(expiresBefore === undefined ? {} : { expiresAt: LessThan(expiresBefore) }),
    };
    const found =
      text === undefined
        ? [where]
        : [
            { ...where, id: idContains(text) },
            ...(['name', 'bundleId', 'uuid'] as const).map((field) => ({
              ...where,
              [field]: containsText(text),
            })),
          ];
    return findPage(this.profiles, found, query, { createdAt: 'DESC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<ProvisioningProfile> {
    return findOrThrow(this.profiles, { appId, id });
  }

  /** The profiles of a certificate, the oldest first. */
  ofCertificate(certificateId: string): Promise<ProvisioningProfile[]> {
    return this.profiles.find({ where: { certificateId }, order: { id: 'ASC' } });
  }

  /**
   * Stores a profile. It opens the file, which takes long: call it outside of transactions.
   *
   * @throws InvalidRequestError when the file is no profile for iOS, or has expired, or the certificate is not for iOS
   * @throws NotFoundError when the app has no such certificate
   * @throws ForbiddenError when the use of the certificate is restricted, and the caller may not use it
   * @throws ConflictError when the app has as many profiles as the server allows, or those of the certificate are too large
   */
  async create(
    caller: Principal,
    app: App,
    values: CreateProvisioningProfileDto,
    uploaded: UploadedCertificate | undefined,
  ): Promise<ProvisioningProfile> {
    const columns = fileColumnsOf(uploaded);
    const certificateId = certificateIdOf(values);
    const requireCertificate = async (): Promise<void> => {
      if (certificateId === null) return;
      await this.requireCertificate(caller, app.id, certificateId, certificateFieldOf(values));
    };
    await transaction(requireCertificate);
    const file = uploaded?.buffer ?? Buffer.alloc(0);
    const { certificateFingerprints, ...facts } = await this.reader.readProfile(app.organizationId, file);
    requireValid(facts.expiresAt);
    const id = uuid();
    return transaction(async () => {
      await requireCertificate();
      await this.limits.requireRoom('provisioningProfilesPerApp', app.id, this.profiles, { appId: app.id });
      const profile = await insertOrThrow(this.profiles, {
        ...columns,
        ...facts,
        certificateFingerprints: [...certificateFingerprints],
        id,
        appId: app.id,
        certificateId,
        sealedFile: this.secrets.seal(id, file),
        createdByUserId: currentActor()?.userId ?? null,
      });
      if (certificateId !== null) await this.settle(certificateId);
      return profile;
    });
  }

  /**
   * Links profiles to a certificate: all of them, or none. Of several with the same UUID, the certificate keeps the one that
   * was uploaded last.
   *
   * @returns those that the certificate keeps
   * @throws NotFoundError when the app lacks the certificate or a profile
   * @throws InvalidRequestError when the certificate is not for iOS
   * @throws ForbiddenError when the use of a certificate, of now or before, is restricted, and the caller may not use it
   * @throws ConflictError when those of the certificate would be too large
   */
  link(
    caller: Principal,
    appId: string,
    ids: readonly string[],
    certificateId: string,
  ): Promise<ProvisioningProfile[]> {
    return transaction(async () => {
      await this.requireCertificate(caller, appId, certificateId, 'appCertificateId');
      const profiles = await this.profiles.find({
        where: { appId, id: In([...ids]) },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      if (profiles.length < ids.length) throw new NotFoundError('Provisioning profile');
      await this.authorizeChanges(caller, appId, profiles);
      await this.profiles.update({ appId, id: In([...ids]) }, { certificateId });
      await this.settle(certificateId);
      return this.profiles.find({ where: { appId, id: In([...ids]) }, order: { id: 'ASC' } });
    });
  }

  /** @throws NotFoundError @throws ForbiddenError as `link` */
  delete(caller: Principal, appId: string, id: string): Promise<void> {
    return transaction(async () => {
      const profile = await lockOrThrow(this.profiles, { appId, id });
      await this.authorizeChanges(caller, appId, [profile]);
      await deleteOrThrow(this.profiles, { appId, id });
    });
  }

  /** Deletes what was replaced. @throws ConflictError when the rest is too large */
  private async settle(certificateId: string): Promise<void> {
    await this.queries.deleteReplaced(certificateId);
    requireFewBytes(await this.queries.sizeOf(certificateId));
  }

  /** Requires a certificate for iOS that the caller may change. It cannot change until the transaction ends. */
  private async requireCertificate(
    caller: Principal,
    appId: string,
    id: string,
    field: string,
  ): Promise<void> {
    const { platform } = await this.certificates.lock(caller, appId, id);
    if (platform === 'ios') return;
    throw invalidField(
      field,
      `${field} is that of a certificate for ${platform}, and provisioning profiles are for iOS.`,
    );
  }

  /** Changing profiles of a restricted certificate requires what changing the certificate does. */
  private async authorizeChanges(
    caller: Principal,
    appId: string,
    profiles: readonly ProvisioningProfile[],
  ): Promise<void> {
    const ids = new Set(profiles.flatMap(({ certificateId }) => certificateId ?? []));
    await this.certificates.authorize(caller, appId, [...ids]);
  }
}

/** @throws InvalidRequestError when a profile has expired */
function requireValid(expiresAt: Date): void {
  if (expiresAt > databaseNow()) return;
  throw invalidField(
    'file',
    `file is a profile that expired on ${expiresAt.toISOString().slice(0, 10)}: make a new one at developer.apple.com.`,
  );
}

/** @param bytes of all profiles of a certificate @throws ConflictError when they are too large for a build */
function requireFewBytes(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  const message = `A certificate has at most ${MAX_BYTES / 1024 ** 2} MiB of provisioning profiles: delete some.`;
  throw new ConflictError(message, 'limit_reached');
}

/** The two names of the certificate in requests: that of the contract, and that of responses. */
interface CertificateFields {
  readonly certificateId?: string | undefined;
  readonly appCertificateId?: string | undefined;
}

/** @throws InvalidRequestError when both fields name different certificates */
function certificateIdOf({ certificateId, appCertificateId }: CertificateFields): string | null {
  if (
    certificateId !== undefined &&
    appCertificateId !== undefined &&
    certificateId.toLowerCase() !== appCertificateId.toLowerCase()
  ) {
    throw invalidField(
      'appCertificateId',
      'appCertificateId and certificateId must be the same, or one of them absent.',
    );
  }
  return certificateId ?? appCertificateId ?? null;
}

/** The field that names the certificate. */
function certificateFieldOf({ certificateId }: CertificateFields): string {
  return certificateId === undefined ? 'appCertificateId' : 'certificateId';
}
