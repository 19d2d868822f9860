import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

function virtualShades(color: string): MantineColorsTuple {
  return Array.from({ length: 10 }, () => color) as unknown as MantineColorsTuple;
}

/** What Mantine's parts look like; their colours come from tokens.css. */
export const theme = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  // One accent, whatever the shade; tokens.css has its light and its dark form.
  colors: { accent: virtualShades('var(--accent)') },
  primaryColor: 'accent',
  defaultRadius: 6,
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '6px', xl: '6px' },
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  headings: { fontWeight: '600' },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
});

const colors = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--card)',
  '--mantine-color-default-hover': 'var(--sunk)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--control)',
  '--mantine-color-disabled': 'var(--sunk)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent)',
  '--mantine-primary-color-light': 'var(--sunk)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

/** Light and dark are in tokens.css, so both get the same names. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: colors, dark: colors });

const KEY = 'slipway-color-scheme';

/** Keeps the choice in the browser, and shows it to tokens.css, which knows nothing of Mantine. */
export const colorSchemes: MantineColorSchemeManager = {
  get: (fallback) => {
    const stored = localStorage.getItem(KEY) as MantineColorScheme | null;
    show(stored ?? fallback);
    return stored ?? fallback;
  },
  set: (value) => {
    if (value === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, value);
    show(value);
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => localStorage.removeItem(KEY),
};

function show(scheme: MantineColorScheme): void {
  const { dataset } = document.documentElement;
  if (scheme === 'auto') delete dataset['scheme'];
  else dataset['scheme'] = scheme;
}
