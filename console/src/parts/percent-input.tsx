import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/**
 * A share, typed in percent. (Mantine's own field for numbers moves the cursor behind a click, so that what a click has selected
 * is not replaced.)
 */
export function PercentInput({
  label,
  share,
  onChange,
}: {
  label: string;
  /** 0 to 1. */
  share: number;
  /** With each key that leaves a share in the field. */
  onChange: (share: number) => void;
}): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      w={88}
      aria-label={label}
      inputMode="decimal"
      rightSection={<span aria-hidden="true">%</span>}
      value={typed ?? String(Math.round(share * 1000) / 10)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const value = Number(currentTarget.value.trim().replace(',', '.'));
        if (currentTarget.value.trim() !== '' && value >= 0 && value <= 100) onChange(value / 100);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
