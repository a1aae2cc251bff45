// Owns how state, clock, faults, plan, questions and snapshots look.
import { css } from './css.ts'

export const views = css`
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
  .answers {
    display: grid;
    gap: 12px;
    max-width: 460px;
    margin-top: 14px;
  }
  .answers .button {
    justify-self: start;
  }

  .clock .face {
    display: grid;
    gap: 20px;
    padding: 28px 32px 32px;
  }
  .face .day,
  .face .seconds {
    color: var(--ink-soft);
  }
  .face .display {
    margin-block: -18px -20px;
    margin-inline-start: -2px;
    font-size: var(--display);
    font-weight: 600;
    line-height: 1.2;
    letter-spacing: -0.02em;
  }
  .face .display .ms {
    color: var(--ink-faint);
    font-size: 0.5em;
    font-weight: 400;
    letter-spacing: 0;
  }
  .face .row + .pair {
    padding-top: 20px;
    border-top: 1px solid var(--line);
  }
  .due li,
  .fault-list li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 16px;
    padding: 9px 12px 9px 20px;
  }
  .due li + li,
  .fault-list li + li {
    border-top: 1px solid var(--line);
  }
  :is(.due, .fault-list) .what {
    flex: 1 1 120px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .due .when {
    display: flex;
    gap: 12px;
  }
  .due .when .aside {
    min-width: 96px;
  }

  .faults {
    display: grid;
    grid-template-columns: 376px minmax(0, 1fr);
    gap: 24px;
    align-items: start;
  }
  .fault-form {
    display: grid;
    gap: 14px;
    padding: 18px 20px 20px;
  }
  .fault-form > * {
    justify-self: start;
    min-width: 0;
  }
  .fault-form .field {
    justify-self: stretch;
  }
  .fault-form .pair {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 16px;
  }
  .preview {
    justify-self: stretch;
    padding: 10px 14px;
    border-radius: var(--radius-small);
    background: var(--sunken);
    color: var(--ink-soft);
  }
  .fault-list .hits {
    font-weight: 600;
    white-space: nowrap;
  }
  .fault-list .hits .of {
    color: var(--ink-faint);
    font-weight: 400;
  }

  .question-list {
    display: grid;
    gap: 12px;
  }
  .question {
    padding: 14px 20px 16px;
  }
  .question header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    min-height: 24px;
  }
  .question header h4 {
    font-family: var(--mono);
  }
  .question header .button {
    min-height: 24px;
    margin-inline-start: auto;
  }
  .question :is(.open, .assumed, .written ul) {
    max-width: 76ch;
  }
  .question .open {
    margin: 4px 0 10px;
    color: var(--ink-soft);
  }
  .choices {
    display: grid;
    gap: 6px;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .choices label {
    display: grid;
    grid-template-columns: 16px minmax(0, 76ch);
    gap: 10px;
    cursor: pointer;
  }
  .choices input {
    width: 16px;
    height: 16px;
    margin: 2px 0 0;
    accent-color: var(--accent);
  }
  .choices code {
    margin-inline-end: 4px;
    font-weight: 600;
  }
  .written {
    display: grid;
    gap: 10px;
  }
  .written textarea {
    max-width: 560px;
  }
  .snapshots > .inline {
    margin-bottom: 16px;
  }
`
