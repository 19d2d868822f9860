import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { WebhookSecrets } from './webhook-secrets.js';

describe('secrets of webhooks', () => {
  const secrets = new WebhookSecrets(new SecretBox([randomBytes(32).toString('base64')]));
  const id = '0197a000-0000-7000-8000-000000000001';
  const now = new Date('2026-06-01T12:00:00.000Z');
  const webhook = {
    id,
    sealedUrl: secrets.seal(id, 'https://chat.example.com/hooks/t0ken'),
    sealedHeaders: null,
    sealedSigningSecret: null,
    sealedPreviousSigningSecret: null,
    previousSigningSecretExpiresAt: null,
  };

  it('opens what only the webhook itself may use', () => {
    expect(secrets.open(webhook, now)).toEqual({
      url: 'https://chat.example.com/hooks/t0ken',
      headers: {},
      signingSecrets: [],
    });
    const sealedHeaders = secrets.seal(id, JSON.stringify({ Authorization: 'Bearer t0ken' }));
    expect(secrets.open({ ...webhook, sealedHeaders }, now).headers).toEqual({
      Authorization: 'Bearer t0ken',
    });
    const other = '0197a000-0000-7000-8000-000000000002';
    expect(() => secrets.open({ ...webhook, id: other }, now)).toThrow(/authenticate/);
  });

  it('signs with the previous secret until it expires', () => {
    const rotated = {
      ...webhook,
      sealedSigningSecret: secrets.seal(id, 'the new secret'),
      sealedPreviousSigningSecret: secrets.seal(id, 'the old secret'),
      previousSigningSecretExpiresAt: new Date('2026-06-01T12:00:00.001Z'),
    };
    expect(secrets.open(rotated, now).signingSecrets).toEqual(['the new secret', 'the old secret']);
    expect(secrets.open(rotated, rotated.previousSigningSecretExpiresAt).signingSecrets).toEqual([
      'the new secret',
    ]);
  });
});
