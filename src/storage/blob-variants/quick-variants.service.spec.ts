import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Limits } from '../../common/background/limits.js';
import { ServerBusyError } from '../../common/errors/app-error.js';
import type { Config } from '../../config/config.js';
import type { BlobVariantsQueries } from './blob-variants.queries.js';
import { QuickVariantsService } from './quick-variants.service.js';
import type { VariantMaker } from './variant-maker.js';

afterEach(() => jest.restoreAllMocks());

it('leaves files without a turn to the background, and does not let the publication fail', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const made: string[] = [];
  const queries = {
    request: () => Promise.resolve(),
    pending: (ids: string[]) =>
      Promise.resolve(ids.map((id) => ({ id, organizationId: id, encoding: 'br' }))),
  };
  const maker = { make: ({ id }: { id: string }) => Promise.resolve(made.push(id)) };
  const run = (_name: string, tenantId: string, work: () => Promise<unknown>): Promise<unknown> =>
    tenantId === 'busy' ? Promise.reject(new ServerBusyError()) : work();
  const service = new QuickVariantsService(
    {} as Config,
    queries as unknown as BlobVariantsQueries,
    maker as unknown as VariantMaker,
    { run } as unknown as Limits,
  );
  await service.make(['busy', 'other'], new AbortController().signal);
  expect(made).toEqual(['other']);
  expect(warn).not.toHaveBeenCalled();
});
