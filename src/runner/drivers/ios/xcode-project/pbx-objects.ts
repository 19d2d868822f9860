/** A value of a project file. Numbers are those without quotes. */
export type PbxValue = string | number | Buffer | readonly PbxValue[] | PbxObject;
/** A dictionary of a project file. Its keys are of the file: `field` asks for own ones only. */
export interface PbxObject {
  readonly [key: string]: PbxValue;
}

/** Nothing in a group is deeper than that: a cycle ends here. */
const MAX_DEPTH = 64;
const GROUPS = new Set(['PBXGroup', 'PBXVariantGroup', 'XCVersionGroup']);

/** An object of a project, with its id. */
export interface Identified {
  readonly id: string;
  readonly object: PbxObject;
}

/** The objects of a project, which name each other by id. What is wrong in them is as if it were not there. */
export class PbxObjects {
  private parents: ReadonlyMap<string, string> | null = null;

  constructor(private readonly objects: PbxObject) {}

  /** @param isa the type that it must have */
  find(id: PbxValue | undefined, isa?: string): Identified | null {
    const key = textOf(id);
    const object = key === null ? undefined : field(this.objects, key);
    if (key === null || !isDictionary(object)) return null;
    return isa === undefined || field(object, 'isa') === isa ? { id: key, object } : null;
  }

  /** The objects that a list names, those with one of the types. */
  findAll(ids: PbxValue | undefined, isa?: string): Identified[] {
    return (Array.isArray(ids) ? (ids as readonly PbxValue[]) : []).flatMap((id) => {
      const found = this.find(id, isa);
      return found === null ? [] : [found];
    });
  }

  /**
   * The path of a file or a group, from the folder with the project.
   *
   * @returns `null`: it is not in the working copy, such as a product
   */
  pathOf(id: string): string | null {
    const parts: string[] = [];
    let current: string | undefined = id;
    for (let depth = 0; current !== undefined; depth++) {
      const found = this.find(current);
      if (found === null || depth > MAX_DEPTH) return null;
      const path = textOf(field(found.object, 'path'));
      if (path !== null) parts.unshift(path);
      const tree = textOf(field(found.object, 'sourceTree')) ?? '<group>';
      if (tree === 'SOURCE_ROOT') break;
      if (tree !== '<group>') return null;
      current = this.parentOf(current);
    }
    return parts.join('/');
  }

  private parentOf(id: string): string | undefined {
    this.parents ??= new Map(
      Object.entries(this.objects).flatMap(([parent, object]) =>
        isDictionary(object) && GROUPS.has(textOf(field(object, 'isa')) ?? '')
          ? this.findAll(field(object, 'children')).map((child) => [child.id, parent] as const)
          : [],
      ),
    );
    return this.parents.get(id);
  }
}

/** An own value of a dictionary. */
export function field(object: PbxObject, key: string): PbxValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** @returns `null`: it is no text */
export function textOf(value: PbxValue | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

export function isDictionary(value: PbxValue | undefined): value is PbxObject {
  return typeof value === 'object' && !Array.isArray(value) && !Buffer.isBuffer(value);
}
