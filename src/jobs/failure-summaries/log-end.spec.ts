import { readLogEnd, toText } from './log-end.js';

const entries = (...payloads: string[]) =>
  payloads.map((payload, index) => ({ jobId: '', number: index + 1, payload, timestamp: '' }));

it('shows lines as a terminal does in the end', () => {
  expect(toText('\x1b[31m[vite]: \x1b[38;5;249mi\x1b[0mmport\x1b[39m')).toBe('[vite]: import');
  expect(toText('10%\r20%\r\x1b[2K100%\r')).toBe('100%');
  expect(toText('\x1b]0;a title\uFFFDtext')).toBe('text');
  expect(toText('\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\')).toBe('link');
  expect(toText('a\tb\b\x85\u202ec  ')).toBe('a  bc');
  expect(toText('x'.repeat(16_384))).toHaveLength(500);
});

it('keeps the last lines that are not empty, over all chunks', () => {
  const many = Array.from({ length: 600 }, (_, index) => `line ${index}\n  \n`).join('');
  const { lines } = readLogEnd(entries('first', many, 'last'), 1);
  expect(lines).toHaveLength(500);
  expect(lines.slice(-2)).toEqual(['line 599', 'last']);
});

it('keeps only the last attempt', () => {
  const log = entries('before', 'The runner was lost. Attempt 2 follows.', 'after');
  expect(readLogEnd(log, 2).lines).toEqual(['after']);
  // A build can print the same.
  expect(readLogEnd(log, 1).lines).toHaveLength(3);
});

it('notices that the end is missing', () => {
  const log = entries('text\nThe log is longer than 4,000,000 bytes. The rest is not kept.');
  expect(readLogEnd(log, 1)).toEqual({ lines: ['text'], isCut: true });
});

it('reads a bounded part of a log of empty lines', () => {
  const chunk = '\n'.repeat(65_536);
  expect(readLogEnd(entries('error', ...Array.from({ length: 60 }, () => chunk)), 1).lines).toEqual([]);
});
