// Owns the console's frame: head and navigation.
import { css } from './css.ts'

export const frame = css`
  .top {
    display: flex;
    align-items: center;
    gap: 10px;
    min-height: 56px;
    padding: 8px 20px;
    border-bottom: 1px solid var(--line);
    background: var(--surface);
  }
  .logo {
    flex: none;
    width: 22px;
    height: 22px;
    color: var(--accent);
  }
  .top h1 {
    white-space: nowrap;
  }
  .top .fixture {
    margin-inline-start: 4px;
    color: var(--ink-faint);
    font-weight: 400;
  }
  .address {
    color: var(--ink-soft);
    font-size: var(--small);
  }
  .readout {
    display: flex;
    align-items: center;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
  }
  .readout .button {
    min-height: 30px;
    padding: 0 9px;
    border-radius: 0;
    border-inline-start: 1px solid var(--line);
    font-size: var(--small);
  }
  .now {
    display: flex;
    align-items: center;
    gap: 7px;
    height: 30px;
    padding: 0 10px;
    border: 0;
    border-radius: var(--radius-small);
    background: none;
    color: inherit;
    font: 500 var(--small) / 1 var(--mono);
    font-variant-numeric: tabular-nums;
    cursor: pointer;
  }
  .now .date {
    color: var(--ink-faint);
  }
  .pulse {
    width: 7px;
    height: 7px;
    border-radius: 50%;
    border: 1.5px solid var(--ink-faint);
  }
  .pulse.system {
    border-color: var(--good);
    background: var(--good);
  }
  .icon {
    width: 15px;
    height: 15px;
  }
  .lost {
    padding: 8px 20px;
    background: var(--bad-soft);
    color: var(--bad);
    font-weight: 500;
  }

  .frame {
    flex: 1;
    display: grid;
    grid-template-columns: 184px minmax(0, 1fr);
    min-height: 0;
  }
  main {
    overflow: auto;
    min-width: 0;
  }
  .panel:focus {
    outline: none;
  }
  main > .panel {
    height: 100%;
    padding: 20px 24px 32px;
  }
  main > .panel > div {
    max-width: 1120px;
  }
  main > .panel > .journal,
  main > .panel > .state {
    max-width: none;
  }

  .frame > nav {
    min-width: 0;
    border-inline-end: 1px solid var(--line);
    overflow: auto;
  }
  .tabs.nav {
    display: flex;
    flex-direction: column;
    gap: 2px;
    padding: 20px 12px;
  }
  .tabs button {
    display: flex;
    align-items: center;
    gap: 8px;
    border: 0;
    background: none;
    color: var(--ink-soft);
    font: inherit;
    white-space: nowrap;
    cursor: pointer;
  }
  .tabs.nav button {
    justify-content: space-between;
    min-height: 34px;
    padding: 0 10px;
    border-radius: var(--radius-small);
  }
  .tabs.nav button:hover {
    background: var(--hover);
    color: var(--ink);
  }
  .tabs.nav button[aria-selected='true'] {
    background: var(--surface);
    box-shadow: inset 0 0 0 1px var(--line);
    color: var(--ink);
    font-weight: 600;
  }
  .tabs.row {
    display: flex;
    gap: 20px;
  }
  .tabs.row button {
    min-height: 36px;
    padding: 0 1px;
    border-bottom: 2px solid transparent;
  }
  .tabs.row button:hover {
    color: var(--ink);
  }
  .tabs.row button[aria-selected='true'] {
    border-color: var(--ink);
    color: var(--ink);
    font-weight: 600;
  }
  /* As wide as when it is selected, so that nothing moves then. */
  .tabs .label {
    display: grid;
    justify-items: start;
  }
  .tabs .label::after {
    content: attr(data-text);
    height: 0;
    font-weight: 600;
    visibility: hidden;
  }
  .count {
    color: var(--ink-faint);
    font-size: var(--small);
    font-weight: 500;
  }
  .count.bad,
  .count.warn,
  .count.accent {
    min-width: 20px;
    padding: 0 6px;
    border-radius: 10px;
    text-align: center;
    line-height: 18px;
  }
  .count.bad {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .count.warn {
    background: var(--warn-soft);
    color: var(--warn);
  }
  .count.accent {
    background: var(--accent-soft);
    color: var(--accent);
  }
`
