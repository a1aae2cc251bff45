// Owns how the state view looks: rows, tasks by status, jobs with their progress.
import { css } from './css.ts'

export const state = css`
  .state,
  .state > .panel,
  .beside,
  .rows {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  .state {
    height: 100%;
  }
  .state > .toolbar {
    margin-bottom: 16px;
    border-bottom: 1px solid var(--line);
  }
  .state > .toolbar .tabs {
    align-self: flex-end;
    margin-bottom: -1px;
  }
  .state > .toolbar select {
    margin-bottom: 8px;
  }
  .state > .panel {
    flex: 1;
  }
  .beside {
    display: grid;
    flex: 1;
    grid-template-columns: 216px minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    gap: 24px;
  }
  .rows {
    gap: 12px;
  }
  .rows > .toolbar {
    margin: 0;
  }
  .picks {
    overflow: auto;
  }
  .picks button {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 8px;
    width: 100%;
    padding: 7px 10px;
    border: 0;
    border-radius: var(--radius-small);
    background: none;
    color: inherit;
    font: inherit;
    text-align: start;
    cursor: pointer;
  }
  .picks .name {
    flex: 1 1 100%;
  }
  .picks button:hover {
    background: var(--hover);
  }
  .picks button[aria-pressed='true'] {
    background: var(--surface);
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .picks button[aria-pressed='true'] .name {
    font-weight: 600;
  }

  .tasks {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  .board {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(248px, 1fr);
    gap: 16px;
    padding-bottom: 8px;
    overflow: auto;
  }
  .column h3,
  .job h3 {
    font-size: var(--text);
  }
  .column h3 {
    position: sticky;
    inset-block-start: 0;
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 2px 2px 8px;
    background: var(--paper);
  }
  .column h3 .type {
    margin-inline-start: auto;
  }
  .column ul {
    display: grid;
    gap: 8px;
    margin-bottom: 8px;
  }
  .card {
    padding: 10px 12px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .card .facts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 10px;
    margin-top: 4px;
    color: var(--ink-faint);
    font-size: var(--small);
  }
  .late {
    color: var(--bad);
  }

  .jobs > ul {
    display: grid;
    gap: 12px;
  }
  .jobs {
    overflow: auto;
  }
  .jobs .notes {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
  }
  .job {
    padding: 14px 20px 16px;
  }
  .job header,
  .job .figures {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
  }
  .job .figures {
    justify-content: space-between;
    color: var(--ink-soft);
  }
  .job .figures b {
    color: var(--ink);
    font-weight: 600;
  }
  .job .messages {
    margin-top: 8px;
    color: var(--bad);
    font: 12.5px / 1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  progress {
    display: block;
    width: 100%;
    height: 6px;
    margin: 12px 0 8px;
    border: 0;
    border-radius: 3px;
    background: var(--sunken);
    overflow: hidden;
    appearance: none;
  }
  progress::-webkit-progress-bar {
    background: var(--sunken);
  }
  progress::-webkit-progress-value {
    border-radius: 3px;
    background: var(--accent);
    transition: inline-size 300ms;
  }
  progress::-moz-progress-bar {
    background: var(--accent);
  }
  progress.good::-webkit-progress-value {
    background: var(--good);
  }
  progress.bad::-webkit-progress-value {
    background: var(--bad);
  }
`
