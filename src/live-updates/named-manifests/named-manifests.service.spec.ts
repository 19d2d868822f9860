import { newLimits } from '../../../test/support/limits.js';
import type { Limits } from '../../common/background/limits.js';
import { DamagedFileError, ServerBusyError } from '../../common/errors/app-error.js';
import { NamedManifestsService } from './named-manifests.service.js';
import type { BundleKey, NamedManifestsQueries } from './named-manifests.queries.js';

/** Organizations whose manifests were read, one entry each. */
const began: string[] = [];
const release = Promise.withResolvers<never>();

/** The service without a database. The app's id is that of its organization, and storage does not answer. */
function service(limits: Limits = newLimits()): NamedManifestsService {
  const queries = {
    uploadedManifest: ({ appId }: BundleKey) => Promise.resolve({ organizationId: appId }),
  } as unknown as NamedManifestsQueries;
  const blobs = {
    open: ({ organizationId }: { organizationId: string }) => {
      began.push(organizationId);
      return release.promise;
    },
  };
  const checks = { verify: () => Promise.resolve() };
  const none = {};
  return new NamedManifestsService(
    ...([queries, none, none, blobs, checks, none, none, none, limits] as unknown as ConstructorParameters<
      typeof NamedManifestsService
    >),
  );
}

it('makes manifests of another organization while those of the first one are held', async () => {
  const manifests = service();
  const keys = ['a', 'a', 'b'].map((appId, n) => ({ appId, bundleId: String(n) }));
  const ends = keys.map((key) => manifests.create(key).catch((error: unknown) => error));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(began).toEqual(['a', 'b']);
  release.reject(new Error('The storage is away.'));
  await Promise.all(ends);
  expect(began).toEqual(['a', 'b', 'a']);
});

it('says that the file is damaged when its account gets no turn: a device asks, and gets no 429', async () => {
  const busy = { run: () => Promise.reject(new ServerBusyError()) } as unknown as Limits;
  const making = service(busy).create({ appId: 'a', bundleId: '1' });
  await expect(making).rejects.toBeInstanceOf(DamagedFileError);
});
