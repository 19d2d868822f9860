import protobuf from 'protobufjs/light.js';
import type { WorkBudget } from '../../../common/work-budget.js';

type Field = readonly [name: string, type: string, id: number, isRepeated?: 'repeated'];

/**
 * The parts of aapt2's `Resources.proto` that are read. Messages in lists are found with `messagesIn`, and decoded one by
 * one: a table of resources has a hundred thousand entries, of which a few are read.
 */
const MESSAGES: Readonly<Record<string, readonly Field[]>> = {
  XmlNode: [['element', 'bytes', 1]],
  XmlElement: [['name', 'string', 3]],
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

/** What is decoded: plain objects with the fields that are present. */
export interface ProtoMessages {
  readonly XmlNode: { readonly element?: Buffer };
  readonly XmlElement: { readonly name?: string };
  readonly XmlAttribute: {
    readonly name?: string;
    readonly value?: string;
    readonly resourceId?: number;
    readonly compiledItem?: ProtoItem;
  };
  readonly Id: { readonly id?: number };
  readonly ConfigValue: {
    readonly config?: { readonly locale?: string; readonly density?: number };
    readonly value?: { readonly item?: ProtoItem };
  };
}

/** What a message costs, besides its bytes: a hundred thousand of them take a tenth of a second. */
const MESSAGE_WORK = 128;
/** What a field costs that is skipped. */
const FIELD_WORK = 8;
const LENGTH_DELIMITED = 2;

/** The list of messages that a field of a message is. */
export const LISTS = {
  packagesOfTable: 2,
  /** Of a package, a type or an entry. It is no list, so the last one counts. */
  id: 1,
  typesOfPackage: 3,
  entriesOfType: 3,
  valuesOfEntry: 6,
  attributesOfElement: 4,
  childrenOfElement: 5,
} as const;

/**
 * The messages in a list, which are not decoded.
 *
 * @param field number of the field: see `LISTS`
 * @throws Error when the bytes are no message
 * @throws TooMuchWorkError
 */
export function* messagesIn(bytes: Buffer, field: number, work: WorkBudget): Generator<Buffer> {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    work.spend(FIELD_WORK);
    const tag = reader.uint32();
    if (tag >>> 3 === field && (tag & 7) === LENGTH_DELIMITED) yield reader.bytes() as Buffer;
    else reader.skipType(tag & 7);
  }
}

/** @throws Error when the bytes are no message of the type @throws TooMuchWorkError */
export function decode<T extends keyof ProtoMessages>(
  type: T,
  bytes: Buffer,
  work: WorkBudget,
): ProtoMessages[T] {
  work.spend(MESSAGE_WORK + bytes.length);
  const message = root.lookupType(type);
  // Without prototypes, so that an absent field is `undefined` instead of its default.
  return message.toObject(message.decode(bytes), { defaults: false }) as ProtoMessages[T];
}
