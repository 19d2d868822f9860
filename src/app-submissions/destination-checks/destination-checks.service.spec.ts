import { Config } from '../../config/config.js';
import type { Outbound, OutboundRequest } from '../../common/http/outbound/outbound.js';
import type { Destination } from '../destinations/destination.entity.js';
import type { DestinationsService } from '../destinations/destinations.service.js';
import type { StoreKeysService } from '../store-keys/store-keys.service.js';
import { GoogleTokens } from '../stores/google-play/google-token.service.js';
import { StoreCalls } from '../stores/store-calls/store-calls.service.js';
import type { SubmissionRecorder } from '../submission-requests/submission-recorder.js';
import { DestinationChecksService } from './destination-checks.service.js';
import { GooglePlayChecks } from './google-play-checks.service.js';
import { pem } from '../../../test/builders/certificate.js';

it('gives a store little time, because a person waits', async () => {
  const requests: OutboundRequest[] = [];
  const calls = {
    request: (request: OutboundRequest) => {
      requests.push(request);
      return Promise.resolve({ status: 200, headers: {}, text: () => '{"access_token": "ya29.token"}' });
    },
  };
  const outbound = { of: () => calls } as unknown as Outbound;
  const key = { clientEmail: 'a@example.com', privateKeyPem: pem(), keyId: null };
  const keys = { openGoogleKey: () => Promise.resolve(key) } as unknown as StoreKeysService;
  const destination = {
    appId: 'app',
    type: 'google-play',
    googleKeyId: 'key',
    androidPackageName: 'com.example.app',
    googlePlayTrack: 'internal',
  } as Destination;
  const destinations = { get: () => Promise.resolve(destination) } as unknown as DestinationsService;
  const config = new Config();
  const checks = new DestinationChecksService(
    destinations,
    new StoreCalls(config, outbound, {} as SubmissionRecorder),
    new GooglePlayChecks(config, keys, new GoogleTokens(config)),
  );
  const { ok } = await checks.verify({ id: 'app', organizationId: 'organization' }, 'destination');
  expect(ok).toBe(true);
  expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000, 20_000, 20_000]);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
});
