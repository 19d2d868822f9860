import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../src/runner/folders/remove-folder.js';

const folders: string[] = [];

/** An empty folder that is removed after the spec file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
  folders.push(folder);
  return folder;
}

// A build may have made paths that Node.js cannot remove.
afterAll(() => Promise.all(folders.splice(0).map(removeFolder)));
