import { Injectable } from '@nestjs/common';
import { SignatureVerifier } from '../bundle-content/signatures.js';
import { DeploymentsQueries } from './deployments.queries.js';

@Injectable()
export class DeployableBundlesService {
  constructor(private readonly queries: DeploymentsQueries) {}

  /**
   * The bundle of a web build; `null` until it is ready.
   *
   * @returns `signed`: whether it is signed, with keys that the app has now if it has any
   */
  async find(appId: string, buildId: string): Promise<{ signed: boolean } | null> {
    const bundle = await this.queries.readyBundle(buildId);
    if (bundle === null) return null;
    return { signed: bundle.signed && (await this.isVerified(appId, bundle.id)) };
  }

  /** The bundle may have been signed before the app had these keys. */
  private async isVerified(appId: string, bundleId: string): Promise<boolean> {
    const keys = await this.queries.publicKeys(appId);
    if (keys.length === 0) return true;
    const files = await this.queries.signedFiles(bundleId);
    const known = files.flatMap(({ sha256, signature }) => (sha256 === null ? [] : [{ sha256, signature }]));
    if (known.length < files.length) return false;
    return (await new SignatureVerifier(keys).findInvalid(known)).length === 0;
  }
}
