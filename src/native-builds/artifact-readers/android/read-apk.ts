import { TooMuchWorkError, type WorkBudget } from '../../../common/work-budget.js';
import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { findJarSigner } from '../signers/jar-signer.js';
import { findBlockSigner } from '../signers/signing-block.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { readAppFacts } from './app-facts.js';
import { parseBinaryXml } from './binary-xml.js';
import { MAX_MANIFEST_BYTES, openPackage } from './open-package.js';
import { ResourceTable } from './resource-table.js';
import type { XmlNode } from './xml-node.js';

const MANIFEST = 'AndroidManifest.xml';

/** @throws ArtifactProblem when the file is no apk that can be read */
export async function readApk(zip: ArtifactZip): Promise<ArtifactFacts> {
  const manifest = parseManifest(await zip.read(MANIFEST, MAX_MANIFEST_BYTES), zip.work);
  const app = await openPackage(zip, manifest, {
    tablePath: 'resources.arsc',
    readTable: (table, work) => new ResourceTable(table, work),
    folder: '',
    parse: parseBinaryXml,
  });
  const facts = await readAppFacts(app);
  return { ...facts, signer: (await findBlockSigner(zip)) ?? (await findJarSigner(zip)) };
}

function parseManifest(file: Buffer, work: WorkBudget): XmlNode {
  if (/^(\xef\xbb\xbf)?\s*<\?xml/.test(file.toString('latin1', 0, 100))) {
    throw new ArtifactProblem(`its ${MANIFEST} is a text, as in a project or an Android library`);
  }
  try {
    return parseBinaryXml(file, work);
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw error;
    throw new ArtifactProblem(`its ${MANIFEST} is damaged`);
  }
}
