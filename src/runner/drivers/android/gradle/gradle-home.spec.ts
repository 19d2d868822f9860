import { heapOf, propertyText } from './gradle-home.js';

it.each([
  ['plain-Text_1', 'plain-Text_1'],
  ['a b', 'a\\ b'],
  ['a=b:c#d!', 'a\\=b\\:c\\#d\\!'],
  ['back\\slash', 'back\\\\slash'],
  ['two\nlines', 'two\\u000alines'],
  ['é\u{1F600}', '\\u00e9\\ud83d\\ude00'],
])('writes %j into a file of properties', (text, expected) => expect(propertyText(text)).toBe(expected));

it.each([
  [4096, 2048],
  [64, 256],
])('gives Gradle of %i MiB %i', (memory, heap) => expect(heapOf(memory)).toBe(heap));
