import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, Matches, ValidateNested } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { IsFileName } from '../build-artifacts/file-name.decorator.js';
import { IsReleaseNotes } from '../builds/release-notes.decorator.js';
import { isPackageName, MAX_PACKAGE_NAME_LENGTH } from '../configurations/package-name.js';
import { MAX_ARTIFACT_BYTES } from '../runner-builds/runner-artifact.dto.js';

/** What can be imported; bundles of live updates have a way of their own. */
export const importPlatforms = ['android', 'ios'] as const;
export type ImportPlatform = (typeof importPlatforms)[number];

/** Files of apps that can be installed on devices or go to stores. */
export const importedTypes = ['apk', 'aab', 'ipa'] as const;
export type ImportedType = (typeof importedTypes)[number];

const WEB = 'upload web builds with POST /v1/apps/{appId}/bundles';

/** The file of an import. Its bytes follow in parts. */
@ApiExample({ type: 'apk', fileName: 'app-release.apk', fileSizeInBytes: 4821330 })
export class ImportedArtifactDto {
  /** Android: `apk` or `aab`. iOS: `ipa`. */
  @ApiProperty({ enum: importedTypes, enumName: 'ImportedArtifactType' })
  @IsIn(importedTypes, { message: `artifact.$property must be apk, aab or ipa: ${WEB}.` })
  type!: ImportedType;

  /** Without folders, at most 255 characters, with the extension of its type. */
  @IsFileName()
  fileName!: string;

  /** Bytes of the file, at most 2 GiB. */
  @IsWholeNumber(1, MAX_ARTIFACT_BYTES)
  fileSizeInBytes!: number;

  /** SHA-256 of the file, in lower-case hexadecimal digits. If it is given, the upload must have it. */
  @ApiPropertyOptional({ type: 'string', pattern: '^[0-9a-f]{64}$', nullable: true })
  @IsNullable()
  @Matches(/^[0-9a-f]{64}$/, { message: '$property must be 64 lower-case hexadecimal digits.' })
  sha256?: string | null;
}

/** A build that was made elsewhere. */
@ApiExample({ platform: 'android' })
export class CreateImportDto {
  @ApiProperty({ enum: importPlatforms, enumName: 'ImportPlatform' })
  @IsIn(importPlatforms, { message: `$property must be android or ios: ${WEB}.` })
  platform!: ImportPlatform;

  /**
   * Android: `debug` or `release`. iOS: `simulator`, `development`, `ad-hoc`, `app-store` or `enterprise`. The import fails
   * if the file is of another type. By default as the file says: debuggable or not; the kind of the provisioning profile.
   */
  @IsNullable()
  @IsText(50)
  type?: string | null;

  /** Branch, tag or commit that was built. It is only shown. */
  @IsNullable()
  @Matches(/\S/, { message: '$property must not be empty.' })
  @IsText(255)
  gitRef?: string | null;

  /**
   * The application id or bundle id that the file must have: with another one, the import fails.
   * @example 'com.example.shop'
   */
  @IsNullable()
  @ApiProperty({ type: 'string', maxLength: MAX_PACKAGE_NAME_LENGTH })
  @IsTextThat(
    isPackageName,
    '$property must be an Android application id or an iOS bundle id, such as com.example.app.',
  )
  packageName?: string | null;

  /** Texts for stores: `default`, and by locale. At most 4,000 characters each. */
  @IsReleaseNotes()
  releaseNotes?: Record<string, string> | null;

  /** The file that was built. */
  @ApiProperty({ type: ImportedArtifactDto })
  @ValidateNested({ message: '$property must be an object.' })
  @Type(() => ImportedArtifactDto)
  @IsObject({ message: '$property must be an object.' })
  artifact!: ImportedArtifactDto;
}
