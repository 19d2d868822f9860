import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { CreateLicenseKeyDto } from './create-license-key.dto.js';

/** Changes to a license key; absent fields stay as they are, `packageIds` replaces all packages. */
@ApiExample({ name: 'Mobile team' })
export class UpdateLicenseKeyDto extends PartialType(CreateLicenseKeyDto, { skipNullProperties: false }) {}
