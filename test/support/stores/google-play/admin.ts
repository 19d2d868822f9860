import type { FaultKind } from '../stand-in/faults.ts';
import type { Reply } from '../stand-in/reply.ts';
import type { GooglePlay, NewPlayApp, PlayFaultTime } from './google-play.ts';
import type { Release } from './publisher/play-state.ts';
import type { RefusalName } from './refusals.ts';
import type { NewServiceAccount } from './service-accounts.ts';

/**
 * Controls the stand-in over HTTP, for programs that are not in its process: `POST /admin/<method>` with the arguments of
 * the method of `GooglePlay` as JSON, and `GET /admin/committed`, `/admin/history` or `/admin/calls`.
 */
export async function administer(play: GooglePlay, method: string, url: URL, body: unknown): Promise<Reply> {
  const name = url.pathname.slice('/admin/'.length);
  if (method === 'GET') {
    if (name === 'committed') return { status: 200, body: play.committed };
    if (name === 'history') return { status: 200, body: play.state.history };
    if (name === 'calls') return { status: 200, body: play.calls };
    return { status: 404 };
  }
  switch (name) {
    case 'apps':
      return { status: 200, body: { packageName: play.addApp(body as NewPlayApp).packageName } };
    case 'service-accounts':
      return { status: 200, body: play.addServiceAccount(body as NewServiceAccount) };
    case 'refuse': {
      const { refusal, ...time } = body as { refusal: RefusalName } & PlayFaultTime;
      play.refuse(refusal, time);
      return { status: 204 };
    }
    case 'fail': {
      const { fault, ...time } = body as { fault: FaultKind } & PlayFaultTime;
      play.fail(fault, time);
      return { status: 204 };
    }
    case 'finish-review': {
      const { packageName, outcome } = body as { packageName: string; outcome: 'approved' | 'rejected' };
      play.finishReview(packageName, outcome);
      return { status: 204 };
    }
    case 'publish':
      play.publish((body as { packageName: string }).packageName);
      return { status: 204 };
    case 'set-track': {
      const { packageName, track, releases } = body as {
        packageName: string;
        track: string;
        releases: readonly Release[];
      };
      play.setTrack(packageName, track, releases);
      return { status: 204 };
    }
    case 'change-in-console':
      play.changeInConsole((body as { packageName: string }).packageName);
      return { status: 204 };
    case 'expire-tokens':
      play.accounts.expireTokens();
      return { status: 204 };
    case 'clear':
      await play.clear();
      return { status: 204 };
    default:
      return { status: 404 };
  }
}
