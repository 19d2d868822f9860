import type { FaultKind, FaultTime } from '../stand-in/faults.ts';
import type { Reply } from '../stand-in/reply.ts';
import type { NewApiKey } from './api-keys.ts';
import type { AppStoreConnect } from './app-store-connect.ts';
import type { HostileOperations } from './delivery/hostile-operations.ts';
import type { Processing } from './delivery/processing.ts';
import type { UploadErrorCode } from './delivery/upload-errors.ts';
import type { RefusalName } from './refusals.ts';
import type { Call } from './resources/routes.ts';
import type { ReviewBehavior, ReviewDecision } from './state/app-store/app-review.ts';
import { addVersion, type NewStoreVersion } from './state/app-store/store-version.ts';
import { addBuild, type BetaReview, type NewBuild } from './state/builds.ts';
import type { NewAppleApp } from './state/connect-state.ts';

interface VersionOfApp {
  readonly bundleId: string;
  readonly version: string;
}

/**
 * Controls the stand-in over HTTP, for programs that are not in its process: `POST /admin/<method>` with the arguments of
 * the method of `AppStoreConnect` as JSON, and `GET /admin/builds?bundleId=…`,
 * `/admin/versions?bundleId=…`, `/admin/calls` or `/admin/leaks`.
 */
export async function administer(
  connect: AppStoreConnect,
  method: string,
  url: URL,
  body: unknown,
): Promise<Reply> {
  const name = url.pathname.slice('/admin/'.length);
  if (method === 'GET') {
    if (name === 'builds')
      return { status: 200, body: connect.buildsOf(url.searchParams.get('bundleId') ?? '') };
    if (name === 'versions')
      return { status: 200, body: connect.versionsOf(url.searchParams.get('bundleId') ?? '') };
    if (name === 'calls') return { status: 200, body: connect.calls };
    return name === 'leaks' ? { status: 200, body: connect.storage.leaks } : { status: 404 };
  }
  switch (name) {
    case 'apps': {
      const { id, bundleId, groups } = connect.addApp(body as NewAppleApp);
      return { status: 200, body: { id, bundleId, groups: groups.map((group) => group.name) } };
    }
    case 'keys':
      return { status: 200, body: connect.addKey(body as NewApiKey) };
    case 'builds': {
      const { bundleId, ...build } = body as { bundleId: string } & NewBuild;
      return { status: 200, body: { id: addBuild(connect.app(bundleId), build).id } };
    }
    case 'refuse': {
      const { refusal, ...time } = body as { refusal: RefusalName } & FaultTime<Call>;
      connect.refuse(refusal, time);
      return { status: 204 };
    }
    case 'fail': {
      const { fault, ...time } = body as { fault: FaultKind } & FaultTime<Call>;
      connect.fail(fault, time);
      return { status: 204 };
    }
    case 'fail-processing': {
      const { codes, ...time } = body as { codes: UploadErrorCode[]; bundleId?: string; times?: number };
      connect.failProcessing(codes, time);
      return { status: 204 };
    }
    case 'processing':
      Object.assign(connect.processing, body as Partial<Processing>);
      return { status: 204 };
    case 'review-build': {
      const { buildId, state } = body as { buildId: string; state: BetaReview['state'] };
      connect.reviewBuild(buildId, state);
      return { status: 204 };
    }
    case 'versions': {
      const { bundleId, ...version } = body as { bundleId: string } & NewStoreVersion;
      return { status: 200, body: { id: addVersion(connect.app(bundleId), version).id } };
    }
    case 'review':
      Object.assign(connect.review, body as Partial<ReviewBehavior>);
      return { status: 204 };
    case 'review-version': {
      const { bundleId, version, decision } = body as VersionOfApp & { decision: ReviewDecision };
      connect.reviewVersion(bundleId, version, decision);
      return { status: 204 };
    }
    case 'go-live': {
      const { bundleId, version } = body as VersionOfApp;
      connect.goLive(bundleId, version);
      return { status: 204 };
    }
    case 'pass-days': {
      const { bundleId, version, days } = body as VersionOfApp & { days?: number };
      connect.passDays(bundleId, version, days);
      return { status: 204 };
    }
    case 'revoke-key':
      connect.keys.revoke((body as { keyId: string }).keyId);
      return { status: 204 };
    case 'hostile-operations':
      connect.hostileOperations = (body as { name: HostileOperations | null }).name;
      return { status: 204 };
    case 'expire-operations':
      connect.storage.expireOperations();
      return { status: 204 };
    case 'exhaust': {
      const { keyId, seconds } = body as { keyId: string; seconds: number };
      connect.rates.exhaust(keyId, seconds);
      return { status: 204 };
    }
    case 'clear':
      await connect.clear();
      return { status: 204 };
    default:
      return { status: 404 };
  }
}
