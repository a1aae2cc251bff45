// Owns how tables of data look.
import { css } from './css.ts'

export const grids = css`
  .grid {
    width: 100%;
    border-collapse: separate;
    border-spacing: 0;
  }
  .grid :is(th, td) {
    padding: 7px 16px;
    border-bottom: 1px solid var(--line);
    font-weight: 400;
    text-align: start;
    vertical-align: middle;
  }
  .grid tbody tr:last-child > * {
    border-bottom: 0;
  }
  .grid thead th {
    color: var(--ink-faint);
    font-size: var(--small);
    white-space: nowrap;
  }
  .grid .number {
    text-align: end;
    white-space: nowrap;
  }
  .grid .acts {
    width: 1%;
    text-align: end;
    white-space: nowrap;
  }
  .grid th .button {
    margin-inline-start: -8px;
  }
  .submissions :is(th, td) {
    vertical-align: top;
  }
  .data thead th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    background: var(--surface);
    color: var(--ink);
    font-size: var(--text);
    font-weight: 500;
    vertical-align: bottom;
  }
  .data .type {
    display: block;
    color: var(--ink-faint);
    font-size: var(--small);
    font-weight: 400;
  }
  .data :is(th, td) {
    max-width: 260px;
    padding: 6px 12px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .data :is(th, td):first-child {
    position: sticky;
    inset-inline-start: 0;
    padding-inline-start: 16px;
    background: var(--surface);
    font-family: var(--mono);
    font-size: 12.5px;
  }
  .data thead th:first-child {
    z-index: 2;
    font-family: inherit;
  }
  .data tbody tr:not(.whole):hover > * {
    background: var(--hover);
  }
  .data .whole td {
    max-width: none;
    overflow: visible;
    font: inherit;
    white-space: normal;
  }
  .data .whole .json {
    max-width: 720px;
  }
  .data .nothing {
    color: var(--line-strong);
  }
  .option {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .option svg,
  .column svg {
    flex: none;
    width: 8px;
    height: 8px;
  }
`
