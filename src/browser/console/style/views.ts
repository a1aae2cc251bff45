// Owns how clock, faults, plan, questions and snapshots look.
import { css } from './css.ts'

export const views = css`
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
