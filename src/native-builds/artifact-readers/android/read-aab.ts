import { TooMuchWorkError, type WorkBudget } from '../../../common/work-budget.js';
import type { ArtifactFacts } from '../artifact-facts.js';
import { ArtifactProblem } from '../artifact-problem.js';
import { findJarSigner } from '../signers/jar-signer.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { readAppFacts } from './app-facts.js';
import { MAX_MANIFEST_BYTES, openPackage } from './open-package.js';
import { type XmlNode, MAX_LEVEL, type XmlAttribute } from './xml-node.js';
import type { ResourceValue } from './app-package.js';
import { decode, LISTS, messagesIn, type ProtoItem } from './proto-messages.js';

/** The resources of an aab (`resources.pb`). Entries are found by an index, which is made for the types that are asked for. */
class ProtoTable {
  /** Messages by the upper half of the ids: package and type. Several can have the same one. */
  private readonly types = new Map<number, Buffer[]>();
  /** Entries by the lower half of the ids, by the upper half. */
  private readonly entries = new Map<number, ReadonlyMap<number, Buffer>>();

  /** @throws Error when it is none @throws TooMuchWorkError */
  constructor(
    file: Buffer,
    private readonly work: WorkBudget,
  ) {
    for (const bytes of messagesIn(file, LISTS.packagesOfTable, work)) {
      const packageId = this.idOf(bytes);
      if (packageId > 0xff) continue;
      for (const type of messagesIn(bytes, LISTS.typesOfPackage, work)) {
        const typeId = this.idOf(type);
        if (typeId > 0xff) continue;
        const key = (packageId << 8) | typeId;
        const types = this.types.get(key);
        if (types === undefined) this.types.set(key, [type]);
        else types.push(type);
      }
    }
  }

  /** The values of a resource. @throws Error when the table is damaged @throws TooMuchWorkError */
  valuesOf(id: number): ResourceValue[] {
    const type = id >>> 16;
    const entries = this.entries.get(type) ?? this.index(type);
    this.entries.set(type, entries);
    const entry = entries.get(id & 0xffff);
    return entry === undefined ? [] : valuesIn(entry, this.work);
  }

  /** Of several entries with the same id, the first one counts. */
  private index(type: number): Map<number, Buffer> {
    const entries = new Map<number, Buffer>();
    for (const bytes of this.types.get(type) ?? []) {
      for (const entry of messagesIn(bytes, LISTS.entriesOfType, this.work)) {
        const id = this.idOf(entry);
        if (id <= 0xffff && !entries.has(id)) entries.set(id, entry);
      }
    }
    return entries;
  }

  private idOf(bytes: Buffer): number {
    let id = 0;
    for (const message of messagesIn(bytes, LISTS.id, this.work))
      id = decode('Id', message, this.work).id ?? 0;
    return id;
  }
}

/** The module that every app has; the others are added to it on devices. */
const BASE = 'base/';
const MANIFEST = `${BASE}manifest/AndroidManifest.xml`;

/** @throws ArtifactProblem when the file is no aab that can be read */
export async function readAab(zip: ArtifactZip): Promise<ArtifactFacts> {
  const manifest = parseManifest(await zip.read(MANIFEST, MAX_MANIFEST_BYTES), zip.work);
  const app = await openPackage(zip, manifest, {
    tablePath: `${BASE}resources.pb`,
    readTable: (table, work) => new ProtoTable(table, work),
    folder: BASE,
    parse: parseProtoXml,
  });
  return { ...(await readAppFacts(app)), signer: await findJarSigner(zip) };
}

function parseManifest(file: Buffer, work: WorkBudget): XmlNode {
  try {
    return parseProtoXml(file, work);
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw error;
    throw new ArtifactProblem(`its ${MANIFEST} is damaged`);
  }
}

function valuesIn(entry: Buffer, work: WorkBudget): ResourceValue[] {
  const values: ResourceValue[] = [];
  for (const bytes of messagesIn(entry, LISTS.valuesOfEntry, work)) {
    const { config, value } = decode('ConfigValue', bytes, work);
    const { reference, text, rawText, file } = value?.item ?? {};
    const found = text?.value ?? rawText?.value ?? file?.value ?? reference?.id;
    const isDefault = (config?.locale ?? '') === '';
    if (found !== undefined) values.push({ density: config?.density ?? 0, isDefault, value: found });
  }
  return values;
}

/**
 * Reads XML in the form of an aab.
 *
 * @throws Error when it is none
 * @throws TooMuchWorkError
 */
export function parseProtoXml(file: Buffer, work: WorkBudget): XmlNode {
  const root = nodeOf(file, 1, work);
  if (root === null) throw new RangeError('It has no element.');
  return root;
}

/** @returns `null`: a text between elements */
function nodeOf(bytes: Buffer, level: number, work: WorkBudget): XmlNode | null {
  const { element } = decode('XmlNode', bytes, work);
  if (element === undefined) return null;
  const attributes = new Map<number | string, XmlAttribute>();
  for (const attribute of messagesIn(element, LISTS.attributesOfElement, work)) {
    const { resourceId = 0, name = '', value = '', compiledItem } = decode('XmlAttribute', attribute, work);
    attributes.set(resourceId === 0 ? name : resourceId, valueOf(value, compiledItem));
  }
  const children: XmlNode[] = [];
  for (const bytesOfChild of level === MAX_LEVEL ? [] : messagesIn(element, LISTS.childrenOfElement, work)) {
    const child = nodeOf(bytesOfChild, level + 1, work);
    if (child !== null) children.push(child);
  }
  return { name: decode('XmlElement', element, work).name ?? '', attributes, children };
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
