import { useQueries, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { enableWebhook, type InboxEntry, inboxQuery } from '../../api/inbox';
import { type AccountOrganization, useAccount } from '../../app/account';
import { ActionDialog } from '../../parts/action-dialog';
import { FailureNote } from '../../parts/failure';
import { count } from '../../parts/format';
import { EmptyState, RowsSkeleton, Section } from '../../parts/page';
import { type Status, StatusBadge } from '../../parts/status';
import { TimeAgo } from '../../parts/texts';

/** Each kind: its status, and what the button says that leads to where it is done. */
const kinds: Readonly<Record<InboxEntry['kind'], readonly [Status, string]>> = {
  approval: ['approval', 'Review'],
  plan_held: ['planHeld', 'Look'],
  submission_refused: ['refused', 'Look'],
  submission_waiting: ['needsAction', 'Look'],
  release_stopped: ['stopped', 'Look'],
  release_change_failed: ['failed', 'Look'],
  files_damaged: ['damaged', 'Open'],
  signing_expiring: ['expiring', 'Open'],
  webhook_failing: ['failing', 'Look'],
  webhook_disabled: ['failing', 'Enable'],
};

/** An entry, and the organization that it is of. */
interface Waiting {
  readonly entry: InboxEntry;
  readonly organization: AccountOrganization;
}

/** What waits for the person, as far as it has come. */
export interface InboxView {
  /** Newest first; `null`: not read yet. */
  readonly waiting: readonly Waiting[] | null;
  /** How many others there are. */
  readonly more: number;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Reads what waits for the person in all organizations whose apps the person sees. */
export function useInbox(): InboxView {
  const { organizations } = useAccount();
  const read = organizations.filter(
    ({ appPermissions, needsSecondFactor, totalApps }) =>
      appPermissions.has('apps:read') && !needsSecondFactor && totalApps > 0,
  );
  const results = useQueries({ queries: read.map(({ id }) => inboxQuery(id)) });
  const isComplete = results.every(({ data }) => data !== undefined);
  const waiting = results.flatMap(({ data }, index) =>
    (data?.entries ?? []).map((entry) => ({ entry, organization: read[index]! })),
  );
  return {
    waiting: isComplete || waiting.length > 0 ? waiting.toSorted(byNewest) : null,
    more: results.reduce((sum, { data }) => sum + (data?.more ?? 0), 0),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of results) if (error !== null) void refetch();
    },
  };
}

const byNewest = (a: Waiting, b: Waiting): number => (a.entry.since < b.entry.since ? 1 : -1);

/** How many things wait, in a sentence. */
export function InboxSentence({ inbox: { waiting, more } }: { inbox: InboxView }): ReactNode {
  if (waiting === null) return null;
  const total = waiting.length + more;
  if (total === 0) return 'Nothing waits for you.';
  return (
    <>
      <b>{count(total)}</b> {total === 1 ? 'thing waits' : 'things wait'} for you.
    </>
  );
}

/** One list of what waits for the person, each with why, and one button. */
export function Inbox({ inbox: { waiting, more, error, retry } }: { inbox: InboxView }): ReactNode {
  const { organizations } = useAccount();
  const [enabling, setEnabling] = useState<Waiting | null>(null);
  const client = useQueryClient();
  return (
    <Section title="Waiting for you">
      <FailureNote error={error} onRetry={retry} what="inbox" />
      {waiting === null ? (
        error === null ? (
          <RowsSkeleton rows={3} />
        ) : null
      ) : waiting.length === 0 ? (
        error === null ? (
          <EmptyState title="Nothing waits for you.">
            Approvals that you can give, held plans, and what a store, a file or a certificate needs from you
            show here.
          </EmptyState>
        ) : null
      ) : (
        <ul className="card inbox">
          {waiting.map((each) => (
            <InboxRow
              key={`${each.entry.kind} ${each.entry.id}`}
              waiting={each}
              isOnly={organizations.length === 1}
              onEnable={() => setEnabling(each)}
            />
          ))}
        </ul>
      )}
      {more === 0 ? null : (
        <p className="small muted more">
          And {count(more)} older {more === 1 ? 'one' : 'ones'}, which show when these are done.
        </p>
      )}
      {enabling === null ? null : (
        <ActionDialog
          title={`Enable ${enabling.entry.object.name}`}
          confirm="Enable the webhook"
          withComment={false}
          onClose={() => setEnabling(null)}
          act={async () => {
            const { object } = enabling.entry;
            await enableWebhook(enabling.organization.id, object.appId, object.webhookId!);
            await client.invalidateQueries({ queryKey: ['inbox'] });
          }}
        >
          <p>{enabling.entry.sentence} It gets events from now on; those that it has missed are not sent.</p>
        </ActionDialog>
      )}
    </Section>
  );
}

function InboxRow({
  waiting: { entry, organization },
  isOnly,
  onEnable,
}: {
  waiting: Waiting;
  /** Whether the person has no other organization. */
  isOnly: boolean;
  onEnable: () => void;
}): ReactNode {
  const { kind, object, sentence, since, link } = entry;
  const [status, verb] = kinds[kind] ?? ['needsAction', 'Look'];
  const names = [
    isOnly && object.appName !== null ? null : organization.name,
    object.appName,
    object.appChannelName ?? object.appDestinationName,
    object.name,
  ].filter((name) => name !== null);
  const title = names.join(' · ');
  const look = `button ${kind === 'approval' ? 'main' : ''}`;
  return (
    <li className="row">
      <span className="tag">
        <StatusBadge status={status} />
      </span>
      <div className="grow">
        <b className="break">{title}</b>
        <div className="muted">{sentence}</div>
      </div>
      <span className="small muted since">
        <TimeAgo at={since} />
      </span>
      {kind === 'webhook_disabled' ? (
        <button type="button" className={look} aria-label={`${verb} ${title}`} onClick={onEnable}>
          {verb}
        </button>
      ) : (
        <Link className={look} to={link} aria-label={`${verb} ${title}`}>
          {verb}
        </Link>
      )}
    </li>
  );
}
