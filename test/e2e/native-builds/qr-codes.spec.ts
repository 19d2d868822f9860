import { decode } from 'fast-png';
import type { Response } from 'supertest';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectInvalid } from '../../support/http/expect-error.js';

const anonymous = new Api(testEnvironment().origin, null);
const imageOf = (query: string): Promise<Response> =>
  Promise.resolve(anonymous.request('get', `/v1/qrcodes?${query}`).buffer(true).responseType('blob'));
const content = (text: string): string => `content=${encodeURIComponent(text)}`;

describe('a QR code', () => {
  it('is a PNG that caches may keep, at the address that the command-line tool prints', async () => {
    const response = await imageOf(`${content('https://slipway.example.com/app-build-shares/1')}&format=png`);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    const bytes = response.body as Buffer;
    expect(response.headers['content-length']).toBe(String(bytes.length));
    const again = anonymous.request('get', `/v1/qrcodes?${content('a')}`);
    const { headers } = await imageOf(content('a'));
    expect((await again.set('If-None-Match', headers['etag'] ?? '')).status).toBe(304);
    const { width, height } = decode(bytes);
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(512);
  });

  it.each([['1'], ['x'.repeat(1000)], ['ü'.repeat(1000)], ['<svg onload=alert(1)>'], ['a\nb']])(
    'holds %j',
    async (text) => {
      expect((await imageOf(content(text))).status).toBe(200);
      expect((await imageOf(`${content(text)}&format=`)).status).toBe(200);
    },
  );

  it.each([
    ['no content', '', 'content'],
    ['empty content', 'content=', 'content'],
    ['content of 1,001 characters', content('x'.repeat(1001)), 'content'],
    ['content that does not fit', content('😀'.repeat(1000)), 'content'],
    ['content that is given twice', 'content=a&content=b', 'content'],
    ['content that is an object', 'content[a]=b', 'content'],
    ['another format', `${content('a')}&format=svg`, 'format'],
  ])('is refused with %s', async (_what, query, field) => {
    expectInvalid(await anonymous.get(`/v1/qrcodes?${query}`), field);
  });

  it.each([20_000, 3_000_000])(
    'is refused with content of %d characters, before it is read',
    async (length) => {
      // The server closes the connection at the longest request line, which the client may see before the answer.
      const status = await anonymous.request('get', `/v1/qrcodes?${content('x'.repeat(length))}`).then(
        (response) => response.status,
        (error: { code?: string }) => error.code,
      );
      expect([431, 'ECONNRESET', 'EPIPE']).toContain(status);
      expect((await imageOf(content('a'))).status).toBe(200);
    },
  );
});
