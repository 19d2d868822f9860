import {
  ApiError,
  csrfToken,
  errorOf,
  fetchApi,
  isPassing,
  needsSignIn,
  newKey,
  renewProof,
  request,
} from './client';
import type { NewPlan } from './types';

/** Bytes of a part: what the server expects of all but the last. */
const PART = 10 * 1024 * 1024;
/** Until a step is repeated, in milliseconds. */
const RETRY = 2000;

/** What is published, and to whom. */
export interface Publication {
  readonly appId: string;
  readonly channelName: string;
  readonly zip: Blob;
  /** SHA-256 of the zip, hexadecimal. */
  readonly checksum: string;
  readonly fileName: string;
  readonly notes: string;
  /** What people call it; empty: its number. */
  readonly name: string;
  /** 0 to 1; with a plan 0. */
  readonly share: number;
  /** Raises the share; `null`: it stays. */
  readonly plan: NewPlan | null;
  /** Whether the plan waits for an approval. */
  readonly needsApproval: boolean;
  readonly minNative: { readonly android: string; readonly ios: string };
}

/** How far an upload is. */
export interface Progress {
  readonly sentBytes: number;
  /** What is missing before it continues. */
  readonly waitsFor: 'network' | 'sign-in' | null;
}

/** A release that was published, and what the server found remarkable. */
export interface Published {
  /** `null`: nothing was deployed. */
  readonly deploymentId: string | null;
  readonly warnings: readonly string[];
}

/** Does a step, and repeats it until it is done, or stopped. */
type Step = <T>(run: () => Promise<T>) => Promise<T>;

