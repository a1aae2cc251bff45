// Owns the console's colours, type scale and spacing, in a light and a dark scheme.
import { css } from './css.ts'

const light = css`
  --paper: #f5f5f2;
  --surface: #ffffff;
  --sunken: #f0f0ec;
  --hover: #f3f3ef;
  --groove: #e9e9e4;
  --raised: #ffffff;
  --ink: #18191b;
  --ink-soft: #52565c;
  --ink-faint: #6c7177;
  --line: #e4e4de;
  --line-strong: #c7c8c1;
  --accent: #2a55c8;
  --accent-soft: #e9eefb;
  --good: #1a7746;
  --good-soft: #e3f3ea;
  --warn: #8a5100;
  --warn-soft: #fbf0da;
  --bad: #b3262c;
  --bad-soft: #fceae9;
  --button: #202226;
  --button-ink: #ffffff;
  --shadow: 0 1px 2px rgb(24 25 27 / 5%), 0 8px 24px -12px rgb(24 25 27 / 18%);
  color-scheme: light;
`

const dark = css`
  --paper: #121315;
  --surface: #191b1e;
  --sunken: #141518;
  --hover: #1f2226;
  --groove: #222529;
  --raised: #373b41;
  --ink: #ecece9;
  --ink-soft: #b1b5bb;
  --ink-faint: #8d9299;
  --line: #2a2d32;
  --line-strong: #454a51;
  --accent: #8fadff;
  --accent-soft: #1d2842;
  --good: #6bca95;
  --good-soft: #16301f;
  --warn: #e4b063;
  --warn-soft: #332810;
  --bad: #f58b86;
  --bad-soft: #3d1d1d;
  --button: #ecece9;
  --button-ink: #18191b;
  --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 12px 32px -12px rgb(0 0 0 / 60%);
  color-scheme: dark;
`

export const tokens = css`
  :host {
    ${light}
    --sans:
      -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Ubuntu, Cantarell, 'Helvetica Neue', Arial, sans-serif;
    --mono:
      ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono',
      monospace;
    --small: 12px;
    --text: 13.5px;
    --large: 16px;
    --title: 20px;
    --display: 44px;
    --radius: 8px;
    --radius-small: 5px;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      ${dark}
    }
  }
  :host([data-theme='light']) {
    ${light}
  }
  :host([data-theme='dark']) {
    ${dark}
  }
`
