import protobuf from 'protobufjs';
import { WorkBudget } from '../../../common/work-budget.js';
import { parseProtoXml } from './read-aab.js';
import { ATTRIBUTE } from './xml-node.js';

const { root } = protobuf.parse(`
  syntax = "proto3";
  message XmlNode { XmlElement element = 1; }
  message XmlElement { string name = 3; repeated XmlAttribute attribute = 4; }
  message XmlAttribute { uint32 resource_id = 5; Item compiled_item = 6; }
  message Item { Primitive prim = 7; }
  message Primitive { oneof value { int32 int_decimal_value = 6; uint32 int_hexadecimal_value = 7; } }
`);
const xmlNode = root.lookupType('XmlNode');

/** What is read of an element with one number. */
function readNumber(prim: object): unknown {
  const attribute = [{ resourceId: ATTRIBUTE.minSdkVersion, compiledItem: { prim } }];
  const file = xmlNode.encode(xmlNode.fromObject({ element: { name: 'uses-sdk', attribute } })).finish();
  return parseProtoXml(Buffer.from(file), new WorkBudget(10_000)).attributes.get(ATTRIBUTE.minSdkVersion)
    ?.integer;
}

describe('a number in a manifest of an aab', () => {
  it.each([
    [{ intDecimalValue: 23 }, 23],
    [{ intHexadecimalValue: 23 }, 23],
    [{ intDecimalValue: -1 }, -1],
    // The same 32 bits, which no column takes as an unsigned number.
    [{ intHexadecimalValue: 0xffffffff }, -1],
    [{ intHexadecimalValue: 0x80000000 }, -(2 ** 31)],
  ])('%j is %d', (prim, number) => {
    expect(readNumber(prim)).toBe(number);
  });
});
