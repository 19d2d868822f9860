import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isOfOther, isPassing } from './client';

/** How often a request is repeated that got no response, or for which the server had no time. */
const RETRIES = 3;

/** Data stays on the screen while it is read again: hints of the stream, not its age, make it stale. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => void forget(error, query),
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < RETRIES && (!(error instanceof ApiError) || isPassing(error)),
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfter !== null
          ? Math.min(error.retryAfter, 30) * 1000
          : Math.min(500 * 2 ** failures, 10_000),
    },
    mutations: { retry: false },
  },
});

/** What was deleted, or may not be seen any more, leaves the screen, which says so; what the person may do has changed, too. */
async function forget(
  error: Error,
  query: Query<unknown, unknown, unknown, readonly unknown[]>,
): Promise<void> {
  if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) return;
  if (query.state.data === undefined || (await isOfOther())) return;
  query.setState({ ...query.state, data: undefined });
  void queryClient.invalidateQueries({ queryKey: ['account'] });
}

/** Reads again what is shown of an app: after a change, more of it than one would list may be another. */
export async function refreshApp(client: QueryClient, appId: string): Promise<void> {
  // Counts take their time, and dialogs that ask for some close in a moment.
  void client.invalidateQueries({ queryKey: ['blockers', appId] });
  void client.invalidateQueries({ queryKey: ['simulation', appId], refetchType: 'none' });
  await client.invalidateQueries({
    predicate: ({ queryKey: [resource, owner] }) =>
      resource === 'summaries' ||
      resource === 'inbox' ||
      (owner === appId && resource !== 'blockers' && resource !== 'simulation'),
  });
}
