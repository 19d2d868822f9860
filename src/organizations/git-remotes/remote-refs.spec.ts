import { Readable } from 'node:stream';
import { GitServer, hasGit } from '../../../test/support/git/git-server.js';
import { LocalServer } from '../../../test/support/git/local-server.js';
import { localOutbound } from '../../../test/support/git/outbound.js';
import { CredentialsRefusedError, GitServerError } from './git-errors.js';
import { FLUSH, packet } from './pkt-line.js';
import { findRemoteRefs, listRemoteRefs } from './remote-refs.js';

const outbound = localOutbound().of('organization');
const names = ['refs/heads/main', 'refs/tags/v1', 'refs/tags/annotated', 'refs/heads/none'];

// Only a machine without git may skip these.
(hasGit ? describe : describe.skip).each([true, false])(
  'with git itself, version 2: %p',
  (speaksVersion2) => {
    const credentials = 'ada:secret';
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    let git: GitServer;

    beforeAll(async () => {
      git = await GitServer.start({ credentials, speaksVersion2 });
    });
    afterAll(() => git.stop());

    it('finds branches, tags, and the commits of annotated tags', async () => {
      git.create('acme/shop.git');
      const first = git.commit('acme/shop.git', 'main', 'First');
      git.git('acme/shop.git', ['tag', 'v1']);
      git.git('acme/shop.git', [
        '-c',
        'user.name=Ada',
        '-c',
        'user.email=ada@example.com',
        'tag',
        '-m',
        'A',
        'annotated',
      ]);
      const second = git.commit('acme/shop.git', 'main', 'Second');
      git.commit('acme/shop.git', 'main-2', 'Other');

      const refs = await findRemoteRefs(
        outbound,
        { url: `${git.origin}/acme/shop.git`, authorization },
        names,
      );
      expect(refs?.defaultBranch).toBe('main');
      expect(Object.fromEntries(refs?.commits ?? [])).toEqual({
        'refs/heads/main': second,
        'refs/tags/v1': first,
        'refs/tags/annotated': first,
      });
    });

    it('lists refs by how they begin, with the commits of annotated tags', async () => {
      const remote = { url: `${git.origin}/acme/shop.git`, authorization };
      const list = async (...prefixes: string[]) =>
        [...((await listRemoteRefs(outbound, remote, prefixes))?.commits ?? [])].map(([ref]) => ref).sort();
      expect(await list('refs/heads/')).toEqual(['refs/heads/main', 'refs/heads/main-2']);
      expect(await list('refs/heads/main-', 'refs/tags/v')).toEqual(['refs/heads/main-2', 'refs/tags/v1']);
      expect(await list('refs/pull/')).toEqual([]);
      const tags = await listRemoteRefs(outbound, remote, ['refs/tags/']);
      expect(tags?.commits.get('refs/tags/annotated')).toBe(tags?.commits.get('refs/tags/v1'));
    });

    it('finds nothing in an empty repository', async () => {
      git.create('empty.git');
      const refs = await findRemoteRefs(outbound, { url: `${git.origin}/empty.git`, authorization }, names);
      expect(refs?.commits.size).toBe(0);
    });

    it('reads repositories with SHA-256', async () => {
      git.create('sha256.git', '--object-format=sha256');
      const commit = git.commit('sha256.git', 'main', 'First');
      expect(commit).toHaveLength(64);
      const refs = await findRemoteRefs(outbound, { url: `${git.origin}/sha256.git`, authorization }, names);
      expect(refs?.commits.get('refs/heads/main')).toBe(commit);
    });

    it('finds no repository where there is none, or without credentials', async () => {
      const nowhere = { url: `${git.origin}/nowhere.git`, authorization };
      expect(await findRemoteRefs(outbound, nowhere, names)).toBeNull();
      const anonymous = { url: `${git.origin}/acme/shop.git`, authorization: null };
      expect(await findRemoteRefs(outbound, anonymous, names)).toBeNull();
    });

    it('reports refused credentials', async () => {
      const remote = { url: `${git.origin}/acme/shop.git`, authorization: 'Basic wrong' };
      await expect(findRemoteRefs(outbound, remote, names)).rejects.toThrow(CredentialsRefusedError);
    });
  },
);

describe('with other servers', () => {
  it.each([
    ['a page', '<!doctype html>', /does not answer as a git server/],
    ['a redirect', 302, /redirects to another address/],
    ['an error', 500, /answered with the status 500/],
  ])('reports %s', async (_what, answer, message) => {
    const server = await LocalServer.start((_request, response) => {
      if (typeof answer === 'string') response.end(answer);
      else response.writeHead(answer, { location: 'http://169.254.169.254/' }).end();
    });
    const error: unknown = await findRemoteRefs(
      outbound,
      { url: server.origin, authorization: 'Basic x' },
      names,
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GitServerError);
    expect(String(error)).toMatch(message);
    await server.stop();
  });

  it('ignores ids and names that are none', async () => {
    const lines = [
      'x refs/heads/main',
      `${'a'.repeat(39)} refs/heads/main`,
      'refs/heads/main',
      `${'b'.repeat(40)} refs/tags/v1`,
    ];
    const server = await LocalServer.start((_, response) =>
      response.end(
        `${packet('# service=git-upload-pack\n')}0000${lines.map((line) => packet(`${line}\n`)).join('')}0000`,
      ),
    );
    const refs = await findRemoteRefs(outbound, { url: server.origin, authorization: null }, names);
    expect([...(refs?.commits ?? [])]).toEqual([['refs/tags/v1', 'b'.repeat(40)]]);
    await server.stop();
  });

  /** A server that answers with one packet many times, and then with the others. */
  async function repeating(
    repeated: Buffer,
    times: number,
    ...last: string[]
  ): Promise<Awaited<ReturnType<typeof findRemoteRefs>>> {
    const server = await LocalServer.start((_, response) => {
      response.write(`${packet('# service=git-upload-pack\n')}${FLUSH}`);
      const piece = Buffer.concat(Array.from({ length: 1000 }, () => repeated));
      Readable.from(
        (function* () {
          for (let sent = 0; sent < times; sent += 1000) yield piece;
          yield Buffer.from(`${last.map((line) => packet(`${line}\n`)).join('')}${FLUSH}`);
        })(),
      ).pipe(response);
    });
    try {
      return await findRemoteRefs(outbound, { url: server.origin, authorization: null }, names);
    } finally {
      await server.stop();
    }
  }
  const other = Buffer.from(packet(`${'a'.repeat(40)} refs/pull/12345/head\n`));
  const main = `${'b'.repeat(40)} refs/heads/main`;

  it('finds one ref among half a million, of a server that lists them all', async () => {
    const refs = await repeating(other, 500_000, main);
    expect([...(refs?.commits ?? [])]).toEqual([['refs/heads/main', 'b'.repeat(40)]]);
  });

  it.each([
    ['flushes', FLUSH],
    ['empty packets', '0004'],
    ['refs that were asked for', packet(main)],
    ['other lines', packet('refs')],
  ])('refuses many %s', async (_what, repeated) => {
    await expect(repeating(Buffer.from(repeated), 201_000, main)).rejects.toThrow(
      /does not answer as a git server/,
    );
    expect((await repeating(Buffer.from(repeated), 199_000, main))?.commits.size).toBe(1);
  });
});
