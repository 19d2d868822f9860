import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { counted, percent, size } from '../../parts/format';
import { Banner } from '../../parts/page';
import { type Choice, droppedChoice, findingsOf, pickedChoice, zipChoice } from './chosen-files';
import type { ZipNews, ZipOrder } from './zip-worker';

/** Empties a field, so that choosing the same once more is a change. */
const AGAIN = '';

/** A zip that can be sent. */
export interface Zipped {
  readonly zip: Blob;
  readonly checksum: string;
}

interface FilesCardProps {
  readonly choice: Choice | null;
  /** While it is being sent. */
  readonly isLocked: boolean;
  readonly onChoice: (choice: Choice | null) => void;
  readonly onZipped: (zipped: Zipped | null) => void;
}

/** Where a folder or a zip is dropped or picked; says what is in it, and zips it. */
export function FilesCard({ choice, isLocked, onChoice, onZipped }: FilesCardProps): ReactNode {
  const [failure, setFailure] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const [isTaking, setIsTaking] = useState(false);
  const [zipped, setZipped] = useState<Zipped | null>(null);
  const [readBytes, setReadBytes] = useState(0);
  const folder = useRef<HTMLInputElement>(null);
  const zip = useRef<HTMLInputElement>(null);
  // Of thousands of files: not at each key that is pressed.
  const findings = useMemo(() => (choice?.kind === 'folder' ? findingsOf(choice) : []), [choice]);
  const bytes = useMemo(() => bytesOf(choice), [choice]);
  const isStopped = findings.some(({ kind }) => kind === 'stop');

  useEffect(() => {
    setZipped(null);
    setReadBytes(0);
    onZipped(null);
    if (choice === null || isStopped) return undefined;
    const worker = new Worker(new URL('./zip-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ZipNews>) => {
      if ('error' in data) setFailure(`The files could not be read: ${data.error}`);
      if ('readBytes' in data) setReadBytes(data.readBytes);
      if (!('zip' in data)) return;
      setZipped(data);
      onZipped(data);
    });
    worker.addEventListener('error', () => setFailure('The files could not be read.'));
    const order: ZipOrder = choice.kind === 'zip' ? { zip: choice.file } : { files: choice.files };
    worker.postMessage(order);
    return () => worker.terminate();
  }, [choice, isStopped, onZipped]);

  const take = async (read: () => Choice | Promise<Choice>): Promise<void> => {
    setIsTaking(true);
    try {
      const taken = await read();
      setFailure(null);
      onChoice(taken);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setIsTaking(false);
    }
  };

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const { items } = event.dataTransfer;
        if (!isLocked) void take(() => droppedChoice(items));
      }}
    >
      <div className={`card pad drop ${isOver ? 'over' : ''}`}>
        <p role="status">
          {isTaking ? (
            'Looking at the files …'
          ) : choice === null ? (
            'Drop the folder that your web build writes, or a zip of it.'
          ) : (
            <>
              <b className="break">{choice.name}</b>{' '}
              <span className="muted">
                {choice.kind === 'folder' ? `${counted(choice.files.length, 'file')}, ` : ''}
                {size(bytes)}
                {zipped !== null
                  ? choice.kind === 'folder' && `, ${size(zipped.zip.size)} as zip`
                  : !isStopped &&
                    failure === null &&
                    `, reading${bytes > 0 ? ` ${percent(Math.floor((readBytes / bytes) * 100) / 100)}` : ''} …`}
              </span>
            </>
          )}
        </p>
        {isLocked ? null : (
          <div className="actions">
            <button type="button" className="button" onClick={() => folder.current?.click()}>
              {choice === null ? 'Choose a folder' : 'Another folder'}
            </button>
            <button type="button" className="button" onClick={() => zip.current?.click()}>
              {choice === null ? 'Choose a zip' : 'Another zip'}
            </button>
          </div>
        )}
        <input
          ref={folder}
          type="file"
          hidden
          aria-label="Folder"
          {...{ webkitdirectory: '' }}
          onChange={({ currentTarget }) => {
            const { files } = currentTarget;
            if (files !== null && files.length > 0) void take(() => pickedChoice(files));
            currentTarget.value = AGAIN;
          }}
        />
        <input
          ref={zip}
          type="file"
          hidden
          aria-label="Zip"
          accept=".zip"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) void take(() => zipChoice(file));
            currentTarget.value = AGAIN;
          }}
        />
      </div>
      {failure === null ? null : <Banner tone="bad">{failure}</Banner>}
      {findings.map(({ kind, title, text, paths }) => (
        <Banner
          key={title}
          tone={kind === 'stop' ? 'bad' : kind === 'ask' ? 'warn' : 'info'}
          action={
            paths.length === 0 || isLocked ? null : (
              <button
                type="button"
                className="button text"
                onClick={() => {
                  if (choice?.kind !== 'folder') return;
                  onChoice({ ...choice, files: choice.files.filter(({ path }) => !paths.includes(path)) });
                }}
              >
                {paths.length === 1 ? 'Leave it out' : 'Leave them out'}
              </button>
            )
          }
        >
          <b>{title}</b> {text}
        </Banner>
      ))}
    </div>
  );
}

function bytesOf(choice: Choice | null): number {
  if (choice === null) return 0;
  return choice.kind === 'zip'
    ? choice.file.size
    : choice.files.reduce((sum, { file }) => sum + file.size, 0);
}
