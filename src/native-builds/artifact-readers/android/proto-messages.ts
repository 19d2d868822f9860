import protobuf from 'protobufjs/light.js';

type Field = readonly [name: string, type: string, id: number, isRepeated?: 'repeated'];

/**
 * The parts of aapt2's `Resources.proto` that are read. Messages of which only parts are needed are `bytes`, and
 * decoded one by one: a table of resources has a hundred thousand entries, of which a few are read.
 */
const MESSAGES: Readonly<Record<string, readonly Field[]>> = {
  XmlNode: [['element', 'XmlElement', 1]],
  XmlElement: [
    ['name', 'string', 3],
    ['attributes', 'XmlAttribute', 4, 'repeated'],
    ['children', 'bytes', 5, 'repeated'],
  ],
  XmlAttribute: [
    ['name', 'string', 2],
    ['value', 'string', 3],
    ['resourceId', 'uint32', 5],
    ['compiledItem', 'Item', 6],
  ],
  Item: [
    ['reference', 'Reference', 1],
    ['text', 'Text', 2],
    ['rawText', 'Text', 3],
    ['file', 'Text', 5],
    ['primitive', 'Primitive', 7],
  ],
  Reference: [['id', 'uint32', 2]],
  /** A text, or a file by its path. */
  Text: [['value', 'string', 1]],
  Primitive: [
    ['decimal', 'int32', 6],
    ['hexadecimal', 'uint32', 7],
    ['boolean', 'bool', 8],
  ],
  ResourceTable: [['packages', 'bytes', 2, 'repeated']],
  Package: [
    ['packageId', 'Id', 1],
    ['types', 'bytes', 3, 'repeated'],
  ],
  Type: [
    ['typeId', 'Id', 1],
    ['entries', 'bytes', 3, 'repeated'],
  ],
  EntryHead: [['entryId', 'Id', 1]],
  Entry: [['values', 'ConfigValue', 6, 'repeated']],
  Id: [['id', 'uint32', 1]],
  ConfigValue: [
    ['config', 'Configuration', 1],
    ['value', 'Value', 2],
  ],
  Configuration: [
    ['locale', 'string', 3],
    ['density', 'uint32', 18],
  ],
  Value: [['item', 'Item', 4]],
};

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(MESSAGES).map(([message, fields]) => [
      message,
      {
        fields: Object.fromEntries(
          fields.map(([name, type, id, rule]) => [name, { type, id, ...(rule && { rule }) }]),
        ),
      },
    ]),
  ),
});

export interface ProtoItem {
  readonly reference?: { readonly id?: number };
  readonly text?: { readonly value?: string };
  readonly rawText?: { readonly value?: string };
  readonly file?: { readonly value?: string };
  readonly primitive?: {
    readonly decimal?: number;
    readonly hexadecimal?: number;
    readonly boolean?: boolean;
  };
}

interface ProtoId {
  readonly id?: number;
}

/** What is decoded: plain objects with the fields that are present. */
export interface ProtoMessages {
  readonly XmlNode: {
    readonly element?: {
      readonly name?: string;
      readonly attributes?: readonly {
        readonly name?: string;
        readonly value?: string;
        readonly resourceId?: number;
        readonly compiledItem?: ProtoItem;
      }[];
      readonly children?: readonly Buffer[];
    };
  };
  readonly ResourceTable: { readonly packages?: readonly Buffer[] };
  readonly Package: { readonly packageId?: ProtoId; readonly types?: readonly Buffer[] };
  readonly Type: { readonly typeId?: ProtoId; readonly entries?: readonly Buffer[] };
  readonly EntryHead: { readonly entryId?: ProtoId };
  readonly Entry: {
    readonly values?: readonly {
      readonly config?: { readonly locale?: string; readonly density?: number };
      readonly value?: { readonly item?: ProtoItem };
    }[];
  };
}

/** @throws Error when the bytes are no message of the type */
export function decode<T extends keyof ProtoMessages>(type: T, bytes: Buffer): ProtoMessages[T] {
  const message = root.lookupType(type);
  // Without prototypes, so that an absent field is `undefined` instead of its default.
  return message.toObject(message.decode(bytes), { defaults: false }) as ProtoMessages[T];
}
