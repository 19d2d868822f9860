import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { LicenseKeyPackage } from './license-key-package.entity.js';
import {
  type LicenseKeyDto,
  type LicenseKeyPackageDto,
  toLicenseKeyDto,
  toLicenseKeyPackageDto,
} from './license-key.dto.js';
import type { LicenseKey } from './license-key.entity.js';
import { LicenseKeysService } from './license-keys.service.js';
import { LicensePackages } from './license-packages.js';

const PACKAGES = 'licenseKeyPackages';
const CATALOGUE = 'licenseKeyPackages.package';

/** Presents license keys, with their packages in one statement for any number of keys. */
@Injectable()
export class LicenseKeysPresenter {
  constructor(
    @InjectRepository(LicenseKeyPackage) private readonly assigned: Repository<LicenseKeyPackage>,
    private readonly licenseKeys: LicenseKeysService,
    private readonly catalogue: LicensePackages,
  ) {}

  /** @param relations to include: `licenseKeyPackages`, `licenseKeyPackages.package`, which implies the other */
  async present(
    licenseKeys: readonly LicenseKey[],
    relations: readonly string[] = [],
  ): Promise<LicenseKeyDto[]> {
    const included = relations.includes(PACKAGES) || relations.includes(CATALOGUE);
    const ids = licenseKeys.map(({ id }) => id);
    const packages = included ? await this.packagesOf(ids, relations.includes(CATALOGUE)) : undefined;
    return licenseKeys.map((licenseKey) =>
      toLicenseKeyDto(licenseKey, {
        key: this.licenseKeys.keyOf(licenseKey),
        lockedUntil: this.licenseKeys.lockedUntil(licenseKey),
        packages: packages && (packages.get(licenseKey.id) ?? []),
      }),
    );
  }

  async presentOne(licenseKey: LicenseKey, relations?: readonly string[]): Promise<LicenseKeyDto> {
    const [dto] = await this.present([licenseKey], relations);
    return dto as LicenseKeyDto;
  }

  private async packagesOf(
    ids: readonly string[],
    withPackage: boolean,
  ): Promise<Map<string, LicenseKeyPackageDto[]>> {
    const rows = await this.assigned.find({
      where: { licenseKeyId: In(ids) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return Map.groupBy(
      rows.map((row) =>
        toLicenseKeyPackageDto(row, withPackage ? this.catalogue.find(row.packageId) : undefined),
      ),
      ({ licenseKeyId }) => licenseKeyId,
    );
  }
}
