import { PartialType } from '@nestjs/swagger';
import { CreateLicenseKeyDto } from './create-license-key.dto.js';

/** Changes to a license key; absent fields stay as they are, `packageIds` replaces all packages. */
export class UpdateLicenseKeyDto extends PartialType(CreateLicenseKeyDto, { skipNullProperties: false }) {}
