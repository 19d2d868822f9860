import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type Change, changesOf } from '../api/changes';
import { ApiError } from '../api/client';
import { useAccount } from './account';

/** Without a stream the screens are read again this often, in milliseconds. */
const POLL = 8000;
/** Until the stream is opened again: what the server asks for, or this, in milliseconds; longer after failures. */
const RETRY = 2000;
/**
 * How long a stream may be silent, in milliseconds: it says something at once, and every 15 s. At further attempts, the
 * first word may take longer, since the server may be slow.
 */
const [FIRST_WORD, NEXT_WORD] = [5000, 40_000];
/** A stream that is open so many milliseconds after the screens were read may have missed changes. */
const LATE = 1000;
/** A stream that lasts less than this was cut, also where it looks as if the server had ended it. */
const SHORTEST = 5000;

/** What one tab reports to the others of a browser. `anything`: they may have missed changes; `open`: they have not. */
type Word = Change | 'anything' | 'open' | 'cut';

let live = true;
const listeners = new Set<() => void>();

function setLive(now: boolean): void {
  if (live === now) return;
  live = now;
  for (const listener of listeners) listener();
}

/** Whether changes made elsewhere show within seconds. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => live,
  );
}

/** Reads again what the screens show of an organization when it changes, until another one is shown. */
export function useLiveChanges(organizationId: string | null): void {
  const client = useQueryClient();
  const { user } = useAccount();
  useEffect(() => {
    if (organizationId === null) return undefined;
    const stop = new AbortController();
    follow(organizationId, user.id, stop.signal, client);
    return () => {
      stop.abort();
      setLive(true);
    };
  }, [organizationId, user.id, client]);
}

/**
 * All tabs of a browser share one stream: the tab that holds a lock reads it and reports to the others; when it closes, the
 * next one gets the lock. On plain http there are no locks: then each tab has its own, while it is shown.
 */
function follow(organizationId: string, userId: string, signal: AbortSignal, client: QueryClient): void {
  // Another user may sign in in another tab.
  const name = `slipway changes ${userId} ${organizationId}`;
  const tabs = window.isSecureContext ? new BroadcastChannel(name) : null;
  let reportedAt = performance.now();
  const receive = (word: Word): void => {
    reportedAt = performance.now();
    setLive(word !== 'cut');
    if (typeof word === 'object') refresh(client, word);
    if (word === 'anything') refresh(client, null);
  };
  const report = (word: Word): void => {
    receive(word);
    tabs?.postMessage(word);
  };
  const poll = setInterval(() => {
    if (document.visibilityState !== 'visible') return;
    if (performance.now() - reportedAt > NEXT_WORD + POLL) setLive(false);
    if (!live) refresh(client, null);
  }, POLL);
  signal.addEventListener('abort', () => {
    clearInterval(poll);
    tabs?.close();
  });
  if (tabs === null) {
    whileVisible(signal, (shown, isLate) => {
      reportedAt = performance.now();
      void read(organizationId, shown, isLate, report);
    });
    return;
  }
  tabs.addEventListener('message', ({ data }: MessageEvent<Word>) => receive(data));
  const lead = async (): Promise<void> => {
    await navigator.locks.request(name, { ifAvailable: true }, (lock) =>
      lock === null ? undefined : read(organizationId, signal, false, report),
    );
    await navigator.locks.request(name, { signal }, () => read(organizationId, signal, true, report));
  };
  lead().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Calls `start` each time the tab is shown. @param start with what ends when it is hidden, and whether it was hidden before */
function whileVisible(signal: AbortSignal, start: (shown: AbortSignal, isLate: boolean) => void): void {
  let shown: AbortController | null = null;
  const look = (isLate: boolean): void => {
    shown?.abort();
    shown = null;
    if (signal.aborted || document.visibilityState !== 'visible') return;
    shown = new AbortController();
    start(shown.signal, isLate);
  };
  document.addEventListener('visibilitychange', () => look(true), { signal });
  signal.addEventListener('abort', () => look(false));
  look(false);
}

/**
 * Reads streams, one after the other, and reports what they bring.
 *
 * @param isLate whether there may have been changes that no stream has reported
 */
async function read(
  organizationId: string,
  signal: AbortSignal,
  isLate: boolean,
  report: (word: Word) => void,
): Promise<void> {
  let retry = RETRY;
  let failures = 0;
  // The screens have read at the start what they show; later, anything may have changed without a stream.
  const readAt = isLate ? -Infinity : performance.now();
  while (!signal.aborted) {
    const openedAt = performance.now();
    const { failure, wanted } = await readOnce(
      organizationId,
      signal,
      { readAt, patience: FIRST_WORD * (failures + 1) },
      report,
    );
    if (signal.aborted) return;
    retry = wanted ?? retry;
    const isCut = failure !== null || performance.now() - openedAt < SHORTEST;
    failures = isCut ? Math.min(failures + 1, 4) : 0;
    if (isCut) report('cut');
    const asked = failure instanceof ApiError ? (failure.retryAfter ?? 0) * 1000 : 0;
    await pause(Math.max(asked, retry * Math.max(failures, 1)), signal);
  }
}

/** Reads one stream until it ends. @param readAt when the screens were read @param patience until its first word */
async function readOnce(
  organizationId: string,
  signal: AbortSignal,
  { readAt, patience }: { readAt: number; patience: number },
  report: (word: Word) => void,
): Promise<{ failure: unknown; wanted: number | null }> {
  const connection = new AbortController();
  const cut = (): void => connection.abort();
  signal.addEventListener('abort', cut);
  let silence = setTimeout(cut, patience);
  let wanted: number | null = null;
  let isOpen = false;
  try {
    for await (const { change, retry } of changesOf(organizationId, connection.signal)) {
      clearTimeout(silence);
      silence = setTimeout(cut, NEXT_WORD);
      wanted = retry ?? wanted;
      const isLate = !isOpen && performance.now() - readAt > LATE;
      report(isLate ? 'anything' : (change ?? 'open'));
      isOpen = true;
    }
    return { failure: null, wanted };
  } catch (failure) {
    return { failure, wanted };
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', cut);
  }
}

/** Waits, or until the signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Reads again what is on the screen of an app. @param change `null`: anything may have changed */
function refresh(client: QueryClient, change: Change | null): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [resource, owner] }) =>
      change?.kind === 'inbox'
        ? resource === 'inbox'
        : change === null ||
          change.appId === null ||
          owner === change.appId ||
          resource === 'summaries' ||
          resource === 'inbox',
  });
}
