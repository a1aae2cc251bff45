// Owns the sheets that views are made of, and the notes over them.
import { css } from './css.ts'

export const sheets = css`
  .sheet {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .sheet.padded {
    padding: 16px;
  }
  .scroll {
    overflow: auto;
  }
  .section {
    margin: 28px 0 10px;
  }
  .section .aside {
    margin-inline-start: 8px;
  }
  .lead {
    max-width: 68ch;
    margin-bottom: 16px;
    color: var(--ink-soft);
  }
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    margin-bottom: 12px;
  }
  .toolbar .section {
    margin: 0;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 10px 16px;
  }

  .empty {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 8px;
    padding: 36px 32px 40px;
  }
  .empty p {
    max-width: 58ch;
    color: var(--ink-soft);
  }
  .empty pre {
    max-width: 100%;
    margin-top: 6px;
    padding: 10px 14px;
    border-radius: var(--radius-small);
    background: var(--sunken);
    overflow: auto;
  }
  .failure {
    padding: 10px 14px;
    border-radius: var(--radius-small);
    background: var(--bad-soft);
    color: var(--bad);
  }
  .toasts {
    position: absolute;
    inset-block-end: 20px;
    inset-inline: 20px;
    z-index: 3;
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: 6px;
    pointer-events: none;
  }
  .toasts p {
    max-width: 60ch;
    padding: 8px 14px;
    border-radius: var(--radius);
    background: var(--button);
    color: var(--button-ink);
    box-shadow: var(--shadow);
  }
  .toasts .problem {
    border: 1px solid var(--bad);
    background: var(--bad-soft);
    color: var(--bad);
  }
`
