import { TooMuchWorkError, type WorkBudget } from '../../../common/work-budget.js';
import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { MAX_PLIST_BYTES, readBundle } from './read-bundle.js';
import { listsDevice, readProfile } from './read-profile.js';

const APP = /^Payload\/[^/]+\.app\//;

/** @throws ArtifactProblem when the file is no ipa that can be read */
export async function readIpa(zip: ArtifactZip): Promise<ArtifactFacts> {
  const folder = appFolderOf(zip);
  const facts = await readBundle(zip, folder);
  const profile = await fromProfile(zip, folder, readProfile);
  return { ...facts, debuggable: profile?.debuggable ?? false, signer: profile?.signer ?? null };
}

/**
 * Whether the profile of an ipa lists a device. Without a profile, it does not.
 *
 * @throws ArtifactProblem when the file is no ipa that can be read
 */
export async function isDeviceInIpa(zip: ArtifactZip, udid: string): Promise<boolean> {
  return (await fromProfile(zip, appFolderOf(zip), (file, work) => listsDevice(file, udid, work))) ?? false;
}

/** With a slash at the end. */
function appFolderOf(zip: ArtifactZip): string {
  const folders = new Set(zip.paths().flatMap((path) => APP.exec(path)?.[0] ?? []));
  const [folder = ''] = folders;
  if (folders.size === 1) return folder;
  throw new ArtifactProblem(`it has ${folders.size} apps in the folder Payload, and must have one`);
}

/** @returns `null`: there is no profile. Apps from the App Store have none. */
async function fromProfile<T>(
  zip: ArtifactZip,
  folder: string,
  read: (file: Buffer, work: WorkBudget) => T,
): Promise<T | null> {
  const path = `${folder}embedded.mobileprovision`;
  if (!zip.has(path)) return null;
  const file = await zip.read(path, MAX_PLIST_BYTES);
  try {
    return read(file, zip.work);
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw error;
    throw new ArtifactProblem('its embedded.mobileprovision is damaged');
  }
}
