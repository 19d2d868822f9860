import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { findJarSigner } from '../signers/jar-signer.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { readAppFacts } from './app-facts.js';
import { MAX_MANIFEST_BYTES, openPackage } from './open-package.js';
import { type XmlNode, MAX_LEVEL, type XmlAttribute } from './xml-node.js';
import type { ResourceValue } from './app-package.js';
import { decode, type ProtoItem } from './proto-messages.js';

/** The resources of an aab (`resources.pb`). */
class ProtoTable {
  private readonly packages: readonly Buffer[];

  /** @throws Error when it is none */
  constructor(file: Buffer) {
    this.packages = decode('ResourceTable', file).packages ?? [];
  }

  /** The values of a resource. @throws Error when the table is damaged */
  valuesOf(id: number): ResourceValue[] {
    for (const bytes of this.packages) {
      const { packageId, types = [] } = decode('Package', bytes);
      if ((packageId?.id ?? 0) !== id >>> 24) continue;
      for (const type of types) {
        const { typeId, entries = [] } = decode('Type', type);
        if ((typeId?.id ?? 0) !== ((id >>> 16) & 0xff)) continue;
        const entry = entries.find(
          (found) => (decode('EntryHead', found).entryId?.id ?? 0) === (id & 0xffff),
        );
        if (entry !== undefined) return valuesIn(entry);
      }
    }
    return [];
  }
}

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

function valuesIn(entry: Buffer): ResourceValue[] {
  return (decode('Entry', entry).values ?? []).flatMap(({ config, value }) => {
    const { reference, text, rawText, file } = value?.item ?? {};
    const found = text?.value ?? rawText?.value ?? file?.value ?? reference?.id;
    const isDefault = (config?.locale ?? '') === '';
    return found === undefined ? [] : [{ density: config?.density ?? 0, isDefault, value: found }];
  });
}

/**
 * Reads XML in the form of an aab.
 *
 * @throws Error when it is none
 */
export function parseProtoXml(file: Buffer): XmlNode {
  const root = nodeOf(file, 1);
  if (root === null) throw new RangeError('It has no element.');
  return root;
}

/** @returns `null`: a text between elements */
function nodeOf(bytes: Buffer, level: number): XmlNode | null {
  const { element } = decode('XmlNode', bytes);
  if (element === undefined) return null;
  const { name = '', attributes = [], children = [] } = element;
  return {
    name,
    attributes: new Map(
      attributes.map(({ resourceId = 0, name: key = '', value = '', compiledItem }) => [
        resourceId === 0 ? key : resourceId,
        valueOf(value, compiledItem),
      ]),
    ),
    children: level === MAX_LEVEL ? [] : children.flatMap((child) => nodeOf(child, level + 1) ?? []),
  };
}

/** The compiled value counts: the text is empty beside it, or what the source says. */
function valueOf(
  text: string,
  { reference, text: compiled, rawText, primitive }: ProtoItem = {},
): XmlAttribute {
  return {
    text: compiled?.value ?? rawText?.value ?? (text === '' ? null : text),
    reference: reference?.id ?? null,
    integer: integerOf(primitive),
    boolean: primitive?.boolean ?? null,
  };
}

/** As signed integers of 32 bits, which both forms are. */
function integerOf({ decimal, hexadecimal }: NonNullable<ProtoItem['primitive']> = {}): number | null {
  const value = decimal ?? hexadecimal;
  return value === undefined ? null : value | 0;
}
