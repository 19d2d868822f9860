import { Modal, Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ApiError, newKey, toApiError } from '../api/client';
import { FailureNote } from './failure';

interface ActionDialogProps {
  readonly title: string;
  /** Verb and object, such as "Roll back 2.4.1". */
  readonly confirm: string;
  readonly danger?: boolean;
  /** Why it cannot be confirmed yet. */
  readonly blocked?: string | undefined;
  readonly withComment?: boolean;
  /** Does it. @param comment empty: none @param key the same for all attempts of one click */
  readonly act: (comment: string, key: string, overwrite: boolean) => Promise<unknown>;
  readonly onClose: () => void;
  /** Shown after a 412: who changed what. */
  readonly conflict?: ReactNode;
  /** What a refusal means, where the dialog knows more than the server says; `null`: it does not. */
  readonly explain?: (error: ApiError) => ReactNode;
  readonly children: ReactNode;
}

/** Says what an action will do before it is done; what failed stays, and nothing that was typed is lost. */
export function ActionDialog(props: ActionDialogProps): ReactNode {
  const {
    title,
    confirm,
    danger = false,
    blocked,
    withComment = true,
    act,
    onClose,
    conflict,
    explain,
    children,
  } = props;
  const [comment, setComment] = useState('');
  const [state, setState] = useState<'idle' | 'busy' | ApiError>('idle');
  const key = useRef(newKey());
  const labelId = useId();
  useFocusBack();
  const isConflict = state instanceof ApiError && state.status === 412;
  const confirmed = async (): Promise<void> => {
    if (state === 'busy' || blocked !== undefined) return;
    setState('busy');
    try {
      await act(comment.trim(), key.current, isConflict);
      // What was read again is on the page with the next task.
      await new Promise((resolve) => setTimeout(resolve));
      onClose();
    } catch (error) {
      // The server has taken note of the key with this refusal.
      if (error instanceof ApiError && error.status > 0) key.current = newKey();
      setState(toApiError(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size={480} centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void confirmed();
        }}
      >
        {children}
        {withComment ? (
          <Textarea
            id={labelId}
            label={
              <>
                Comment <span className="muted">(optional)</span>
              </>
            }
            value={comment}
            maxLength={1000}
            autosize
            minRows={1}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
          />
        ) : null}
        {isConflict
          ? conflict
          : ((state instanceof ApiError ? explain?.(state) : null) ?? (
              <FailureNote error={state instanceof ApiError ? state : null} />
            ))}
        <div className="actions end">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={`button ${danger ? 'danger filled' : 'main'}`}
            aria-disabled={blocked !== undefined || state === 'busy'}
            aria-busy={state === 'busy'}
            title={blocked}
          >
            {isConflict ? `${confirm} all the same` : confirm}
          </button>
        </div>
      </form>
    </Modal>
  );
}

/**
 * Puts the focus back to where it was before the dialog, or to the content of the page if that is gone: a release that is held
 * has no button to hold it. (Mantine does so for dialogs that stay and are closed; these are taken away.)
 */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // When the dialog and its trap are gone.
      setTimeout(() => {
        const target = before instanceof HTMLElement && before.isConnected ? before : null;
        (target ?? document.querySelector('main'))?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
