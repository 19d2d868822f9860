import { type SignIn, signInAfter } from './credential-rules.js';

const cloud: SignIn = {
  provider: 'github',
  authKind: 'token',
  authUsername: null,
  baseUrl: null,
  hasSecret: true,
};
const server: SignIn = {
  provider: 'git_http',
  authKind: 'basic',
  authUsername: 'ada',
  baseUrl: 'https://git.example.com',
  hasSecret: true,
};
const open: SignIn = { ...server, authUsername: null, hasSecret: false };

describe('signInAfter', () => {
  it('keeps what does not change', () => {
    const kept = { authKind: 'token', authUsername: null, baseUrl: null, secret: undefined };
    expect(signInAfter(cloud, 'github', {})).toEqual(kept);
    expect(signInAfter(cloud, 'github', { baseUrl: null, authKind: 'token' })).toEqual(kept);
    expect(signInAfter(server, 'git_http', { password: 'new' })).toMatchObject({
      authUsername: 'ada',
      secret: 'new',
    });
    expect(signInAfter(server, 'git_http', { username: 'bob' })).toMatchObject({
      authUsername: 'bob',
      secret: undefined,
    });
  });

  it('takes a new kind or address with its credential only', () => {
    const baseUrl = 'https://evil.example.com';
    for (const changes of [{ baseUrl }, { baseUrl, authKind: 'token' as const }]) {
      expect(() => signInAfter(cloud, 'github', changes)).toThrow(/^token is required in the same request/);
    }
    expect(signInAfter(cloud, 'github', { baseUrl, token: 'x' })).toMatchObject({ baseUrl, secret: 'x' });
    expect(() => signInAfter(cloud, 'github', { authKind: 'basic' })).toThrow(/^username is required/);
    expect(() => signInAfter(cloud, 'github', { authKind: 'basic', username: 'a' })).toThrow(
      /^password is required/,
    );
    expect(() => signInAfter(server, 'git_http', { baseUrl, password: 'x' })).toThrow(
      /^username is required/,
    );
    expect(() => signInAfter(server, 'git_http', { baseUrl, username: 'a' })).toThrow(
      /^password is required/,
    );
    expect(() => signInAfter(server, 'git_http', { baseUrl })).toThrow(/^username is required/);
    expect(() => signInAfter(server, 'git_http', { authKind: 'token' })).toThrow(/^token is required/);
  });

  it('refuses the credential of the other kind', () => {
    expect(() => signInAfter(cloud, 'github', { password: 'x' })).toThrow(
      /^password belongs to authKind basic/,
    );
    expect(() => signInAfter(cloud, 'github', { username: 'x' })).toThrow(
      /^username belongs to authKind basic/,
    );
    expect(() => signInAfter(server, 'git_http', { token: 'x' })).toThrow(/^token belongs to authKind token/);
  });

  it('needs no credential for git_http, but an address', () => {
    const baseUrl = 'https://git.example.com';
    const none = { authKind: 'basic', authUsername: null, baseUrl, secret: null };
    expect(signInAfter(null, 'git_http', { authKind: 'basic', baseUrl })).toEqual(none);
    expect(signInAfter(open, 'git_http', { baseUrl: 'https://other.example.com' })).toMatchObject({
      secret: null,
    });
    expect(() => signInAfter(null, 'git_http', { authKind: 'basic' })).toThrow(
      /^baseUrl is required for git_http/,
    );
    expect(() => signInAfter(server, 'git_http', { baseUrl: null })).toThrow(
      /^baseUrl is required for git_http/,
    );
    expect(() => signInAfter(null, 'git_http', { authKind: 'basic', baseUrl, username: 'a' })).toThrow(
      'password is required for authKind basic.',
    );
    expect(() => signInAfter(open, 'git_http', { password: 'a' })).toThrow(/^username is required/);
  });

  it('needs the credential of a new connection', () => {
    expect(() => signInAfter(null, 'github', { authKind: 'token' })).toThrow(
      'token is required for authKind token.',
    );
    expect(() => signInAfter(null, 'gitea', { authKind: 'basic' })).toThrow(
      'username is required for authKind basic.',
    );
  });
});
