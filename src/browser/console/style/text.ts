// Owns the text of the console, and what holds everywhere.
import { css } from './css.ts'

export const text = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host {
    display: block;
    height: 100%;
    min-height: 480px;
    background: var(--paper);
  }
  .console {
    container: console / inline-size;
    position: relative;
    display: flex;
    flex-direction: column;
    height: 100%;
    background: var(--paper);
    color: var(--ink);
    font: 400 var(--text) / 1.5 var(--sans);
    font-variant-numeric: tabular-nums;
    text-align: start;
    -webkit-font-smoothing: antialiased;
  }
  h1,
  h2,
  h3,
  h4,
  p,
  ul,
  dl,
  dd,
  pre {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  h1,
  h3 {
    font-size: var(--large);
    font-weight: 600;
    line-height: 1.35;
    letter-spacing: -0.005em;
  }
  h2 {
    font-size: var(--title);
    font-weight: 600;
    line-height: 1.3;
    letter-spacing: -0.012em;
  }
  h4 {
    font-size: var(--text);
    font-weight: 600;
  }
  code,
  pre {
    font-family: var(--mono);
    font-size: 0.92em;
  }
  .aside {
    color: var(--ink-faint);
    font-weight: 400;
    font-size: var(--small);
    letter-spacing: 0;
  }
  .spacer {
    flex: 1;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
`
