import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './lock.ts';

/** Hosts that devices of the suite may ask: Slipway, where 6.x has its server hard-coded, and an object storage. */
const HOSTS = ['slipway.test', 'api.cloud.capawesome.io', 'store.test'];
const PASSWORD = 'changeit';

/** What TLS of the suite needs. */
export interface SuiteCertificate {
  readonly hosts: readonly string[];
  /** PKCS #12 with the key and the certificate of the server, which only the suite trusts. */
  readonly keyStore: string;
  /** PKCS #12 with what devices trust. */
  readonly trustStore: string;
  readonly password: string;
}

/** Makes the certificate, unless it exists. */
export function prepareCertificate(): SuiteCertificate {
  const folder = join(cacheFolder, 'certificate');
  const keyStore = join(folder, 'server.p12');
  const trustStore = join(folder, 'trusted.p12');
  if (!existsSync(folder)) {
    const fresh = `${folder}.new`;
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    const names = HOSTS.map((host) => `dns:${host}`).join(',');
    keytool(
      fresh,
      'server.p12',
      ['-genkeypair', '-alias', 'server', '-keyalg', 'EC', '-groupname', 'secp256r1'],
      ['-dname', 'CN=Slipway tests', '-ext', `san=${names}`, '-validity', '3650'],
    );
    keytool(fresh, 'server.p12', ['-exportcert', '-alias', 'server', '-file', join(fresh, 'server.der')]);
    keytool(fresh, 'trusted.p12', [
      '-importcert',
      '-noprompt',
      '-alias',
      'server',
      '-file',
      join(fresh, 'server.der'),
    ]);
    renameSync(fresh, folder);
  }
  return { hosts: HOSTS, keyStore, trustStore, password: PASSWORD };
}

function keytool(
  folder: string,
  store: string,
  command: readonly string[],
  more: readonly string[] = [],
): void {
  const options = ['-keystore', join(folder, store), '-storetype', 'PKCS12', '-storepass', PASSWORD];
  const { status, stdout } = spawnSync('keytool', [...command, ...options, ...more], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`keytool failed: ${stdout}`);
}
