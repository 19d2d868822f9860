import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { findJarSigner } from '../signers/jar-signer.js';
import type { ArtifactZip } from '../zip/artifact-zip.js';
import { readAppFacts } from './app-facts.js';
import { MAX_MANIFEST_BYTES, openPackage } from './open-package.js';
import { ProtoTable } from './proto-table.js';
import { parseProtoXml } from './proto-xml.js';
import type { XmlNode } from './xml-node.js';

/** The module that every app has; the others are added to it on devices. */
const BASE = 'base/';
const MANIFEST = `${BASE}manifest/AndroidManifest.xml`;

/** @throws ArtifactProblem when the file is no aab that can be read */
export async function readAab(zip: ArtifactZip): Promise<ArtifactFacts> {
  const manifest = parseManifest(await zip.read(MANIFEST, MAX_MANIFEST_BYTES));
  const app = await openPackage(zip, manifest, {
    tablePath: `${BASE}resources.pb`,
    readTable: (table) => new ProtoTable(table),
    folder: BASE,
    parse: parseProtoXml,
  });
  return { ...(await readAppFacts(app)), signer: await findJarSigner(zip) };
}

function parseManifest(file: Buffer): XmlNode {
  try {
    return parseProtoXml(file);
  } catch {
    throw new ArtifactProblem(`its ${MANIFEST} is damaged`);
  }
}
