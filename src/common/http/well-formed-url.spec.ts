import type { Request, Response } from 'express';
import { isNormalPath, isWellFormedUrl, wellFormedUrl } from './well-formed-url.middleware.js';

const passes = (originalUrl: string): boolean => {
  let passed = false;
  try {
    const path = originalUrl.split('?', 1)[0];
    wellFormedUrl({ originalUrl, path, method: 'GET' } as Request, {} as Response, () => (passed = true));
  } catch {
    return false;
  }
  return passed;
};

const id = '7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11';

describe('an address', () => {
  it.each(['/v1/apps', '/v1/apps?query=%C3%BC', '/%41', `/v1/apps/${id}/bundles/latest?osVersion=%00`])(
    'such as %s passes',
    (url) => {
      expect(passes(url)).toBe(true);
    },
  );

  it.each([
    '/v1/apps?query=%00',
    '/v1/apps/%00',
    '/v1/apps?query=%ff',
    '/%',
    `/v1/apps/${id}/bundles/latest?osVersion=%ff`,
    `/v1/apps/%00/bundles/latest?platform=0`,
    `/v1/apps/${id}/bundles/latest%00?platform=0`,
    `/v1/apps/${id}/bundles/latest/download?href=%00`,
  ])('such as %s is refused', (url) => {
    expect(passes(url)).toBe(false);
  });

  it('with a NUL character is not well-formed, whatever its route does with it', () => {
    expect(isWellFormedUrl(`/v1/apps/${id}/bundles/latest?osVersion=%00`)).toBe(false);
  });
});

describe('a path', () => {
  it.each([
    '/',
    '/v1/apps',
    '/docs/start.js',
    '/v1/apps/a.b',
    '/v1/apps/..a',
    '/v1/apps/%252e%252e',
    '/a%20b',
  ])('such as %s is the one that it seems to be', (path) => {
    expect(isNormalPath(path)).toBe(true);
  });

  it.each([
    '/v1/apps/',
    '/v1//apps',
    '//example.com',
    '/\\example.com',
    '/v1/apps/.',
    '/v1/apps/..',
    '/v1/apps/%2e',
    '/v1/apps/%2E%2e',
    '/v1/apps/.%2e/a',
    '/v1/apps/..%2f',
    '/v1/apps/a%2f..%2fb',
    '/v1/apps/%5c',
    '/v1/apps/..%5Ca',
    '/v1/apps/..\\a',
    'v1/apps',
  ])('such as %s is refused', (path) => {
    expect(isNormalPath(path)).toBe(false);
  });

  it.each([
    ['GET', '/docs/?a=%2F', '/docs?a=%2F'],
    ['HEAD', '/join/abc/', '/join/abc'],
    ['POST', '/join/abc/', null],
    ['GET', '/v1/apps/', null],
    ['GET', '/V1/', null],
    ['GET', '//example.com/', null],
    ['GET', '/\\example.com/', null],
    ['GET', '/docs//', null],
  ])('%s %s leads to %s', (method, originalUrl, target) => {
    const redirected: unknown[] = [];
    const request = { originalUrl, path: originalUrl.split('?', 1)[0], method } as Request;
    const response = { redirect: (...args: unknown[]) => redirected.push(args) } as unknown as Response;
    const visit = (): void => wellFormedUrl(request, response, () => redirected.push('passed'));
    if (target === null) expect(visit).toThrow('Resource not found.');
    else visit();
    expect(redirected).toEqual(target === null ? [] : [[308, target]]);
  });
});
