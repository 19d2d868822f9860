import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { databaseNow } from '../../common/database-clock.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import { type ArtifactType, artifactTypes } from '../build-artifacts/build-artifact.entity.js';
import { type BuildPlatform, buildPlatforms } from '../builds/build.entity.js';
import { installabilityOf, installAddressOf } from './ios-install.js';
import { ICON, type ShareAddresses } from './share-addresses.service.js';
import { iconOf, type SharedArtifact, type SharedBuild } from './shared-builds.service.js';

/** The password of a share. */
@ApiExample({ password: 'four unusual words together' })
export class UnlockShareDto {
  /** As the person who shared the build has set it. */
  @IsText(1024)
  password!: string;
}

/** A file of a shared build. */
@ApiExample({
  type: 'apk',
  fileSizeInBytes: 4821330,
  downloadUrl: 'https://slipway.example.com/v1/app-build-shares/…',
})
export class SharedArtifactDto {
  @ApiId()
  id!: string;

  @ApiProperty({ enum: artifactTypes, enumName: 'BuildArtifactType' })
  type!: ArtifactType;

  /** Name under which the file is downloaded; `null`: one that is made of its id. */
  fileName!: string | null;

  /** Bytes of the file. */
  @ApiProperty({ type: 'integer', nullable: true })
  fileSizeInBytes!: number | null;

  /** Version that people see. */
  versionName!: string | null;

  /** Android: `versionCode`. iOS: `CFBundleVersion`. */
  versionCode!: string | null;

  /** Android: lowest API level that the app runs on. */
  @ApiProperty({ type: 'integer', nullable: true })
  minSdkVersion!: number | null;

  /** iOS: lowest version that the app runs on. */
  minOsVersion!: string | null;

  /** What the provisioning profile of an ipa is for. */
  @ApiProperty({ type: String, enum: [...profileTypes, null], nullable: true })
  profileType!: ProfileType | null;

  /** Address of the file: see `downloadsExpireAt`. */
  @ApiProperty({ format: 'uri' })
  downloadUrl!: string;

  /**
   * iOS: address that installs the app on the iPhone or iPad that opens it, for 15 minutes; `null`: devices do not install the
   * file from a web page, or this server is reached without https.
   */
  @ApiProperty({ type: 'string', format: 'uri', nullable: true })
  installUrl!: string | null;
}

/** A shared build, for those who have its address. While `passwordRequired` is `true`, only the id is there besides. */
@ApiExample({
  passwordRequired: false,
  appName: 'Shop',
  numberAsString: '42',
  platform: 'android',
  type: 'release',
})
export class SharedBuildDto {
  @ApiId()
  id!: string;

  /** Whether a password is needed for the rest. */
  passwordRequired!: boolean;

  /** Name of the app. */
  @ApiPropertyOptional({ type: 'string' })
  appName?: string;

  /** Text of the person who shared the build. */
  @ApiPropertyOptional({ type: 'string', nullable: true })
  description?: string | null;

  /** Number of the build in its app, as decimal text. */
  @ApiPropertyOptional({ type: 'string' })
  numberAsString?: string;

  @ApiPropertyOptional({ enum: buildPlatforms, enumName: 'BuildPlatform' })
  platform?: BuildPlatform;

  /** Such as `debug` or `app-store`; `null` for web builds. */
  @ApiPropertyOptional({ type: 'string', nullable: true })
  type?: string | null;

  /** Name of the build, or of its app on devices. */
  @ApiPropertyOptional({ type: 'string', nullable: true })
  displayName?: string | null;

  /** Application id or bundle id. */
  @ApiPropertyOptional({ type: 'string', nullable: true })
  packageName?: string | null;

  /** Version of the app. */
  @ApiPropertyOptional({ type: 'string', nullable: true })
  packageVersion?: string | null;

  /** When the build was started. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  builtAt?: string;

  /** When the share ends; `null`: never. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  expiresAt?: string | null;

  /** Address of the icon; `null`: the files have none that can be shown. */
  @ApiPropertyOptional({ type: 'string', format: 'uri', nullable: true })
  iconUrl?: string | null;

  /** Until when the addresses of the icon and the files work; `null`: as long as the share. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  downloadsExpireAt?: string | null;

  /** The files; none for a web build, and none if they were deleted. */
  @ApiPropertyOptional({ type: [SharedArtifactDto] })
  artifacts?: SharedArtifactDto[];
}

/** The response for a share to those who have not sent its password. */
export function toLockedBuildDto(id: string): SharedBuildDto {
  return { id, passwordRequired: true };
}

/** The response for a share to those who may see it. @param origin of the addresses */
export function toSharedBuildDto(
  shared: SharedBuild,
  addresses: ShareAddresses,
  origin: string,
): SharedBuildDto {
  const { share, app, build, artifacts } = shared;
  const urlOf = (file: string): string => new URL(addresses.pathOf(file), origin).href;
  return {
    id: share.id,
    passwordRequired: false,
    appName: app.name,
    description: share.description,
    numberAsString: String(build.number),
    platform: build.platform,
    type: build.type,
    displayName: build.displayName,
    packageName: build.packageName,
    packageVersion: build.packageVersion,
    builtAt: build.createdAt.toISOString(),
    expiresAt: share.expiresAt?.toISOString() ?? null,
    iconUrl: iconOf(shared) === null ? null : urlOf(ICON),
    downloadsExpireAt: addresses.expireAt?.toISOString() ?? null,
    artifacts: artifacts.map((file) =>
      toSharedArtifactDto(file, urlOf(file.artifact.id), installUrlOf(file, shared, addresses, origin)),
    ),
  };
}

function installUrlOf(
  { artifact, details }: SharedArtifact,
  { app }: SharedBuild,
  addresses: ShareAddresses,
  origin: string,
): string | null {
  if (artifact.type !== 'ipa' || details === null || !origin.startsWith('https:')) return null;
  if (installabilityOf(details, databaseNow()) !== 'here') return null;
  return installAddressOf(addresses.signedPathOf(artifact.id), origin, details, app.name);
}

function toSharedArtifactDto(
  { artifact, details }: SharedArtifact,
  downloadUrl: string,
  installUrl: string | null,
): SharedArtifactDto {
  return {
    id: artifact.id,
    type: artifact.type,
    fileName: artifact.fileName,
    fileSizeInBytes: artifact.fileSizeInBytes,
    versionName: details?.versionName ?? null,
    versionCode: details?.versionCode ?? null,
    minSdkVersion: details?.minSdkVersion ?? null,
    minOsVersion: details?.minOsVersion ?? null,
    profileType: details?.signer?.profileType ?? null,
    downloadUrl,
    installUrl,
  };
}
