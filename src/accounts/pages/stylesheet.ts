import { createHash } from 'node:crypto';

/** The look of all pages: light and dark, from a phone's width on. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f4f6f8; --card: #fff; --text: #17202a; --muted: #5b6773; --line: #d5dbe1; --field: #fff;
  --accent: #0b5fff; --accent-text: #fff; --danger: #b42318; --danger-soft: #fef0ee;
  --good: #10693a; --good-soft: #e9f7ef; --focus: #0b5fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1419; --card: #182028; --text: #e6ebf0; --muted: #9aa7b4; --line: #33404c; --field: #0f161d;
    --accent: #6ea0ff; --accent-text: #0b1320; --danger: #ff9a8f; --danger-soft: #37201e;
    --good: #7fd9a5; --good-soft: #17301f; --focus: #9cc0ff;
  }
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; padding: 0 1rem 3rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
header, main, nav { max-width: 26rem; margin: 0 auto; }
.wide header, .wide main, .wide nav { max-width: 44rem; }
header {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .25rem 1rem; padding: 1.25rem 0;
}
header p { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.brand { font-size: 1.125rem; font-weight: 700; letter-spacing: -.01em; }
.account { display: flex; align-items: center; gap: .75rem; font-size: .875rem; color: var(--muted); }
nav { display: flex; flex-wrap: wrap; gap: .125rem; margin-bottom: 1rem; }
nav a {
  padding: .4rem .625rem; border-radius: 999px; color: var(--muted); text-decoration: none; font-size: .875rem;
}
nav a:hover { color: var(--text); text-decoration: underline; }
nav a[aria-current] { background: var(--card); color: var(--text); box-shadow: 0 0 0 1px var(--line); }
main {
  padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .875rem;
}
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; letter-spacing: -.015em; }
h2 { margin: 2rem 0 .5rem; font-size: 1.0625rem; }
p { margin: 0 0 1rem; overflow-wrap: break-word; }
main > :last-child, form > :last-child { margin-bottom: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
.muted, .hint { color: var(--muted); font-size: .875rem; }
.hint { display: block; font-weight: 400; }
label { display: block; margin-bottom: 1rem; font-size: .9375rem; font-weight: 600; }
input, select {
  display: block; width: 100%; margin-top: .375rem; padding: .625rem .75rem; min-height: 2.75rem;
  border: 1px solid var(--muted); border-radius: .5rem; background: var(--field); color: inherit; font: inherit; font-weight: 400;
}
input.code {
  font: 600 1.375rem/1.2 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  letter-spacing: .12em; text-align: center; text-transform: uppercase;
}
button {
  display: inline-block; width: 100%; min-height: 2.75rem; padding: .5rem 1.125rem; border: 1px solid transparent;
  border-radius: .5rem; background: var(--accent); color: var(--accent-text); font: inherit; font-weight: 600;
  cursor: pointer;
}
a.button {
  display: block; min-height: 2.75rem; padding: .5rem 1.125rem; border: 1px solid var(--line); border-radius: .5rem;
  color: var(--text); font-weight: 600; text-align: center; text-decoration: none; overflow-wrap: anywhere;
}
a.button.main { border-color: transparent; background: var(--accent); color: var(--accent-text); }
.or { display: flex; align-items: center; gap: .75rem; margin: 1.25rem 0; color: var(--muted); font-size: .875rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
button:hover, a.button:hover { filter: brightness(1.08); }
button.plain { background: none; border-color: var(--line); color: var(--text); }
button.danger { background: none; border-color: currentcolor; color: var(--danger); }
button.small { width: auto; min-height: 2.25rem; padding: .25rem .75rem; font-size: .875rem; white-space: nowrap; }
button.link {
  width: auto; min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400;
  font-size: inherit; text-decoration: underline; text-underline-offset: .15em;
}
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.buttons { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.notice { padding: .75rem 1rem; border-radius: .5rem; border-left: 4px solid; }
.notice.bad { background: var(--danger-soft); border-color: var(--danger); }
.notice.good { background: var(--good-soft); border-color: var(--good); }
dl { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: .5rem; }
dl > div { padding: .625rem .875rem; }
dl > div + div { border-top: 1px solid var(--line); }
dt { color: var(--muted); font-size: .8125rem; }
dd { margin: 0; overflow-wrap: anywhere; }
dd .hint { font-size: .875rem; }
code, .mono { font: .9375em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.secret { display: block; padding: .75rem 1rem; border: 1px dashed var(--muted); border-radius: .5rem; user-select: all; }
ul.list { list-style: none; margin: 0 0 1rem; padding: 0; }
ul.list > li {
  display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem 0;
  border-top: 1px solid var(--line);
}
ul.list > li > div { min-width: 0; overflow-wrap: anywhere; }
ul.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(12.5rem, 1fr)); gap: .25rem 1rem; padding: 0; list-style: none; }
.qr { display: block; width: 12rem; max-width: 100%; margin: 0 0 1rem; padding: .5rem; background: #fff; border-radius: .5rem; }
.qr svg { display: block; width: 100%; height: auto; }
.tag { padding: .05rem .5rem; border-radius: 999px; background: var(--good-soft); color: var(--good); font-size: .8125rem; }
@media (min-width: 40rem) {
  main { padding: 2rem; }
  .wide form.row { display: grid; grid-template-columns: 2fr 1fr auto; gap: 1rem; align-items: end; }
  .wide form.row label { margin: 0; }
  .wide main form > button:not(.link, .small), .wide .buttons button { width: auto; }
}
`;

/** Where the stylesheet is served. The address changes with the content, so browsers may keep it. */
export const stylesheetPath = `/pages.css?v=${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}`;

/** The mark of the pages: a hull on its slope. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5fff"/><path fill="#fff" d="M6 13h20l-4 7H10zM5 24l22-2v3L5 27z"/></svg>`;

/** Where the icon is served. */
export const iconPath = '/pages.svg';
