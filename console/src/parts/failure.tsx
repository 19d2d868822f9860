import type { ReactNode } from 'react';
import { ApiError, signIn } from '../api/client';
import { Banner, Page } from './page';

/**
 * What failed stays where it failed, until it is tried again: the sentence of the server, and the id of the request.
 *
 * @param what could not be read
 */
export function FailureNote({
  error,
  onRetry,
  what,
}: {
  error: Error | null;
  onRetry?: () => void;
  what?: string;
}): ReactNode {
  if (error === null) return null;
  const { requestId, status } = error instanceof ApiError ? error : { requestId: null, status: 0 };
  const action =
    status === 401 ? (
      <button type="button" className="button" onClick={() => window.open('/login', '_blank')}>
        Sign in again
      </button>
    ) : onRetry === undefined || status === 403 ? null : (
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    );
  return (
    <Banner tone="bad" action={action}>
      {status === 401
        ? 'Your session has ended. Sign in again in another tab, then send this once more: nothing that you typed is lost.'
        : what === undefined
          ? error.message
          : status === 0
            ? `The server cannot be reached, so the ${what} could not be read.`
            : `The ${what} could not be read. ${error.message}`}
      {requestId === null ? null : <div className="small muted">Request {requestId}</div>}
    </Banner>
  );
}

/**
 * In place of a screen whose data did not come: not found and forbidden say which, and lead back.
 *
 * @param title of the screen, where it is not what could not be read
 */
export function FailedScreen({
  error,
  onRetry,
  what,
  title = what.replace(/^\w/, (letter) => letter.toUpperCase()),
}: {
  error: Error;
  onRetry: () => void;
  what: string;
  title?: string;
}): ReactNode {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) signIn();
  if (status === 403 || status === 404) {
    return (
      <DeadEnd title={status === 403 ? `You may not see this ${what}` : `There is no ${what} here`}>
        {status === 403
          ? `${error.message} An owner or admin of the organization can change your role or your teams.`
          : 'It was deleted, or the address belongs to an organization that you are not a member of.'}
      </DeadEnd>
    );
  }
  return (
    <Page title={title}>
      <FailureNote error={error} onRetry={onRetry} what={what} />
    </Page>
  );
}

/** In place of a screen that does not exist, or not for the visitor: says which, and leads back. */
export function DeadEnd({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <Page title={title}>
      <div className="card pad empty">
        {children ? <div className="muted">{children}</div> : null}
        <a className="button" href="/">
          Go to your apps
        </a>
      </div>
    </Page>
  );
}

/** In place of the screens of an app that the visitor does not see. */
export function NoSuchApp(): ReactNode {
  return (
    <DeadEnd title="There is no app here">
      It was deleted, it belongs to an organization or a team that you are not a member of, or your role does
      not show apps.
    </DeadEnd>
  );
}
