import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Job } from 'kubernetes-models/batch/v1';
import { type ISecret, Secret } from 'kubernetes-models/v1';
import { type RestrictedPodSpec, restrictedProblems } from '../../../deploy/restricted.js';

const NAMESPACE = 'builds';
const TOKEN = 'service-account-token';
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** An object as the server keeps it. */
interface Kept {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Record<string, string>;
  };
  readonly spec?: { readonly template: { readonly spec: RestrictedPodSpec } };
  readonly stringData?: Record<string, string>;
  status?: object;
}

/** A failure that the next request gets. */
export interface Failure {
  readonly status: number;
  readonly reason?: string;
  readonly headers?: Record<string, string>;
  /** Such as `POST jobs`. */
  readonly request: string;
}

/**
 * The part of the API of Kubernetes that a manager of pods uses, as its documentation says: objects are checked against the
 * published schemas and the Pod Security Standard, deleting a Job deletes what it owns. It runs no pods.
 */
export class KubernetesServer {
  readonly token = TOKEN;
  /** `POST jobs`, in order. */
  readonly requests: string[] = [];
  /** The Jobs and Secrets by kind and name. */
  readonly objects = new Map<string, Kept>();
  /** What the next requests get instead of an answer. */
  readonly failures: Failure[] = [];
  /** Called when a Job and its Secret are there. */
  onPod: (job: Kept, secret: ISecret) => void = () => undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<KubernetesServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const self = new KubernetesServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void self
        .handle(request, response)
        .catch((error: unknown) => send(response, 500, status(500, String(error))));
    });
    return self;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  get jobs(): Kept[] {
    return [...this.objects.values()].filter(({ kind }) => kind === 'Job');
  }

  /** The Job has ended. */
  finish(name: string, type: 'Complete' | 'Failed'): void {
    const job = this.objects.get(`jobs/${name}`);
    if (job !== undefined) job.status = { conditions: [{ type, status: 'True' }] };
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    const [, kind = '', name] =
      /^\/api(?:s\/batch)?\/v1\/namespaces\/builds\/(jobs|secrets)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    this.requests.push(`${request.method} ${kind}`);
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return send(response, 401, status(401, 'Unauthorized'));
    const at = this.failures.findIndex((failure) => failure.request === `${request.method} ${kind}`);
    const [failure] = at === -1 ? [] : this.failures.splice(at, 1);
    if (failure !== undefined) {
      if (failure.status === 0) return void request.socket.destroy();
      const { status: code, reason = 'Failure', headers } = failure;
      return send(response, code, status(code, reason), headers);
    }
    if (kind === '') return send(response, 404, status(404, 'NotFound'));
    if (request.method === 'POST') return this.create(kind, (await json(request)) as Kept, response);
    if (request.method === 'GET') return send(response, 200, this.list(url.searchParams));
    if (request.method === 'DELETE' && this.objects.delete(`${kind}/${name}`)) {
      this.objects.delete(`secrets/${name}`);
      return send(response, 200, status(200, 'Success'));
    }
    send(response, 404, status(404, 'NotFound'));
  }

  private create(kind: string, object: Kept, response: ServerResponse): void {
    const problems = problemsOf(kind, object);
    if (problems.length > 0) return send(response, 422, status(422, 'Invalid', problems.join(' ')));
    const { name } = object.metadata;
    const key = `${kind}/${name}`;
    if (this.objects.has(key)) return send(response, 409, status(409, 'AlreadyExists'));
    const kept = { ...object, metadata: { ...object.metadata, namespace: NAMESPACE, uid: randomUUID() } };
    this.objects.set(key, kept);
    send(response, 201, kept);
    const job = this.objects.get(`jobs/${name}`);
    if (kind === 'secrets' && job !== undefined) this.onPod(job, kept as ISecret);
  }

  private list(query: URLSearchParams): object {
    const [label = '', value = ''] = (query.get('labelSelector') ?? '').split('=');
    const all = this.jobs.filter(({ metadata }) => label === '' || metadata.labels?.[label] === value);
    const from = Number(query.get('continue') ?? 0);
    const until = from + Number(query.get('limit') ?? 500);
    const metadata = until < all.length ? { continue: String(until) } : {};
    return { kind: 'JobList', apiVersion: 'batch/v1', metadata, items: all.slice(from, until) };
  }
}

function problemsOf(kind: string, object: Kept): string[] {
  const problems: string[] = [];
  try {
    if (kind === 'jobs') new Job(object as never).validate();
    else new Secret(object as never).validate();
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (!DNS_LABEL.test(object.metadata.name)) problems.push('metadata.name is no DNS label.');
  const values = Object.values(object.metadata.labels ?? {});
  if (values.some((value) => !/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(value))) {
    problems.push('metadata.labels has a wrong value.');
  }
  if (object.spec !== undefined) problems.push(...restrictedProblems(object.spec.template.spec));
  return problems;
}

function status(code: number, reason: string, message = `${reason}.`): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: code < 300 ? 'Success' : 'Failure',
    reason,
    message,
    code,
  };
}

function send(
  response: ServerResponse,
  code: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
