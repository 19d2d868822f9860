import type { ReactNode } from 'react';
import type { Progress } from '../../api/uploads';
import { size } from '../../parts/format';
import { Banner } from '../../parts/page';

/** How far an upload is, and what it waits for. @param total bytes of the zip */
export function Upload({
  progress,
  total,
  onCancel,
}: {
  progress: Progress;
  total: number;
  onCancel: () => void;
}): ReactNode {
  return (
    <div>
      <progress value={progress.sentBytes} max={total || 1} aria-label="Upload" />
      <div className="between">
        <span className="small muted">{`${size(progress.sentBytes)} of ${size(total)}`}</span>
        <button type="button" className="button text" onClick={onCancel}>
          Cancel the upload
        </button>
      </div>
      {progress.waitsFor === 'network' ? (
        <Banner tone="warn">The network was lost. The upload continues when it is back.</Banner>
      ) : null}
      {progress.waitsFor === 'sign-in' ? (
        <Banner
          tone="warn"
          action={
            <button type="button" className="button" onClick={() => window.open('/login', '_blank')}>
              Sign in again
            </button>
          }
        >
          Your session has ended. When you have signed in again in another tab, the upload continues.
        </Banner>
      ) : null}
    </div>
  );
}
