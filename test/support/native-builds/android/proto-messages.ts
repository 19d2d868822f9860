import protobuf from 'protobufjs';
import { type AttributeName, ATTRIBUTES, type AttributeValue, type XmlElement } from './app-description.ts';
import type { TableType, TableValue } from './resource-table.ts';

const NAMESPACE = 'http://schemas.android.com/apk/res/android';

/** The parts of aapt2's `Resources.proto` that the tests write, with its numbers. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message XmlNode { XmlElement element = 1; string text = 2; }
  message XmlElement {
    repeated XmlNamespace namespace_declaration = 1; string namespace_uri = 2; string name = 3;
    repeated XmlAttribute attribute = 4; repeated XmlNode child = 5;
  }
  message XmlNamespace { string prefix = 1; string uri = 2; }
  message XmlAttribute {
    string namespace_uri = 1; string name = 2; string value = 3; uint32 resource_id = 5; Item compiled_item = 6;
  }
  message Item { Reference ref = 1; Text str = 2; FileReference file = 5; Primitive prim = 7; }
  message Reference { uint32 id = 2; }
  message Text { string value = 1; }
  message FileReference { string path = 1; uint32 type = 2; }
  message Primitive { oneof value { int32 int_decimal_value = 6; bool boolean_value = 8; } }
  message ResourceTable { repeated Package package = 2; }
  message Package { Id package_id = 1; string package_name = 2; repeated Type type = 3; }
  message Id { uint32 id = 1; }
  message Type { Id type_id = 1; string name = 2; repeated Entry entry = 3; }
  message Entry { Id entry_id = 1; string name = 2; repeated ConfigValue config_value = 6; }
  message ConfigValue { Configuration config = 1; Value value = 2; }
  message Configuration { string locale = 3; uint32 density = 18; uint32 sdk_version = 24; }
  message Value { Item item = 4; }
`);

function encode(type: string, message: object): Buffer {
  const found = root.lookupType(type);
  return Buffer.from(found.encode(found.fromObject(message)).finish());
}

/** A manifest as bundles have it. Whether a text stands in `value` only, or is compiled too, is up to the tool. */
export function protoXml(element: XmlElement): Buffer {
  return encode('XmlNode', nodeOf(element, true));
}

/** `resources.pb` with one package, 0x7f. */
export function protoTable(packageName: string, types: readonly TableType[]): Buffer {
  return encode('ResourceTable', {
    package: [
      {
        packageId: { id: 0x7f },
        packageName,
        type: types.map(({ name, entries }, type) => ({
          typeId: { id: type + 1 },
          name,
          entry: Object.entries(entries).map(([key, values], index) => ({
            // The default 0 is left out, as a message.
            entryId: index === 0 ? {} : { id: index },
            name: key,
            configValue: values.map(configValueOf),
          })),
        })),
      },
    ],
  });
}

function nodeOf({ name, attributes, children = [] }: XmlElement, isRoot = false): object {
  const given = Object.entries(attributes) as [AttributeName, AttributeValue | undefined][];
  return {
    element: {
      namespaceDeclaration: isRoot ? [{ prefix: 'android', uri: NAMESPACE }] : [],
      name,
      attribute: given.flatMap(([key, value]) => (value === undefined ? [] : [attributeOf(key, value)])),
      child: children.map((child) => nodeOf(child)),
    },
  };
}

function attributeOf(name: AttributeName, value: AttributeValue): object {
  if (name === 'package') return { name, value };
  const base = { namespaceUri: NAMESPACE, name, resourceId: ATTRIBUTES[name] };
  if (typeof value === 'string') return { ...base, value };
  if (typeof value === 'object') return { ...base, compiledItem: { ref: { id: value.reference } } };
  const prim = typeof value === 'number' ? { intDecimalValue: value } : { booleanValue: value };
  return { ...base, compiledItem: { prim } };
}

function configValueOf({ value, density = 0, language = '' }: TableValue): object {
  const item =
    typeof value === 'object'
      ? { ref: { id: value.reference } }
      : value.startsWith('res/')
        ? { file: { path: value, type: 1 } }
        : { str: { value } };
  return { config: { locale: language, density }, value: { item } };
}
