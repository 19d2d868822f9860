import { readFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** How long one request may take, in milliseconds. */
const TIMEOUT = 15_000;

/** Where the API is, and who calls it. */
export interface KubernetesAccess {
  /** Such as `https://10.96.0.1:443`. */
  readonly url: string;
  /** The folder of the service account: `token`, `ca.crt` and `namespace`. */
  readonly accountFolder: string;
}

/** The API refused a request, or did not answer: then `status` is 0. */
export class KubernetesError extends Error {
  readonly status: number;
  /** Such as `AlreadyExists`; `null` without an answer of the API. */
  readonly reason: string | null;
  /** When to try again, in seconds, as the API says; `null`: it does not. */
  readonly retryAfter: number | null;

  constructor(status: number, reason: string | null, message: string, retryAfter: number | null) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** What all objects have. */
export interface KubernetesObject {
  readonly metadata: { readonly name: string; readonly uid: string };
}

/** A part of a list. */
export interface KubernetesList<T> {
  readonly items: readonly T[];
  readonly metadata: { readonly continue?: string };
}

/** The part of the API of Kubernetes that creates and deletes objects in the namespace of the manager. */
export class KubernetesApi {
  constructor(private readonly access: KubernetesAccess) {}

  /** @param resource such as `batch/v1/jobs`; the core group is `v1/secrets` @throws KubernetesError */
  async create(resource: string, object: object): Promise<KubernetesObject> {
    return (await this.send('POST', await this.pathOf(resource), object)) as KubernetesObject;
  }

  /** @throws KubernetesError */
  async list<T>(resource: string, query: Readonly<Record<string, string>>): Promise<KubernetesList<T>> {
    const path = `${await this.pathOf(resource)}?${new URLSearchParams(query).toString()}`;
    return (await this.send('GET', path)) as KubernetesList<T>;
  }

  /** Deletes an object, and what belongs to it in the background. It may be gone already. @throws KubernetesError */
  async delete(resource: string, name: string): Promise<void> {
    const path = `${await this.pathOf(resource)}/${encodeURIComponent(name)}?propagationPolicy=Background`;
    await this.send('DELETE', path).catch((error: unknown) => {
      if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
    });
  }

  private async pathOf(resource: string): Promise<string> {
    const [version, kind] = [
      resource.slice(0, resource.lastIndexOf('/')),
      resource.slice(resource.lastIndexOf('/') + 1),
    ];
    const namespace = (await this.read('namespace'))?.trim() ?? 'default';
    return `/${version === 'v1' ? 'api' : 'apis'}/${version}/namespaces/${encodeURIComponent(namespace)}/${kind}`;
  }

  private async send(method: string, path: string, body?: object): Promise<unknown> {
    // Kubernetes replaces the token within the hour, so it is read for each request.
    const [token, ca] = await Promise.all([this.read('token'), this.read('ca.crt')]);
    const isSecure = this.access.url.startsWith('https:');
    const request = (isSecure ? requestHttps : requestHttp)(`${this.access.url}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT),
      headers: {
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token.trim()}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(isSecure && ca !== null ? { ca } : {}),
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    let status: number;
    let retryAfter: string | undefined;
    let answer: string;
    try {
      const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
      status = response.statusCode ?? 0;
      retryAfter = response.headers['retry-after'];
      answer = await text(response);
    } catch (error) {
      const { message } = error as Error;
      throw new KubernetesError(0, null, `Kubernetes does not answer: ${message}`, null);
    }
    if (status >= 200 && status < 300) return parse(answer);
    const { reason, message } = parse(answer) as { reason?: string; message?: string };
    const seconds = Number(retryAfter);
    throw new KubernetesError(
      status,
      reason ?? null,
      message ?? `Kubernetes answers ${status}.`,
      retryAfter !== undefined && Number.isInteger(seconds) ? seconds : null,
    );
  }

  /** @returns `null` when there is no such file, as outside of a cluster */
  private read(name: string): Promise<string | null> {
    return readFile(join(this.access.accountFolder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }
}

/** Proxies answer with something else than JSON. */
function parse(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return {};
  }
}
