import { fitData, MAX_DATA_BYTES } from './events.service.js';

it('keeps data that is small enough', () => {
  const data = { message: 'a', list: ['b'], at: new Date(0) };
  expect(fitData(data)).toBe(data);
});

it('cuts the longest texts only, and marks them', () => {
  const fitted = fitData({
    name: 'Production',
    notes: '€'.repeat(100_000),
    of: [{ log: 'x'.repeat(70_000) }],
  });
  expect(fitted.name).toBe('Production');
  expect(fitted.notes).toMatch(/^€+… \(cut, 100000 characters\)$/);
  expect(fitted.of[0]?.log).toMatch(/^x+… \(cut, 70000 characters\)$/);
  expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThanOrEqual(MAX_DATA_BYTES);
});

it('leaves no half of a character', () => {
  expect(JSON.stringify(fitData({ text: 'a' + '😀'.repeat(50_000) }))).not.toMatch(/\\ud[89ab]/i);
});

it('mends texts that the database cannot store', () => {
  const message = '😀'.repeat(500).slice(0, 999);
  const data = { message, list: ['a\0b'], path: 'C:\\ud83d' };
  expect(fitData(data)).toEqual({
    message: `${'😀'.repeat(499)}\uFFFD`,
    list: ['ab'],
    path: 'C:\\ud83d',
  });
});

it('cuts many texts that are long as JSON', () => {
  const notes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, '\u0001'.repeat(4000)]));
  expect(Buffer.byteLength(JSON.stringify(fitData({ notes })))).toBeLessThanOrEqual(MAX_DATA_BYTES);
});

it('refuses data that is large without long texts', () => {
  expect(() => fitData(Array.from({ length: 50_000 }, (_, i) => i))).toThrow('too large');
});
