import { Config } from '../../config/config.js';
import type { Destination } from '../destinations/destination.entity.js';
import type { StoreKeysService } from '../store-keys/store-keys.service.js';
import { GoogleTokens } from '../stores/google-play/google-token.service.js';
import type { StoreCallRequest } from '../stores/store-calls/store-session.js';
import { GooglePlayChecks } from './google-play-checks.service.js';
import { pem } from '../../../test/builders/certificate.js';

it('gives a store little time, because a person waits', async () => {
  const requests: StoreCallRequest[] = [];
  const session = {
    call: (request: StoreCallRequest) => {
      requests.push(request);
      return Promise.resolve({ status: 200, headers: {}, text: '{"access_token": "ya29.token"}' });
    },
  };
  const key = { clientEmail: 'a@example.com', privateKeyPem: pem(), keyId: null };
  const keys = { openGoogleKey: () => Promise.resolve(key) } as unknown as StoreKeysService;
  const config = new Config();
  const destination = {
    appId: 'app',
    googleKeyId: 'key',
    androidPackageName: 'com.example.app',
    googlePlayTrack: 'internal',
  } as Destination;
  const { ok } = await new GooglePlayChecks(config, keys, new GoogleTokens(config)).verify(
    destination,
    session,
  );
  expect(ok).toBe(true);
  expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000, 20_000, 20_000]);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
});
