import type { ResourceValue } from './app-package.js';
import { decode } from './proto-messages.js';

/** The resources of an aab (`resources.pb`). */
export class ProtoTable {
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

function valuesIn(entry: Buffer): ResourceValue[] {
  return (decode('Entry', entry).values ?? []).flatMap(({ config, value }) => {
    const { reference, text, rawText, file } = value?.item ?? {};
    const found = text?.value ?? rawText?.value ?? file?.value ?? reference?.id;
    const isDefault = (config?.locale ?? '') === '';
    return found === undefined ? [] : [{ density: config?.density ?? 0, isDefault, value: found }];
  });
}
