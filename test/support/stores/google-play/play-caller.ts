import { importPKCS8, SignJWT } from 'jose';
import type { GooglePlay } from './google-play.ts';
import type { ServiceAccountKey } from './service-accounts.ts';

/** A response of the stand-in. */
export interface PlayResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What tests read of it; an empty object unless it is JSON. */
  readonly body: PlayBody;
}

/** The members of all responses. */
interface PlayBody {
  readonly id: string;
  readonly access_token: string;
  readonly error: { readonly message: string; readonly details: readonly { readonly reason: string }[] };
  readonly track: string;
  readonly versionCode: number;
  readonly sha256: string;
  readonly bundles: readonly object[];
  readonly apks: readonly object[];
  readonly releases: readonly {
    readonly releaseLifecycleState: string;
    readonly activeArtifacts: readonly { readonly versionCode: number }[];
  }[];
}

/** Where the stand-in is. */
type Address = Pick<GooglePlay, 'url' | 'tokenUrl'>;

/** Calls the API as a client does, with nothing of Slipway: it tests the stand-in. */
export class PlayCaller {
  private readonly play: Address;
  token = '';

  constructor(play: Address) {
    this.play = play;
  }

  /** A caller with a token. */
  static async of(play: Address, key: ServiceAccountKey): Promise<PlayCaller> {
    const caller = new PlayCaller(play);
    const { body } = await caller.signIn(key);
    caller.token = body.access_token;
    return caller;
  }

  async signIn(key: ServiceAccountKey, values: Record<string, unknown> = {}): Promise<PlayResponse> {
    const file = JSON.parse(key.json) as {
      private_key: string;
      client_email: string;
      private_key_id: string;
    };
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: file.client_email,
      scope: 'https://www.googleapis.com/auth/androidpublisher',
      aud: 'https://oauth2.googleapis.com/token',
      iat: now,
      exp: now + 3600,
      ...values,
    };
    const assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: file.private_key_id })
      .sign(await importPKCS8(file.private_key, 'RS256'));
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return read(
      await fetch(this.play.tokenUrl, {
        method: 'POST',
        body: new URLSearchParams({ grant_type, assertion }),
      }),
    );
  }

  /** @param path from the app on, such as `edits` */
  async call(
    method: string,
    path: string,
    body?: object | string,
    packageName = 'com.example.app',
  ): Promise<PlayResponse> {
    const url = `${this.play.url}/androidpublisher/v3/applications/${packageName}/${path}`;
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    return this.send(url, { method, ...(text === undefined ? {} : { body: text }) });
  }

  /** Begins an upload. @returns its address */
  async startUpload(path: string, size: number): Promise<string> {
    const url = `${this.play.url}/upload/androidpublisher/v3/applications/com.example.app/${path}?uploadType=resumable`;
    const headers = {
      'X-Upload-Content-Type': 'application/octet-stream',
      'X-Upload-Content-Length': String(size),
    };
    const { headers: answered } = await this.send(url, { method: 'POST', headers });
    return answered.get('location') ?? '';
  }

  /** Sends a chunk. */
  putChunk(url: string, bytes: Buffer, from: number, size: number): Promise<PlayResponse> {
    const headers = { 'Content-Range': `bytes ${from}-${from + bytes.length - 1}/${size}` };
    return this.send(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  }

  /** Uploads a file in one chunk. */
  async upload(path: string, bytes: Buffer): Promise<PlayResponse> {
    return this.putChunk(await this.startUpload(path, bytes.length), bytes, 0, bytes.length);
  }

  async send(url: string, init: RequestInit): Promise<PlayResponse> {
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${this.token}` };
    return read(await fetch(url, { ...init, headers, redirect: 'manual' }));
  }
}

async function read(response: Response): Promise<PlayResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as PlayBody };
}
