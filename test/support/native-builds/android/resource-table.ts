import { ICON_PATH, type Reference } from './app-description.ts';
import { chunk, stringPool, typedValue, u16, u32 } from './resource-chunks.ts';

/** One value of a resource. */
export interface TableValue {
  /** Text, also the path of a file. */
  readonly value: string | Reference;
  /** 0: any. */
  readonly density?: number;
  /** Two letters; absent: any. */
  readonly language?: string;
}

/** The resources of one type, in order of their ids: each has a name, and values. */
export interface TableType {
  readonly name: string;
  readonly entries: Readonly<Record<string, readonly TableValue[]>>;
}

/** The resources of `manifestOf`: a label and an icon. */
export function resourcesOf(label: string, icon: Buffer | null): TableType[] {
  return [
    { name: 'string', entries: { app_name: [{ value: label }] } },
    ...(icon === null ? [] : [{ name: 'mipmap', entries: { icon: [{ value: ICON_PATH, density: 480 }] } }]),
  ];
}

const NO_ENTRY = 0xffffffff;

/** Writes `resources.arsc` with one package, 0x7f. */
export function resourceTable(packageName: string, types: readonly TableType[], isUtf8 = true): Buffer {
  const values: string[] = [];
  const indexOf = (text: string): number =>
    values.includes(text) ? values.indexOf(text) : values.push(text) - 1;
  const keys = types.flatMap(({ entries }) => Object.keys(entries));
  const chunks = types.flatMap((type, index) => typeChunks(type, index + 1, indexOf, keys));
  const typeNames = stringPool(types.map(({ name }) => name));
  const name = Buffer.alloc(256);
  name.write(packageName, 'utf16le');
  const header = [
    u32(0x7f),
    name,
    u32(288),
    u32(types.length),
    u32(288 + typeNames.length),
    u32(keys.length),
    u32(0),
  ];
  const body = [typeNames, stringPool(keys, isUtf8), ...chunks];
  return chunk(0x0002, [u32(1)], [stringPool(values, isUtf8), chunk(0x0200, header, body)]);
}

/** A specification, and a chunk for each configuration. */
function typeChunks(
  { entries }: TableType,
  id: number,
  indexOf: (text: string) => number,
  keys: readonly string[],
): Buffer[] {
  const all = Object.entries(entries);
  const header = [Buffer.from([id, 0, 0, 0]), u32(all.length)];
  const configurations = new Set(
    all.flatMap(([, values]) => values.map(({ density = 0, language = '' }) => `${density} ${language}`)),
  );
  const spec = chunk(
    0x0202,
    header,
    all.map(() => u32(0)),
  );
  return [
    spec,
    ...[...configurations].map((configuration) => {
      let at = 0;
      const written = all.map(([key, values]) => {
        const found = values.find(
          ({ density = 0, language = '' }) => `${density} ${language}` === configuration,
        );
        if (found === undefined) return null;
        return Buffer.concat([u16(8), u16(0), u32(keys.indexOf(key)), typedValue(found.value, indexOf)]);
      });
      const offsets = written.map((entry) =>
        u32(entry === null ? NO_ENTRY : (at += entry.length) - entry.length),
      );
      const [density = '', language = ''] = configuration.split(' ');
      const config = Buffer.alloc(64);
      config.writeUInt32LE(64);
      config.write(language, 8, 'latin1');
      config.writeUInt16LE(Number(density), 14);
      const start = 20 + 64 + 4 * all.length;
      return chunk(
        0x0201,
        [...header, u32(start), config],
        [...offsets, ...written.filter((entry) => entry !== null)],
      );
    }),
  ];
}
