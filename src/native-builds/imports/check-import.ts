import { InvalidRequestError, invalidField } from '../../common/errors/app-error.js';
import type { ArtifactFacts } from '../artifact-readers/artifact-facts.js';
import type { Build, BuildPlatform } from '../builds/build.entity.js';
import type { ImportedArtifactDto, ImportedType, ImportPlatform } from './create-import.dto.js';

const platformOf: Readonly<Record<ImportedType, ImportPlatform>> = {
  apk: 'android',
  aab: 'android',
  ipa: 'ios',
};

/**
 * Checks that the name of an announced file and its type fit the platform of the import.
 *
 * @throws InvalidRequestError
 */
export function requireFitting(platform: ImportPlatform, { type, fileName }: ImportedArtifactDto): void {
  if (platformOf[type] !== platform) {
    const fitting = platform === 'android' ? 'apk or aab' : 'ipa';
    throw invalidField('artifact.type', `artifact.type must be ${fitting}: platform is ${platform}.`);
  }
  if (!fileName.toLowerCase().endsWith(`.${type}`)) {
    throw invalidField(
      'artifact.fileName',
      `artifact.fileName must end with .${type}, as artifact.type says.`,
    );
  }
}

/** What the file of a build says about the type of the build; `null`: nothing. */
function readType(
  platform: BuildPlatform,
  { debuggable, signer }: ArtifactFacts,
): { readonly type: string; readonly because: string } | null {
  if (platform === 'android') {
    return debuggable
      ? { type: 'debug', because: 'it is debuggable' }
      : { type: 'release', because: 'it is not debuggable' };
  }
  const profile = signer?.profileType ?? null;
  return profile === null ? null : { type: profile, because: 'its provisioning profile says so' };
}

/**
 * Compares a file with what the request announced.
 *
 * @returns the type of the build; `null`: neither says which
 * @throws InvalidRequestError `invalid_artifact` with a sentence that names both
 */
export function checkImport(
  { platform, type, packageName }: Pick<Build, 'platform' | 'type' | 'packageName'>,
  facts: ArtifactFacts,
): string | null {
  if (packageName !== null && packageName !== facts.packageName) {
    throw new InvalidRequestError(
      `The package name of the file is ${facts.packageName}, and the import expects ${packageName}.`,
      'invalid_artifact',
    );
  }
  const read = readType(platform, facts);
  if (type === null || read === null) return type ?? read?.type ?? null;
  if (type === read.type) return type;
  throw new InvalidRequestError(
    `The type of the file is ${read.type} because ${read.because}, and the import expects ${type}.`,
    'invalid_artifact',
  );
}
