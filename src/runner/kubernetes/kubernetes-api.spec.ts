import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubernetesApi, KubernetesError } from './kubernetes-api.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-kubernetes-'));
const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'ca.crt')];
const hasOpenssl =
  spawnSync('openssl', [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=kubernetes'.split(
      ' ',
    ),
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    certificate,
  ]).status === 0;

let server: Server;
let seen: string[];

afterAll(() => rmSync(folder, { recursive: true }));

(hasOpenssl ? describe : describe.skip)('the API of a cluster', () => {
  beforeEach(async () => {
    seen = [];
    server = createServer(
      { key: readFileSync(key), cert: readFileSync(certificate) },
      (request, response) => {
        seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        response.end('{"metadata":{"name":"a","uid":"b"}}');
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    writeFileSync(join(folder, 'namespace'), 'builds\n');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const api = (accountFolder = folder): KubernetesApi =>
    new KubernetesApi({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, accountFolder });

  it('is trusted by the certificate of the service account, and gets its current token', async () => {
    writeFileSync(join(folder, 'token'), 'first\n');
    expect((await api().create('batch/v1/jobs', {})).metadata).toEqual({ name: 'a', uid: 'b' });
    writeFileSync(join(folder, 'token'), 'second\n');
    await api().delete('v1/secrets', 'a');
    expect(seen).toEqual([
      'POST /apis/batch/v1/namespaces/builds/jobs Bearer first',
      'DELETE /api/v1/namespaces/builds/secrets/a?propagationPolicy=Background Bearer second',
    ]);
  });

  it('gets nothing when its certificate is of another authority', async () => {
    const other = mkdtempSync(join(tmpdir(), 'slipway-kubernetes-'));
    const error = await api(other)
      .create('v1/secrets', {})
      .catch((reason: unknown) => reason);
    rmSync(other, { recursive: true });
    expect(error).toBeInstanceOf(KubernetesError);
    expect(error).toMatchObject({ status: 0, message: expect.stringContaining('self-signed certificate') });
    expect(seen).toEqual([]);
  });
});
