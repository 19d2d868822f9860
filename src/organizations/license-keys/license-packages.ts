import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { LicensePackage } from '../../config/license-packages.js';

/** The packages that the operator offers. */
@Injectable()
export class LicensePackages {
  private readonly packages: ReadonlyMap<string, LicensePackage>;

  constructor({ licenses }: Config) {
    this.packages = new Map(licenses.packages.map((offered) => [offered.id.toLowerCase(), offered]));
  }

  /** @param id in lower case. @returns `undefined` when there is no such package */
  find(id: string): LicensePackage | undefined {
    return this.packages.get(id);
  }
}
