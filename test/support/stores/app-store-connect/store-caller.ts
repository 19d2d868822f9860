import { ConnectCaller, type ConnectResponse } from './connect-caller.ts';

type Related = Readonly<Record<string, readonly [type: string, id: string]>>;

/** Calls the API for the App Store as a client does. */
export class StoreCaller extends ConnectCaller {
  /** `POST /v1/<type>`. @param related types and ids by the name of the relationship */
  create(type: string, attributes: object, related: Related): Promise<ConnectResponse> {
    const relationships = Object.fromEntries(
      Object.entries(related).map(([name, [of, id]]) => [name, { data: { type: of, id } }]),
    );
    return this.call('POST', `/${type}`, { data: { type, attributes, relationships } });
  }

  /** `PATCH /v1/<type>/<id>`. */
  update(type: string, id: string, attributes: object): Promise<ConnectResponse> {
    return this.call('PATCH', `/${type}/${id}`, { data: { type, id, attributes } });
  }

  createVersion(appId: string, versionString: string, attributes: object = {}): Promise<ConnectResponse> {
    const all = { platform: 'IOS', versionString, ...attributes };
    return this.create('appStoreVersions', all, { app: ['apps', appId] });
  }

  attachBuild(versionId: string, buildId: string): Promise<ConnectResponse> {
    const data = { type: 'builds', id: buildId };
    return this.call('PATCH', `/appStoreVersions/${versionId}/relationships/build`, { data });
  }

  createPhasedRelease(versionId: string): Promise<ConnectResponse> {
    const related = { appStoreVersion: ['appStoreVersions', versionId] } as const;
    return this.create('appStoreVersionPhasedReleases', {}, related);
  }

  createReview(appId: string, platform = 'IOS'): Promise<ConnectResponse> {
    return this.create('reviewSubmissions', { platform }, { app: ['apps', appId] });
  }

  async addItem(submissionId: string, versionId: string): Promise<ConnectResponse> {
    return this.create(
      'reviewSubmissionItems',
      {},
      {
        reviewSubmission: ['reviewSubmissions', submissionId],
        appStoreVersion: ['appStoreVersions', versionId],
      },
    );
  }

  submit(submissionId: string): Promise<ConnectResponse> {
    return this.update('reviewSubmissions', submissionId, { submitted: true });
  }

  cancel(submissionId: string): Promise<ConnectResponse> {
    return this.update('reviewSubmissions', submissionId, { canceled: true });
  }

  release(versionId: string): Promise<ConnectResponse> {
    const related = { appStoreVersion: ['appStoreVersions', versionId] } as const;
    return this.create('appStoreVersionReleaseRequests', {}, related);
  }

  /** `appVersionState`. */
  async stateOf(versionId: string): Promise<unknown> {
    const { data } = (await this.call('GET', `/appStoreVersions/${versionId}`)).body;
    return data.attributes['appVersionState'];
  }
}
