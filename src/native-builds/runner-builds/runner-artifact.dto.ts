import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_SHA256 } from '../../common/openapi/example-values.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { type ArtifactType, artifactTypes } from '../build-artifacts/build-artifact.entity.js';
import { IsFileName } from '../build-artifacts/file-name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsBuildText } from '../builds/create-build.dto.js';

/** Largest artifact: 2 GiB. */
export const MAX_ARTIFACT_BYTES = 2 * 1024 ** 3;

/** A file that a build has made. Its bytes follow in parts. */
@ApiExample({ type: 'zip', fileName: 'www.zip', fileSizeInBytes: 482133, sha256: EXAMPLE_SHA256 })
export class CreateRunnerArtifactDto {
  /** Android: `apk`, `aab`, or `zip` for symbols and mappings. iOS: `ipa`, `app`, `dsym` or `xcarchive`. Web: `zip`. */
  @IsOneOf(artifactTypes, 'BuildArtifactType')
  type!: ArtifactType;

  /** Without folders, at most 255 characters. */
  @IsFileName()
  fileName!: string;

  /** Bytes of the file, at most 2 GiB; of the zip of a web build at most 1 GiB. */
  @IsWholeNumber(1, MAX_ARTIFACT_BYTES)
  fileSizeInBytes!: number;

  /** SHA-256 of the file, in lower-case hexadecimal digits. */
  @ApiProperty({ type: 'string', pattern: '^[0-9a-f]{64}$' })
  @Matches(/^[0-9a-f]{64}$/, { message: '$property must be 64 lower-case hexadecimal digits.' })
  sha256!: string;
}

/** The announced artifact. */
export class RunnerArtifactDto {
  @ApiId()
  id!: string;
}

/** What a runner has found out about its build; absent fields stay unchanged. */
@ApiExample({ gitCommitMessage: 'Fix the checkout', packageVersion: '1.4.0' })
export class UpdateRunnerBuildDto {
  /** The commit that is built. For a build of a ref it must be the commit that the ref was resolved to. */
  @ApiPropertyOptional({ type: 'string', nullable: true, pattern: '^[0-9a-f]{40}([0-9a-f]{24})?$' })
  @IsNullable()
  @Matches(/^[0-9a-f]{40}([0-9a-f]{24})?$/, { message: '$property must be the hash of a commit.' })
  gitCommitSha?: string | null;

  /** Its message, at most 1,000 characters. */
  @IsBuildText()
  gitCommitMessage?: string | null;

  /** Application id or bundle id of the native app. */
  @IsBuildText()
  packageName?: string | null;

  /** Version of the native app. */
  @IsBuildText()
  packageVersion?: string | null;

  /** Name that people see, at most 1,000 characters. */
  @IsBuildText()
  displayName?: string | null;
}

/** The update was stored. */
export class RunnerBuildDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
}
