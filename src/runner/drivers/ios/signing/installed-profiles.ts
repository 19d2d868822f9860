import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { PayloadProfileDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../../steps/build-run.js';
import { quoted } from './plan/quoted.js';

/** In the folder of a job: what to undo. */
const NOTES = 'profiles.json';
/** Where Xcode reads profiles, in the home of the user: version 16 and later, then earlier ones. */
const FOLDERS = [
  'Library/Developer/Xcode/UserData/Provisioning Profiles',
  'Library/MobileDevice/Provisioning Profiles',
];
const UUID = /^[0-9A-Fa-f-]{36}$/;

/** What is done at one path. */
interface Note {
  readonly path: string;
  /** Of what is written there. */
  readonly sha256: string;
  /** Where the user's own file, which was there before, is kept in the meantime. */
  readonly kept: string;
  /** What is written before it gets its name. */
  readonly temporary: string;
}

/**
 * Installs profiles where Xcode finds them. A file of the user with the same name is kept aside.
 *
 * @param folder of the job, for notes of what to undo
 * @throws StepError when an identifier is none: it becomes a name of a file
 */
export async function installProfiles(folder: string, profiles: readonly PayloadProfileDto[]): Promise<void> {
  const files = new Map<string, Buffer>();
  for (const { uuid, name, file } of profiles) {
    if (!UUID.test(uuid))
      throw new StepError('sign', `The provisioning profile ${quoted(name)} has no UUID.`);
    files.set(uuid, Buffer.from(file, 'base64'));
  }
  const planned: { note: Note; bytes: Buffer }[] = [];
  for (const [uuid, bytes] of files) {
    for (const where of FOLDERS) {
      const note = noteFor(folder, join(homedir(), where, `${uuid}.mobileprovision`), bytes);
      // The user has the same: it stays, and is not removed afterwards.
      if ((await hashAt(note.path)) !== note.sha256) planned.push({ note, bytes });
    }
  }
  const temporary = join(folder, `${NOTES}.new`);
  await writeFile(temporary, JSON.stringify(planned.map(({ note }) => note)), { mode: 0o600 });
  await rename(temporary, join(folder, NOTES));
  for (const { note, bytes } of planned) await install(note, bytes);
}

function noteFor(folder: string, path: string, bytes: Buffer): Note {
  // Xcode reads names that end with .mobileprovision, and a name of this job does not meet those of others.
  const aside = join(dirname(path), `.${basename(path)}.${basename(folder)}`);
  return { path, sha256: sha256Of(bytes), kept: `${aside}.kept`, temporary: `${aside}.new` };
}

async function install({ path, kept, temporary }: Note, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if ((await hashAt(path)) !== null) await rename(path, kept);
  await writeFile(temporary, bytes, { mode: 0o600 });
  await rename(temporary, path);
}

/** Undoes what a job has done, or had begun to do. @param folder of the job @throws Error of a system call */
export async function removeProfiles(folder: string): Promise<void> {
  for (const { path, sha256, kept, temporary } of await readNotes(join(folder, NOTES))) {
    await rm(temporary, { force: true });
    const [current, keptHash] = [await hashAt(path), await hashAt(kept)];
    const isOurs = current === sha256;
    if (keptHash === null) {
      // Nothing was there before. A different file that is there now was installed by someone else in the meantime.
      if (isOurs) await rm(path, { force: true });
    } else if (current === null || isOurs) {
      await rename(kept, path);
    } else {
      await rm(kept, { force: true });
    }
  }
  await rm(join(folder, NOTES), { force: true });
}

async function readNotes(path: string): Promise<readonly Note[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Note[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** @returns `null`: there is no such file; `''`: it cannot be read as one */
async function hashAt(path: string): Promise<string | null> {
  try {
    return sha256Of(await readFile(path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : '';
  }
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
