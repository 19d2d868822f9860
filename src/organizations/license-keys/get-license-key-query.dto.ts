import { Relations } from '../../common/validation/relations.decorator.js';

/** What to include with a license key. */
export class GetLicenseKeyQuery {
  @Relations('licenseKeyPackages', 'licenseKeyPackages.package')
  relations?: string[];
}
