import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { readBundle } from './read-bundle.js';

const APP = /^[^/]+\.app\//;

/**
 * Reads a zip with an app for the simulator at its root. Simulators check no signature, and let debuggers attach.
 *
 * @throws ArtifactProblem when the file is no app that can be read
 */
export async function readApp(zip: ArtifactZip): Promise<ArtifactFacts> {
  const folders = new Set(zip.paths().flatMap((path) => APP.exec(path)?.[0] ?? []));
  const [folder = ''] = folders;
  if (folders.size !== 1) throw new ArtifactProblem(`it has ${folders.size} apps, and must have one`);
  return { ...(await readBundle(zip, folder)), applePlatform: null, debuggable: true, signer: null };
}
