import { newLimits } from '../../../test/support/limits.js';
import { Config } from '../../config/config.js';
import type { Outbound, OutboundRequest } from '../../common/http/outbound/outbound.js';
import type { Destination } from '../destinations/destination.entity.js';
import type { DestinationsService } from '../destinations/destinations.service.js';
import type { StoreKeysService } from '../store-keys/store-keys.service.js';
import { AppStoreConnect } from '../app-store-connect/api/app-store-connect-client.js';
import type { CallBudget } from '../app-store-connect/rate-limits/call-budget.service.js';
import { GoogleTokens } from '../google-play/api/google-token.service.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import type { SubmissionRequestsService } from '../submission-requests/submission-requests.service.js';
import { AppStoreConnectChecks } from './app-store-connect-checks.service.js';
import { DestinationChecksService } from './destination-checks.service.js';
import { GooglePlayChecks } from './google-play-checks.service.js';
import type { SubmissionsService } from '../submissions/submissions.service.js';
import { appleKeyFile } from '../../../test/builders/store-key.js';
import { pem } from '../../../test/builders/certificate.js';

/** The requests of a verification, when a store gives the same answer to each. */
async function requestsOf(answer: string, values: Partial<Destination>): Promise<OutboundRequest[]> {
  const requests: OutboundRequest[] = [];
  const calls = {
    request: (request: OutboundRequest) => {
      requests.push(request);
      return Promise.resolve({ status: 200, headers: {}, text: () => answer });
    },
  };
  const outbound = { of: () => calls } as unknown as Outbound;
  const key = { clientEmail: 'a@example.com', privateKeyPem: pem(), keyId: null };
  const keys = {
    openGoogleKey: () => Promise.resolve(key),
    openAppleKey: () => Promise.resolve(appleKeyFile),
  } as unknown as StoreKeysService;
  const destination = { id: 'destination', appId: 'app', ...values } as Destination;
  const destinations = { get: () => Promise.resolve(destination) } as unknown as DestinationsService;
  const submissions = { lastPackageOf: () => Promise.resolve(null) } as unknown as SubmissionsService;
  const budget = {
    take: () => Promise.resolve(),
    learn: () => Promise.resolve(),
  } as unknown as CallBudget;
  const config = new Config();
  const checks = new DestinationChecksService(
    destinations,
    new StoreCalls(config, outbound, {} as SubmissionRequestsService),
    new GooglePlayChecks(config, keys, new GoogleTokens(config)),
    new AppStoreConnectChecks(keys, submissions, new AppStoreConnect(config, budget)),
    newLimits(),
  );
  const { ok } = await checks.verify({ id: 'app', organizationId: 'organization' }, 'destination');
  expect(ok).toBe(true);
  return requests;
}

describe('gives a store little time, because a person waits:', () => {
  it('Google Play', async () => {
    const requests = await requestsOf('{"access_token": "ya29.token"}', {
      type: 'google-play',
      googleKeyId: 'key',
      androidPackageName: 'com.example.app',
      googlePlayTrack: 'internal',
    });
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000, 20_000, 20_000]);
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });

  it('App Store Connect', async () => {
    const requests = await requestsOf('{"data": [{"type": "apps", "id": "1", "attributes": {}}]}', {
      type: 'apple-app-store-connect',
      appleKeyFileId: 'key',
      appleApiKeyId: '2X9R4HXF34',
      appleIssuerId: null,
      appleAppId: null,
      appleId: null,
      appleSubmitForReview: false,
      appleBetaGroups: [],
    });
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000]);
  });
});
