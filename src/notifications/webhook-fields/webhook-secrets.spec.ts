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

  it('shows only the host of an address that no key opens', () => {
    const host = 'chat.example.com:8443';
    expect(secrets.showUrl({ ...webhook, host })).toBe('https://chat.example.com/hooks/t0ken');
    const other = new WebhookSecrets(new SecretBox([randomBytes(32).toString('base64')]));
    expect(other.showUrl({ ...webhook, host })).toBe('https://chat.example.com:8443/');
  });

  it('makes columns of what a request says, and leaves the others', () => {
    expect(secrets.columnsOf(id, {})).toEqual({});
    const sealed = secrets.columnsOf(id, {
      url: 'https://chat.example.com:8443/a',
      headers: { 'X-B': 'b', Authorization: 'a' },
      signingSecret: 'a new secret',
    });
    expect(sealed).toMatchObject({
      host: 'chat.example.com:8443',
      headerNames: ['Authorization', 'X-B'],
      sealedPreviousSigningSecret: null,
      previousSigningSecretExpiresAt: null,
    });
    expect(secrets.open({ ...webhook, ...(sealed as typeof webhook) }, now)).toEqual({
      url: 'https://chat.example.com:8443/a',
      headers: { 'X-B': 'b', Authorization: 'a' },
      signingSecrets: ['a new secret'],
    });
    expect(secrets.columnsOf(id, { headers: null, signingSecret: null })).toEqual({
      headerNames: [],
      sealedHeaders: null,
      sealedSigningSecret: null,
      sealedPreviousSigningSecret: null,
      previousSigningSecretExpiresAt: null,
    });
    expect(secrets.columnsOf(id, { headers: {} })).toMatchObject({ sealedHeaders: null });
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
