import type { Request, Response } from 'express';
import { isWellFormedUrl, wellFormedUrl } from './well-formed-url.middleware.js';

const passes = (originalUrl: string): boolean => {
  let passed = false;
  try {
    wellFormedUrl({ originalUrl } as Request, {} as Response, () => (passed = true));
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
