import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { shareBuild } from '../../api/builds';
import { serverNow } from '../../api/server-time';
import type { Build } from '../../api/types';
import { ActionDialog } from '../../parts/action-dialog';

const DAY = 86_400_000;

/** Days until a share ends; 0: never. */
const durations: Readonly<Record<number, string>> = {
  1: 'In a day',
  7: 'In a week',
  30: 'In 30 days',
  0: 'Never',
};

/** Gives a build a page that testers open without an account. */
export function ShareDialog({ build, onClose }: { build: Build; onClose: () => void }): ReactNode {
  const { appId, id, numberAsString, platform } = build;
  const client = useQueryClient();
  const [description, setDescription] = useState('');
  const [days, setDays] = useState(30);
  const [password, setPassword] = useState('');
  return (
    <ActionDialog
      title={`Share build ${numberAsString}`}
      confirm={`Share build ${numberAsString}`}
      withComment={false}
      onClose={onClose}
      act={async (_comment, key) => {
        await shareBuild(
          appId,
          id,
          {
            ...(description.trim() !== '' && { description: description.trim() }),
            ...(days > 0 && { expiresAt: new Date(serverNow() + days * DAY).toISOString() }),
            ...(password !== '' && { password }),
          },
          key,
        );
        await client.invalidateQueries({ queryKey: ['build-shares', appId, id] });
      }}
    >
      <p>
        Everyone who has its address can open the page
        {platform === 'web'
          ? '. It shows name, description and QR code: devices get a web build from a channel.'
          : ', and install the app from there, without an account.'}
      </p>
      <Textarea
        label="Description"
        value={description}
        maxLength={1000}
        autosize
        minRows={2}
        data-autofocus
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <div>
        <label htmlFor="share-end">Ends</label>
        <select
          id="share-end"
          className="select"
          value={days}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        >
          {[1, 7, 30, 0].map((value) => (
            <option key={value} value={value}>
              {durations[value]}
            </option>
          ))}
        </select>
      </div>
      <TextInput
        label="Password (optional)"
        description="The page asks for it. 8 characters or more; it is not shown again."
        value={password}
        maxLength={128}
        autoComplete="off"
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </ActionDialog>
  );
}
