import { Tooltip, UnstyledButton } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { serverNow } from '../api/server-time';
import { exactly, when } from './format';
import { Icon } from './icons';

/** When something was, relative to now, with the exact time for those who ask. */
export function TimeAgo({ at }: { at: string }): ReactNode {
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactly(time)}>
      {when(time, useNow())}
    </time>
  );
}

/** The present time by the clock of the server. @param every how often it is renewed, in milliseconds */
export function useNow(every = 30_000): Date {
  const [now, setNow] = useState(() => new Date(serverNow()));
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date(serverNow())), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** An id, small and grey, with a button that copies it. @param name of the object whose id it is */
export function IdText({ id, name }: { id: string; name: string }): ReactNode {
  return (
    <span className="id-text">
      <span className="mono muted">{id}</span> <CopyButton text={id} label={`Copy the id of ${name}`} />
    </span>
  );
}

/** Copies a text. Without a clipboard, as on plain http, it selects the text of a field instead. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  const { state, copy, field } = useCopy(text, label);
  if (field !== null) return field;
  return (
    <Tooltip
      label={state === 'copied' ? 'Copied' : label}
      events={{ hover: true, focus: true, touch: false }}
    >
      <UnstyledButton className="icon-button" aria-label={label} onClick={copy}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
      </UnstyledButton>
    </Tooltip>
  );
}

function useCopy(text: string, label: string): { state: string; copy: () => void; field: ReactNode } {
  const [state, setState] = useState<'idle' | 'copied' | 'select'>('idle');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state === 'select') field.current?.select();
    if (state !== 'copied') return undefined;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('select');
    }
  };
  return {
    state,
    copy: () => void copy(),
    field:
      state === 'select' ? (
        <input ref={field} className="copy-field mono" readOnly value={text} aria-label={label} />
      ) : null,
  };
}

/** A button that copies the address of the page. @param name of what the page shows */
export function CopyLink({ name }: { name: string }): ReactNode {
  const label = `Copy link of ${name}`;
  const { state, copy, field } = useCopy(location.origin + location.pathname, label);
  if (field !== null) return field;
  return (
    <button type="button" className="button" aria-label={label} onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      {state === 'copied' ? 'Copied' : 'Copy link'}
    </button>
  );
}

export interface Person {
  readonly name?: string | null;
  readonly email: string;
}

/** A person by name, or by the part of the address that one says. */
export function personName(person: Person | null | undefined): string {
  if (person === null || person === undefined) return 'a deleted user';
  return person.name ?? person.email.split('@')[0] ?? person.email;
}

/** The letters of a person in a circle. */
export function initialsOf(person: Person): string {
  const words = (person.name ?? person.email).split(/[\s.@_-]+/).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
