import { Menu, Skeleton, UnstyledButton } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Icon } from './icons';

/** Something to do on a page. */
export interface Action {
  readonly label: string;
  readonly onClick: () => void;
  /** `main`: the one filled button of the page; `danger`: outlined in red; `more`: behind `···`. */
  readonly kind?: 'main' | 'danger' | 'more';
  /** Why it cannot be done; it is shown all the same. */
  readonly disabled?: string | undefined;
}

interface PageProps {
  readonly title: string;
  /** Where one comes from. */
  readonly crumb?: ReactNode;
  readonly status?: ReactNode;
  /** One sentence that says how things are. */
  readonly says?: ReactNode;
  readonly actions?: readonly Action[];
  readonly banners?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every screen: title with status, a sentence, buttons; on a phone, the buttons stand in a bar below. */
export function Page({ title, crumb, status, says, actions = [], banners, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Slipway`;
  }, [title]);
  return (
    <>
      <div className="head">
        <div className="head-text">
          {crumb ? <div className="crumb">{crumb}</div> : null}
          <h1>
            <span className="break">{title}</span> {status}
          </h1>
          {says ? <p className="says">{says}</p> : null}
        </div>
        {actions.length > 0 ? <ActionBar actions={actions} /> : null}
      </div>
      {banners}
      {children}
    </>
  );
}

function ActionBar({ actions }: { actions: readonly Action[] }): ReactNode {
  const more = actions.filter(({ kind }) => kind === 'more');
  return (
    <div className={`actions ${more.length < actions.length ? 'page-actions' : ''}`}>
      {actions
        .filter(({ kind }) => kind !== 'more')
        .map((action) => (
          <ActionButton key={action.label} {...action} />
        ))}
      {more.length > 0 ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <UnstyledButton className="button plain" aria-label="More">
              <Icon name="more" size={16} />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map(({ label, onClick, disabled }) => (
              <Menu.Item key={label} onClick={onClick} disabled={disabled !== undefined} title={disabled}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </div>
  );
}

/** A button of an action. One that cannot be pressed says why, also to screen readers. */
export function ActionButton({ label, onClick, kind, disabled }: Action): ReactNode {
  return (
    <button
      type="button"
      className={`button ${kind ?? ''}`}
      onClick={disabled === undefined ? onClick : undefined}
      aria-disabled={disabled !== undefined}
      title={disabled}
      aria-description={disabled}
    >
      {label}
    </button>
  );
}

/** A part of a page. @param note what the figures are about, muted @param action beside its title */
export function Section({
  title,
  note,
  action,
  children,
}: {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const heading = (
    <h2>
      {title} {note ? <small>{note}</small> : null}
    </h2>
  );
  return (
    <section>
      {action == null ? (
        heading
      ) : (
        <div className="between section-head">
          {heading}
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

/** A state to know of, with its remedy. */
export function Banner({
  tone,
  children,
  action,
}: {
  tone: 'warn' | 'bad' | 'info';
  children: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className={`banner ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name="alert" size={16} />
      <div className="grow">{children}</div>
      {action}
    </div>
  );
}

/** Nothing is here: what it is for, and the first step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="card pad empty">
      <p>
        <b>{title}</b>
      </p>
      {children ? <div className="muted">{children}</div> : null}
      {action}
    </div>
  );
}

/** Rows that are on their way; they appear only if they take long. */
export function RowsSkeleton({ rows = 3, height = 56 }: { rows?: number; height?: number }): ReactNode {
  return (
    <div className="card late" aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div className="row" key={row} style={{ minHeight: height }}>
          <div className="grow">
            <Skeleton height={12} width="32%" mb={8} />
            <Skeleton height={8} width="70%" />
          </div>
          <Skeleton height={16} width={72} />
        </div>
      ))}
    </div>
  );
}
