import { keepsToken } from './download-redirects.service.js';

it.each([
  ['https://slipway.example.com', 'https://slipway.example.com/bucket/key', true],
  ['https://slipway.example.com', 'https://s3.slipway.example.com/key', true],
  ['https://slipway.example.com:443', 'https://SLIPWAY.example.com/key', true],
  ['https://slipway.example.com', 'https://s3.example.com/key', false],
  ['https://slipway.example.com', 'https://other-slipway.example.com/key', false],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:8333/key', false],
])('from %s to %s: %s', (from, to, expected) => {
  expect(keepsToken(from, to)).toBe(expected);
});
