// Owns how buttons, switches, fields and marks look.
import { css } from './css.ts'

export const controls = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: 32px;
    padding: 0 12px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--ink);
    font: 500 var(--text) / 1 var(--sans);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    cursor: pointer;
  }
  .button:hover:not(:disabled) {
    background: var(--hover);
  }
  .button:disabled {
    border-color: var(--line);
    color: var(--ink-faint);
    opacity: 0.65;
    cursor: default;
  }
  .button.primary {
    border-color: var(--button);
    background: var(--button);
    color: var(--button-ink);
  }
  .button.primary:hover:not(:disabled) {
    background: color-mix(in srgb, var(--button) 86%, var(--surface));
  }
  .button.danger {
    border-color: var(--bad);
    background: var(--bad-soft);
    color: var(--bad);
  }
  .button.quiet {
    border-color: transparent;
    padding: 0 8px;
    background: none;
    color: var(--ink-soft);
  }
  .button.quiet:hover:not(:disabled) {
    background: var(--hover);
    color: var(--ink);
  }
  .link {
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    font: inherit;
    text-decoration: underline;
    text-decoration-color: color-mix(in srgb, var(--accent) 35%, transparent);
    text-underline-offset: 3px;
    cursor: pointer;
  }
  .link:hover {
    text-decoration-color: currentColor;
  }
  .chip {
    padding: 1px 7px;
    border: 1px solid var(--line-strong);
    border-radius: 10px;
    background: none;
    color: var(--ink-soft);
    font: 500 var(--small) / 1.4 var(--mono);
    cursor: pointer;
  }
  .chip:hover {
    border-color: var(--accent);
    color: var(--accent);
  }

  .switch {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-height: 32px;
    padding: 0 2px;
    border: 0;
    border-radius: var(--radius-small);
    background: none;
    color: var(--ink);
    font: inherit;
    text-align: start;
    cursor: pointer;
  }
  .track {
    position: relative;
    flex: none;
    width: 30px;
    height: 18px;
    border-radius: 9px;
    background: var(--line-strong);
    transition: background 120ms;
  }
  .track::after {
    content: '';
    position: absolute;
    inset-block-start: 2px;
    inset-inline-start: 2px;
    width: 14px;
    height: 14px;
    border-radius: 50%;
    background: #fff;
    transition: translate 120ms;
  }
  .switch[aria-checked='true'] .track {
    background: var(--accent);
  }
  .switch[aria-checked='true'] .track::after {
    translate: 12px;
  }

  .segmented {
    display: inline-flex;
    min-width: 0;
    margin: 0;
    padding: 2px;
    border: 0;
    border-radius: 7px;
    background: var(--groove);
  }
  .segmented label {
    position: relative;
    display: flex;
    cursor: pointer;
  }
  .segmented input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .segmented span {
    padding: 3px 11px;
    border-radius: var(--radius-small);
    color: var(--ink-soft);
    line-height: 22px;
    white-space: nowrap;
  }
  .segmented input:checked + span {
    background: var(--raised);
    box-shadow: 0 1px 2px rgb(0 0 0 / 12%);
    color: var(--ink);
    font-weight: 500;
  }
  .segmented input:focus-visible + span {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }

  input:not([type='radio']),
  select,
  textarea {
    min-width: 0;
    height: 32px;
    padding: 0 10px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--ink);
    font: inherit;
    font-variant-numeric: tabular-nums;
  }
  input::placeholder {
    color: var(--ink-faint);
    opacity: 1;
  }
  input:disabled {
    background: var(--sunken);
    color: var(--ink-faint);
  }
  select {
    max-width: 100%;
    padding-inline-end: 4px;
  }
  textarea {
    width: 100%;
    height: auto;
    padding: 8px 10px;
    font: 12.5px / 1.5 var(--mono);
    resize: vertical;
  }
  input.grow {
    flex: 1 1 220px;
    max-width: 420px;
  }
  .field {
    display: flex;
    flex-direction: column;
    gap: 4px;
    min-width: 0;
  }
  .field-label {
    color: var(--ink-soft);
    font-size: var(--small);
    font-weight: 500;
  }
  .hint {
    color: var(--ink-faint);
    font-size: var(--small);
  }
  .inline {
    display: flex;
    align-items: flex-start;
    gap: 8px;
  }
  .inline .field + .button {
    margin-top: 22px;
  }
  .inline.tight {
    gap: 4px;
    justify-content: flex-end;
  }
  .pair {
    display: flex;
    flex-wrap: wrap;
    gap: 16px 28px;
  }

  .status {
    display: inline-block;
    min-width: 38px;
    padding: 0 6px;
    border-radius: 4px;
    font: 600 var(--small) / 20px var(--mono);
    text-align: center;
  }
  .mark {
    display: inline-block;
    padding: 0 7px;
    border-radius: 4px;
    font-size: var(--small);
    font-weight: 500;
    line-height: 20px;
    white-space: nowrap;
  }
  .plain.mark {
    background: var(--sunken);
    color: var(--ink-soft);
  }
  .good:is(.status, .mark) {
    background: var(--good-soft);
    color: var(--good);
  }
  .warn:is(.status, .mark) {
    background: var(--warn-soft);
    color: var(--warn);
  }
  .bad:is(.status, .mark) {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .accent.mark {
    background: var(--accent-soft);
    color: var(--accent);
  }

  details summary {
    color: var(--ink-soft);
    font-weight: 500;
    cursor: pointer;
  }
  .pages {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .pages .button {
    min-width: 32px;
    padding: 0;
    font-size: var(--large);
  }
  .pages .where {
    min-width: 136px;
    padding: 0 6px;
    color: var(--ink-soft);
    text-align: center;
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
      animation: none !important;
    }
  }
`
