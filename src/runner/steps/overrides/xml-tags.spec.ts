import { attributeOf, tagsOf } from './xml-tags.js';
import { xmlText } from './xml-text.js';

describe('tagsOf', () => {
  it('finds tags and the places of their attributes, and no comments', () => {
    const xml = `<?xml version="1.0"?><!-- <a/> --><a b = "1 > 0" c='2'><![CDATA[<d>]]><e /></a>`;
    const tags = [...tagsOf(xml)];
    expect(tags.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'open'],
      ['e', 'empty'],
      ['a', 'close'],
    ]);
    const b = attributeOf(tags[0]!, 'b');
    expect(xml.slice(b?.start, b?.end)).toBe('1 > 0');
    expect(attributeOf(tags[0]!, 'c')?.value).toBe('2');
  });

  it.each(['<a', '<', '<a b="', '<!--', '<a b=', '<a "', '<a/', '<a b=\'"'])(
    'ends soon for many times %j',
    (part) => {
      const tags = [...tagsOf(part.repeat(200_000))];
      expect(tags.length).toBeLessThan(200_000);
    },
  );
});

it('writes texts for XML', () => {
  expect(xmlText(`<a b="c">'&\u0000\u{1F600}`)).toBe('&lt;a b=&quot;c&quot;&gt;&apos;&amp;\u{1F600}');
});
