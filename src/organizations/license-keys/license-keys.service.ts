import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { databaseNow } from '../../common/database-clock.js';
import { hashToken } from '../../common/access/api-token.js';
import { ConflictError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import {
  deleteOrThrow,
  findOrThrow,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { CreateLicenseKeyDto, UpdateLicenseKeyDto } from './license-key.dto.js';
import { LicenseKeyPackage } from './license-key-package.entity.js';
import { LICENSE_KEYS_ORGANIZATION_FKEY, LicenseKey } from './license-key.entity.js';
import { LicensePackages } from './license-packages.js';

/*
 * A license key is `SLIP-XXXXX-XXXXX-XXXXX-XXXXX` in the digits of Crockford's Base32, which has no letters that look
 * like others: 18 random digits (90 bits), and two check digits, their remainder modulo the prime 1021. One wrong digit,
 * or two swapped neighbours, always change the remainder.
 */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pattern = /^SLIP(-[0-9A-HJKMNP-TV-Z]{5}){4}$/;
const RANDOM_DIGITS = 18;
const MODULUS = 1021;

const violations = {
  [LICENSE_KEYS_ORGANIZATION_FKEY]: () => new NotFoundError('Organization'),
};

@Injectable()
export class LicenseKeysService {
  constructor(
    @InjectRepository(LicenseKey) private readonly licenseKeys: Repository<LicenseKey>,
    @InjectRepository(LicenseKeyPackage) private readonly assigned: Repository<LicenseKeyPackage>,
    private readonly config: Config,
    private readonly secrets: SecretBox,
    private readonly catalogue: LicensePackages,
  ) {}

  /** The license keys of an organization, by name. */
  list(organizationId: string): Promise<LicenseKey[]> {
    return this.licenseKeys.find({ where: { organizationId }, order: { name: 'ASC', id: 'ASC' } });
  }

  /** @throws NotFoundError */
  get(organizationId: string, id: string): Promise<LicenseKey> {
    return findOrThrow(this.licenseKeys, { organizationId, id });
  }

  /** The key in clear. @throws Error when the `ENCRYPTION_KEY` that sealed it is no longer configured */
  keyOf({ id, sealedKey }: LicenseKey): string {
    return this.secrets.open(sealedKey, contextOf(id));
  }

  /** Until when the packages of the license key cannot be changed. */
  lockedUntil({ packagesChangedAt }: LicenseKey): Date {
    return new Date(packagesChangedAt.getTime() + this.config.licenses.lockDays * 24 * 60 * 60 * 1000);
  }

  /** @throws InvalidRequestError when there is no such package */
  create(organizationId: string, { name, packageIds = [] }: CreateLicenseKeyDto): Promise<LicenseKey> {
    this.requireOffered(packageIds);
    const id = uuid();
    return transaction(async () => {
      const packagesChangedAt = databaseNow();
      const values = { id, organizationId, name, packagesChangedAt, ...this.newKey(id) };
      const licenseKey = await insertOrThrow(this.licenseKeys, values, violations);
      await this.assign(id, packageIds);
      return licenseKey;
    });
  }

  /**
   * Changes the name, the packages, or both. Packages that stay keep their assignments. An equal set of packages is not a
   * change, so it is accepted while the packages are locked.
   *
   * @throws NotFoundError
   * @throws InvalidRequestError when there is no such package
   * @throws ConflictError when the packages are locked
   */
  update(organizationId: string, id: string, { name, packageIds }: UpdateLicenseKeyDto): Promise<LicenseKey> {
    return transaction(async () => {
      const licenseKey = await lockOrThrow(this.licenseKeys, { organizationId, id });
      const changed = packageIds !== undefined && (await this.replace(licenseKey, packageIds));
      const changes = { name, packagesChangedAt: changed ? databaseNow() : undefined };
      return updateOrThrow(this.licenseKeys, { organizationId, id }, changes);
    });
  }

  /** Deletes a license key. @throws NotFoundError */
  delete(organizationId: string, id: string): Promise<void> {
    return deleteOrThrow(this.licenseKeys, { organizationId, id });
  }

  /** Replaces the key itself; the old one becomes invalid. @throws NotFoundError */
  rotate(organizationId: string, id: string): Promise<LicenseKey> {
    return updateOrThrow(this.licenseKeys, { organizationId, id }, this.newKey(id));
  }

  private newKey(id: string): Pick<LicenseKey, 'keyHash' | 'sealedKey'> {
    const key = generateLicenseKey();
    return { keyHash: hashToken(key), sealedKey: this.secrets.seal(key, contextOf(id)) };
  }

  /** Replaces the packages of a license key, whose row is locked. @returns whether they changed */
  private async replace(licenseKey: LicenseKey, wanted: string[]): Promise<boolean> {
    const present = (await this.assigned.findBy({ licenseKeyId: licenseKey.id })).map(
      ({ packageId }) => packageId,
    );
    const added = wanted.filter((packageId) => !present.includes(packageId));
    const removed = present.filter((packageId) => !wanted.includes(packageId));
    this.requireOffered(added);
    if (added.length + removed.length === 0) return false;
    await this.requireUnlocked(licenseKey);
    await this.assigned.delete({ licenseKeyId: licenseKey.id, packageId: In(removed) });
    await this.assign(licenseKey.id, added);
    return true;
  }

  private async assign(licenseKeyId: string, packageIds: string[]): Promise<void> {
    const rows = packageIds.map((packageId) => ({ id: uuid(), licenseKeyId, packageId }));
    if (rows.length > 0) await this.assigned.insert(rows);
  }

  private requireOffered(packageIds: readonly string[]): void {
    const unknown = packageIds.filter((packageId) => this.catalogue.find(packageId) === undefined);
    if (unknown.length === 0) return;
    throw invalidField('packageIds', `packageIds names packages that do not exist: ${unknown.join(', ')}.`);
  }

  private async requireUnlocked(licenseKey: LicenseKey): Promise<void> {
    const until = this.lockedUntil(licenseKey);
    if (until <= databaseNow()) return;
    throw new ConflictError(
      `The packages of this license key cannot be changed before ${until.toISOString()}.`,
      'license_key_locked',
    );
  }
}

function contextOf(id: string): string {
  return `license_keys:${id}`;
}

export function generateLicenseKey(): string {
  const body = Array.from(randomBytes(RANDOM_DIGITS), (byte) => digits.charAt(byte % digits.length)).join('');
  const groups = (body + checkDigits(body)).match(/.{5}/g) ?? [];
  return ['SLIP', ...groups].join('-');
}

/** Whether the text has the form of a license key and correct check digits. It may still not exist. */
export function isLicenseKey(text: string): boolean {
  if (!pattern.test(text)) return false;
  const code = text.slice('SLIP'.length).replaceAll('-', '');
  return code.endsWith(checkDigits(code.slice(0, RANDOM_DIGITS)));
}

function checkDigits(body: string): string {
  let rest = 0;
  for (const digit of body) rest = (rest * digits.length + digits.indexOf(digit)) % MODULUS;
  return digits.charAt(Math.floor(rest / digits.length)) + digits.charAt(rest % digits.length);
}