/** Uploads a zip in parts and publishes it: all of it, or nothing. @param signal stops it; nothing is published then */
export async function publish(
  publication: Publication,
  report: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Published> {
  const { appId, channelName, zip, notes, name, share, minNative } = publication;
  let sentBytes = 0;
  const send = (bytes: number): void => {
    sentBytes = bytes;
    report({ sentBytes, waitsFor: null });
  };
  const step: Step = (run) => patiently(run, (waitsFor) => report({ sentBytes, waitsFor }), signal);
  const idempotencyKey = newKey();
  const bundle = await step(() =>
    request('post', '/v1/apps/{appId}/bundles', {
      path: { appId },
      body: {
        artifactType: 'zip',
        channelName,
        rolloutPercentage: share,
        ...(notes !== '' && { notes }),
        ...(minNative.android !== '' && { minAndroidAppVersionCode: minNative.android }),
        ...(minNative.ios !== '' && { minIosAppVersionCode: minNative.ios }),
      },
      idempotencyKey,
      // Also after a stop, its response says what is to be deleted.
    }),
  );
  const path = `/v1/apps/${appId}/bundles/${bundle.id}`;
  const publishing = async () => {
    const file = await step(() => announce(`${path}/files`, publication, signal));
    await sendParts(`${path}/files/${file}/upload`, zip, step, send, signal);
    if (name !== '') {
      await step(() =>
        request('patch', '/v1/apps/{appId}/builds/{buildId}', {
          path: { appId, buildId: bundle.appBuildId },
          body: { displayName: name },
          signal,
        }),
      );
    }
    return step(() =>
      request('patch', '/v1/apps/{appId}/bundles/{bundleId}', {
        path: { appId, bundleId: bundle.id },
        body: { artifactStatus: 'ready', appBundleFileId: file },
        signal,
      }),
    );
  };
  const ready = await publishing().catch((error: unknown) => {
    // What was never published is of no use to anyone; without the network, the server removes it later.
    void request('delete', '/v1/apps/{appId}/bundles/{bundleId}', {
      path: { appId, bundleId: bundle.id },
    }).catch(() => undefined);
    throw error;
  });
  const warnings = ready.warnings.map(({ message }) => message);
  const { appDeploymentId: deploymentId } = ready;
  if (deploymentId === null || publication.plan === null) return { deploymentId, warnings };
  const problem = await givePlan(publication, publication.plan, deploymentId, step);
  return { deploymentId, warnings: problem === null ? warnings : [...warnings, problem] };
}

/** Gives a release its plan, and starts it. @returns what is left to do; the release is published in any case */
async function givePlan(
  { appId, needsApproval }: Publication,
  plan: NewPlan,
  deploymentId: string,
  step: Step,
): Promise<string | null> {
  const path = { appId, deploymentId };
  try {
    await step(() =>
      request('put', '/v1/apps/{appId}/deployments/{deploymentId}/rollout-plan', { path, body: plan }),
    );
    if (needsApproval) return null;
    const idempotencyKey = newKey();
    await step(() =>
      request('post', '/v1/apps/{appId}/deployments/{deploymentId}/rollout-plan/start', {
        path,
        idempotencyKey,
      }),
    );
    return null;
  } catch (error) {
    const why = error instanceof ApiError ? error.message : 'You canceled.';
    return `No device gets it yet, because its plan was not started: ${why}`;
  }
}

async function announce(
  address: string,
  { fileName, checksum, zip }: Publication,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  const fields = { name: fileName, checksum, sizeInBytes: zip.size, mimeType: 'application/zip' };
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  const response = await fetchApi(address, { method: 'POST', body: form, signal });
  return ((await response.json()) as { id: string }).id;
}

async function sendParts(
  address: string,
  zip: Blob,
  step: Step,
  send: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const post = (action: string, body: object): Promise<Response> =>
    step(() =>
      fetchApi(`${address}?action=${action}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }),
    );
  const { uploadId } = (await (await post('mpu-create', {})).json()) as { uploadId: string };
  const part = `${address}?action=mpu-uploadpart&uploadId=${uploadId}`;
  const parts: { etag: string; partNumber: number }[] = [];
  for (let start = 0; start < zip.size; start += PART) {
    const form = new FormData();
    form.set('blob', zip.slice(start, start + PART), 'blob');
    form.set('partNumber', String(parts.length + 1));
    const sent = (bytes: number): void => send(Math.min(start + bytes, zip.size));
    // Of a part that was cut, nothing counts.
    parts.push(
      await step(() => {
        send(start);
        return sendPart(part, form, sent, signal);
      }),
    );
  }
  await post(`mpu-complete&uploadId=${uploadId}`, { parts });
}

/** By XMLHttpRequest: `fetch` does not say how much was sent. */
function sendPart(
  address: string,
  form: FormData,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ etag: string; partNumber: number }> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const abort = (): void => call.abort();
    signal.addEventListener('abort', abort);
    call.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    call.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort);
      const { status, responseText: text } = call;
      if (status === 200 || status === 201) {
        resolve(JSON.parse(text) as { etag: string; partNumber: number });
      } else if (status === 0) {
        reject(new ApiError(0, 'The network was lost.'));
      } else {
        const headers = { 'Retry-After': call.getResponseHeader('Retry-After') ?? '' };
        void errorOf(new Response(text, { status, headers })).then(reject);
      }
    });
    call.open('PUT', address);
    call.setRequestHeader('X-CSRF-Token', csrfToken());
    call.send(form);
  });
}

/** Repeats a step while the network is lost, the server is busy, or the session has ended. */
async function patiently<T>(
  run: () => Promise<T>,
  wait: (waitsFor: Progress['waitsFor']) => void,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const used = csrfToken();
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      if (needsSignIn(error)) {
        while (!(await renewProof(used))) {
          wait('sign-in');
          await pause(RETRY, signal);
          signal.throwIfAborted();
        }
      } else if (isPassing(error)) {
        wait('network');
        await pause((error.retryAfter ?? 0) * 1000 || RETRY, signal);
      } else throw error;
    }
  }
}

/** Until a time has passed, the network is back, or the upload is stopped. @param ms in milliseconds */
function pause(ms: number, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    addEventListener('online', resolve, { once: true });
    signal.addEventListener('abort', resolve, { once: true });
  });
}
