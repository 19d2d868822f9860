import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { encode } from 'uqr';
import { downloadAddress, endShare, iconQuery, sharesQuery } from '../../api/builds';
import type { Build, BuildArtifact, BuildShare } from '../../api/types';
import { ActionDialog } from '../../parts/action-dialog';
import { FailureNote } from '../../parts/failure';
import { size } from '../../parts/format';
import { Section } from '../../parts/page';
import { CopyButton, TimeAgo } from '../../parts/texts';

/** What files are, for people. */
const kinds: Readonly<Record<BuildArtifact['type'], string>> = {
  aab: 'App bundle for Google Play',
  apk: 'Android app',
  app: 'App for the simulator',
  dsym: 'Debug symbols',
  ipa: 'iOS app',
  manifest: 'Live update',
  xcarchive: 'Archive of Xcode',
  zip: 'Zip',
};

/** The files of a build, and the pages that show it to testers. */
export function Artifacts({
  build,
  mayShare,
  onShare,
}: {
  build: Build;
  mayShare: boolean;
  onShare: () => void;
}): ReactNode {
  const { appId, id, jobId } = build;
  const artifacts = build.appBuildArtifacts ?? [];
  const shares = useQuery({ ...sharesQuery(appId, id), enabled: jobId !== null });
  return (
    <>
      <Section title="Artifacts">
        {artifacts.length === 0 ? (
          <div className="card pad muted">Its files were deleted: the retention period has ended.</div>
        ) : (
          <div className="card">
            {artifacts.map((artifact) => (
              <ArtifactRow
                key={artifact.id}
                appId={appId}
                artifact={artifact}
                isWeb={build.platform === 'web'}
              />
            ))}
          </div>
        )}
      </Section>
      {shares.data === undefined || shares.data.length === 0 ? null : (
        <Section title="Shared" note="everyone who has the address can open the page">
          <div className="card">
            {shares.data.map((share) => (
              <ShareRow key={share.id} appId={appId} share={share} mayEnd={mayShare} />
            ))}
          </div>
        </Section>
      )}
      {shares.data?.length === 0 && mayShare && build.platform !== 'web' ? (
        <p className="small muted more">
          Testers install it on their phones without an account:{' '}
          <button type="button" className="button text" onClick={onShare}>
            Share it
          </button>
        </p>
      ) : null}
      <FailureNote error={shares.error} onRetry={() => void shares.refetch()} what="shares" />
    </>
  );
}

function ArtifactRow({
  appId,
  artifact,
  isWeb,
}: {
  appId: string;
  artifact: BuildArtifact;
  isWeb: boolean;
}): ReactNode {
  const { id, appBuildId, type, status, fileName, label, versionName, versionCode, signer, iconUrl } =
    artifact;
  const icon = useQuery(iconQuery(iconUrl)).data;
  const [error, setError] = useState<Error | null>(null);
  const download = async (): Promise<void> => {
    setError(null);
    try {
      location.assign(await downloadAddress(appId, appBuildId, id));
    } catch (failure) {
      setError(failure as Error);
    }
  };
  const version =
    versionName === null ? null : versionCode === null ? versionName : `${versionName} (${versionCode})`;
  const facts = [
    label === null ? null : isWeb && type === 'zip' ? 'Live update' : kinds[type],
    version,
    fileName,
    isWeb
      ? null
      : signer === null
        ? type === 'apk' || type === 'aab'
          ? 'not signed'
          : null
        : `signed by ${signerName(signer)}`,
  ].filter((text) => text !== null);
  return (
    <>
      <div className="row stack-row">
        {icon === undefined ? null : <img className="app-icon" src={icon} alt="" width={40} height={40} />}
        <div className="grow">
          <b>{label ?? (isWeb && type === 'zip' ? 'Live update' : kinds[type])}</b>
          <div className="muted break">{facts.join(' · ')}</div>
        </div>
        <div className="fact">{size(artifact.totalSizeInBytes ?? artifact.fileSizeInBytes)}</div>
        {status === 'ready' && fileName !== null ? (
          <button
            type="button"
            className="button"
            aria-label={`Download ${fileName}`}
            onClick={() => void download()}
          >
            Download
          </button>
        ) : null}
      </div>
      <FailureNote error={error} onRetry={() => void download()} />
    </>
  );
}

/** Whom a certificate is made out to, such as "Example" of `CN=Example, O=Acme`. */
function signerName({ subject, teamId }: NonNullable<BuildArtifact['signer']>): string {
  return /(?:^|,\s*)CN=([^,]+)/.exec(subject ?? '')?.[1] ?? subject ?? teamId ?? 'an unknown certificate';
}

function ShareRow({
  appId,
  share,
  mayEnd,
}: {
  appId: string;
  share: BuildShare;
  mayEnd: boolean;
}): ReactNode {
  const { id, appBuildId, url, description, expiresAt, hasPassword } = share;
  const client = useQueryClient();
  const [isEnding, setIsEnding] = useState(false);
  return (
    <div className="row share-row">
      <QrCode text={url} label={`QR code of ${url}`} />
      <div className="grow">
        {description === null ? null : <p className="notes">{description}</p>}
        <p>
          <a className="link break" href={url} target="_blank" rel="noreferrer">
            {url}
          </a>{' '}
          <CopyButton text={url} label="Copy the address" />
        </p>
        <p className="small muted">
          {hasPassword ? 'With a password. ' : ''}
          {expiresAt === null ? (
            'It does not expire.'
          ) : (
            <>
              {Date.parse(expiresAt) > Date.now() ? 'Until' : 'Expired'} <TimeAgo at={expiresAt} />.
            </>
          )}
        </p>
        {mayEnd ? (
          <button type="button" className="button after" onClick={() => setIsEnding(true)}>
            End the share
          </button>
        ) : null}
      </div>
      {isEnding ? (
        <ActionDialog
          title="End the share"
          confirm="End the share"
          danger
          withComment={false}
          onClose={() => setIsEnding(false)}
          act={async () => {
            await endShare(appId, appBuildId, id);
            await client.invalidateQueries({ queryKey: ['build-shares', appId, appBuildId] });
          }}
        >
          <p>Its page is gone for everyone at once. What testers have installed stays on their devices.</p>
        </ActionDialog>
      ) : null}
    </div>
  );
}

/** A text as a QR code: dark on white in both schemes, as cameras want it. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size: modules } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${modules} ${modules}`}
      width="128"
      height="128"
      role="img"
      aria-label={label}
    >
      <rect className="qr-ground" width={modules} height={modules} />
      <path className="qr-dark" d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
