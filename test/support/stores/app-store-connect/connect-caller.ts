import { importPKCS8, type JWTPayload, SignJWT } from 'jose';
import type { ApiKeyFile } from './api-keys.ts';
import type { AppStoreConnect } from './app-store-connect.ts';
import type { UploadOperation } from './state/uploads.ts';

/** A response of the stand-in. */
export interface ConnectResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What tests read of it; an empty object unless it is JSON. */
  readonly body: ConnectBody;
}

/** The members of all documents. */
interface ConnectBody {
  readonly data: ConnectData & readonly ConnectData[];
  readonly included: readonly ConnectData[];
  readonly links: { readonly next: string };
  readonly meta: { readonly paging: { readonly total: number } };
  readonly errors?: readonly {
    readonly code: string;
    readonly detail: string;
    readonly source?: { readonly pointer?: string; readonly parameter?: string };
    readonly meta: object;
  }[];
}

interface ConnectData {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly state: { readonly state: string; readonly errors: readonly { readonly code: string }[] };
    readonly uploadOperations: readonly UploadOperation[];
  };
  readonly relationships: Readonly<Record<string, { readonly data: { readonly id: string } | null }>>;
}

/** Calls the API as a client does, with nothing of Slipway: it tests the stand-in. */
export class ConnectCaller {
  private readonly connect: Pick<AppStoreConnect, 'url'>;
  private readonly key: ApiKeyFile;

  constructor(connect: Pick<AppStoreConnect, 'url'>, key: ApiKeyFile) {
    this.connect = connect;
    this.key = key;
  }

  /** A token. @param claims instead of the usual ones; `undefined` leaves one out */
  async token(claims: JWTPayload = {}, header: { kid?: string } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const { keyId, issuerId, p8 } = this.key;
    const issuer = issuerId === null ? { sub: 'user' } : { iss: issuerId };
    const payload = { ...issuer, aud: 'appstoreconnect-v1', iat: now, exp: now + 600, ...claims };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: keyId, ...header })
      .sign(await importPKCS8(p8, 'ES256'));
  }

  /** @param path from `/v1` on, with its query */
  async call(method: string, path: string, body?: object | string, token?: string): Promise<ConnectResponse> {
    return read(
      await fetch(`${this.connect.url}/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token ?? (await this.token())}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        redirect: 'manual',
      }),
    );
  }

  /** Announces a build. */
  createUpload(
    appId: string,
    version: string,
    buildNumber: string,
    platform = 'IOS',
  ): Promise<ConnectResponse> {
    return this.call('POST', '/buildUploads', {
      data: {
        type: 'buildUploads',
        attributes: { cfBundleShortVersionString: version, cfBundleVersion: buildNumber, platform },
        relationships: { app: { data: { type: 'apps', id: appId } } },
      },
    });
  }

  /** Announces the file of a build. */
  createFile(uploadId: string, fileSize: number): Promise<ConnectResponse> {
    return this.call('POST', '/buildUploadFiles', {
      data: {
        type: 'buildUploadFiles',
        attributes: { assetType: 'ASSET', fileName: 'app.ipa', fileSize, uti: 'com.apple.ipa' },
        relationships: { buildUpload: { data: { type: 'buildUploads', id: uploadId } } },
      },
    });
  }

  /** Sends a part as its operation says. */
  async sendPart(
    operation: UploadOperation,
    bytes: Buffer,
    init: RequestInit = {},
  ): Promise<ConnectResponse> {
    const { method, url, offset, length, requestHeaders } = operation;
    const part = bytes.subarray(offset, offset + length);
    const headers = Object.fromEntries(requestHeaders.map(({ name, value }) => [name, value]));
    return read(await fetch(url, { method, headers, body: new Uint8Array(part), ...init }));
  }

  commit(fileId: string): Promise<ConnectResponse> {
    return this.call('PATCH', `/buildUploadFiles/${fileId}`, {
      data: { type: 'buildUploadFiles', id: fileId, attributes: { uploaded: true } },
    });
  }

  /** Sends a file as a build, as far as the commit. @returns the id of the upload */
  async deliver(appId: string, version: string, buildNumber: string, bytes: Buffer): Promise<string> {
    const { id } = (await this.createUpload(appId, version, buildNumber)).body.data;
    const { id: fileId, attributes } = (await this.createFile(id, bytes.length)).body.data;
    for (const operation of attributes.uploadOperations) await this.sendPart(operation, bytes);
    await this.commit(fileId);
    return id;
  }

  submitForReview(buildId: string): Promise<ConnectResponse> {
    const build = { data: { type: 'builds', id: buildId } };
    return this.call('POST', '/betaAppReviewSubmissions', {
      data: { type: 'betaAppReviewSubmissions', relationships: { build } },
    });
  }

  addToGroup(groupId: string, buildId: string): Promise<ConnectResponse> {
    const data = [{ type: 'builds', id: buildId }];
    return this.call('POST', `/betaGroups/${groupId}/relationships/builds`, { data });
  }

  writeNote(buildId: string, locale: string, whatsNew: string): Promise<ConnectResponse> {
    const relationships = { build: { data: { type: 'builds', id: buildId } } };
    return this.call('POST', '/betaBuildLocalizations', {
      data: { type: 'betaBuildLocalizations', attributes: { locale, whatsNew }, relationships },
    });
  }

  answerCompliance(buildId: string, usesNonExemptEncryption: boolean): Promise<ConnectResponse> {
    const data = { type: 'builds', id: buildId, attributes: { usesNonExemptEncryption } };
    return this.call('PATCH', `/builds/${buildId}`, { data });
  }

  /** Reads an upload with its build until Apple has processed it. */
  async processed(uploadId: string): Promise<ConnectResponse> {
    for (let reads = 0; reads < 20; reads++) {
      const response = await this.call('GET', `/buildUploads/${uploadId}?include=build`);
      if (response.body.data.attributes.state.state !== 'PROCESSING') return response;
    }
    throw new Error('It is still processed.');
  }
}

/** Status, code, and what the first error is about. */
export function errorOf({ status, body }: ConnectResponse): unknown[] {
  const [error] = body.errors ?? [];
  return [status, error?.code, error?.source?.pointer ?? error?.source?.parameter];
}

async function read(response: Response): Promise<ConnectResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as ConnectBody };
}
